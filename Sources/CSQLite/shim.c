#include "CSQLite.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
// SpatiaLite keeps state of its own for the process (and so do the libraries below it): opening and closing in two
// threads at once frees it twice.
static pthread_mutex_t spatial_lock = PTHREAD_MUTEX_INITIALIZER;

static void initialize(void) {
    // Refused, without harm, when something in the process has used SQLite before.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_initialize();
}

void csqlite_initialize(void) {
    pthread_once(&once, initialize);
}

void *csqlite_spatial_open(sqlite3 *db) {
    pthread_mutex_lock(&spatial_lock);
    void *spatial = spatialite_alloc_connection();
    if (spatial) {
        spatialite_init_ex(db, spatial, 0);
        spatialite_set_silent_mode(spatial);
    }
    pthread_mutex_unlock(&spatial_lock);
    return spatial;
}

void csqlite_spatial_close(void *spatial) {
    pthread_mutex_lock(&spatial_lock);
    spatialite_cleanup_ex(spatial);
    pthread_mutex_unlock(&spatial_lock);
}

int csqlite_set_checkpoint_on_close(sqlite3 *db, int enabled) {
    return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !enabled, (int *)0);
}

int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Fibonacci hashing (D. E. Knuth, The Art of Computer Programming 3, 6.4): the high bits of the product.
static size_t slot(const csqlite_integer_set *set, sqlite3_int64 value) {
    return (size_t)(((uint64_t)value * UINT64_C(0x9E3779B97F4A7C15)) >> set->shift);
}

csqlite_integer_set *csqlite_integer_set_create(const sqlite3_int64 *members, size_t count) {
    // At most a quarter full, so that the search for a stranger ends at once.
    int bits = 4;
    while (((size_t)1 << bits) < 4 * count) bits++;
    csqlite_integer_set *set = malloc(sizeof *set);
    // The search may run past the end by as many slots as there are members, and one that is free.
    sqlite3_int64 *slots = calloc(((size_t)1 << bits) + count + 1, sizeof *slots);
    if (!set || !slots) {
        free(set);
        free(slots);
        return NULL;
    }
    set->shift = 64 - bits;
    set->slots = slots;
    for (size_t i = 0; i < count; i++) {
        if (members[i] == 0) continue;
        size_t at = slot(set, members[i]);
        while (slots[at] != 0 && slots[at] != members[i]) at++;
        slots[at] = members[i];
    }
    return set;
}

void csqlite_integer_set_free(csqlite_integer_set *set) {
    free(set->slots);
    free(set);
}

int csqlite_integer_set_contains(const csqlite_integer_set *set, sqlite3_int64 value) {
    if (value == 0) return 0;
    for (size_t at = slot(set, value);; at++) {
        if (set->slots[at] == value) return 1;
        if (set->slots[at] == 0) return 0;
    }
}

static const char set_type[] = "integer set";

int csqlite_bind_integer_set(sqlite3_stmt *statement, int index, csqlite_integer_set *set) {
    return sqlite3_bind_pointer(statement, index, set, set_type, NULL);
}

static void member_of(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    const csqlite_integer_set *set = sqlite3_value_pointer(values[1], set_type);
    sqlite3_result_int(context, set && csqlite_integer_set_contains(set, sqlite3_value_int64(values[0])));
}

static const char pattern_type[] = "text pattern";

int csqlite_bind_text_pattern(sqlite3_stmt *statement, int index, csqlite_text_pattern *pattern) {
    return sqlite3_bind_pointer(statement, index, pattern, pattern_type, NULL);
}

static void contains_all(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    const csqlite_text_pattern *pattern = sqlite3_value_pointer(values[1], pattern_type);
    const char *text = (const char *)sqlite3_value_text(values[0]);
    int found = pattern && text;
    for (size_t i = 0; found && i < pattern->count; i++) found = strstr(text, pattern->needles[i]) != NULL;
    sqlite3_result_int(context, found);
}

typedef struct {
    sqlite3_int64 *numbers;
    size_t count;
    size_t capacity;
    int failed;
} gathered;

static void gather_step(sqlite3_context *context, int count, sqlite3_value **values) {
    gathered *all = sqlite3_aggregate_context(context, sizeof *all);
    if (!all || all->failed) return;
    if (all->count + (size_t)count > all->capacity) {
        size_t capacity = all->capacity ? 2 * all->capacity : 1024;
        sqlite3_int64 *numbers = realloc(all->numbers, capacity * sizeof *numbers);
        if (!numbers) {
            all->failed = 1;
            return;
        }
        all->numbers = numbers;
        all->capacity = capacity;
    }
    for (int i = 0; i < count; i++) all->numbers[all->count++] = sqlite3_value_int64(values[i]);
}

// Called also when the statement ends early.
static void gather_final(sqlite3_context *context) {
    gathered *all = sqlite3_aggregate_context(context, 0);
    if (!all) {
        sqlite3_result_zeroblob(context, 0);
    } else if (all->failed) {
        free(all->numbers);
        sqlite3_result_error_nomem(context);
    } else {
        sqlite3_result_blob64(context, all->numbers, all->count * sizeof *all->numbers, free);
    }
}

int csqlite_add_functions(sqlite3 *db) {
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int result = sqlite3_create_function(db, "memberOf", 2, flags, NULL, member_of, NULL, NULL);
    if (result != SQLITE_OK) return result;
    result = sqlite3_create_function(db, "containsAll", 2, flags, NULL, contains_all, NULL, NULL);
    if (result != SQLITE_OK) return result;
    return sqlite3_create_function(db, "gather", -1, flags, NULL, NULL, gather_step, gather_final);
}
