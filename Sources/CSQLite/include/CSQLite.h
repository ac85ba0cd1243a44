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
