#pragma once
// SQLite and SpatiaLite, with the few calls that Swift cannot make itself.
#include <sqlite3.h>
#include <spatialite.h>
