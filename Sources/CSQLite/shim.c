#include "CSQLite.h"

#include <pthread.h>

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
