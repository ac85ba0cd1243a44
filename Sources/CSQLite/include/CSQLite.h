#pragma once
// SQLite and SpatiaLite, with the few calls that Swift cannot make itself.
#include <sqlite3.h>
#include <spatialite.h>

/// Sets up SQLite once for the process: without its memory statistics, whose lock every allocation of every thread takes.
void csqlite_initialize(void);

/// Registers SpatiaLite's functions with `db` and returns what `csqlite_spatial_close` takes, or NULL when out of memory.
void *csqlite_spatial_open(sqlite3 *db);

/// Frees what `csqlite_spatial_open` returned, after its connection was closed.
void csqlite_spatial_close(void *spatial);

/// Whether the last connection to a database checkpoints it when it closes. `sqlite3_db_config` is variadic.
int csqlite_set_checkpoint_on_close(sqlite3 *db, int enabled);

/// Binds a copy of the bytes. `SQLITE_TRANSIENT` is a cast that Swift does not import.
int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count);
int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count);

/// A set of positive integers that statements test with `memberOf(value, ?)`: an open-addressing hash table. 0 marks a
/// free slot, so 0 is never a member.
typedef struct {
    int shift;
    sqlite3_int64 *slots;
} csqlite_integer_set;

/// A set of `count` integers, or NULL when out of memory.
csqlite_integer_set *csqlite_integer_set_create(const sqlite3_int64 *members, size_t count);
void csqlite_integer_set_free(csqlite_integer_set *set);
int csqlite_integer_set_contains(const csqlite_integer_set *set, sqlite3_int64 value);

/// Binds a set, which must live until the statement is reset. Anything else bound there has no members.
int csqlite_bind_integer_set(sqlite3_stmt *statement, int index, csqlite_integer_set *set);

/// Texts that statements look for with `containsAll(text, ?)`.
typedef struct {
    size_t count;
    const char *const *needles;
} csqlite_text_pattern;

/// Binds a pattern, which must live until the statement is reset. Anything else bound there is found in nothing.
int csqlite_bind_text_pattern(sqlite3_stmt *statement, int index, csqlite_text_pattern *pattern);

/// Registers `memberOf(value, set)`, `containsAll(text, pattern)` and the aggregate `gather(a, b, …)` with `db`. That one
/// returns the integers of all rows, row after row, as a blob of 64-bit numbers in the machine's order; NULL counts as 0.
int csqlite_add_functions(sqlite3 *db);
