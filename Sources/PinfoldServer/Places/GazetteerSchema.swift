import Storage

/// The tables of `places.db`, which holds nothing but the loaded gazetteer: it is read-only once built, and built anew
/// when the bundled file or this schema changes.
///
/// Positions are 1e-7 degree; `alternateNames` are joined by `|`, and carry no language.
enum GazetteerSchema {
    static let migrations = [
        Migration(
            name: "gazetteer",
            sql: """
                -- One row: what the database was made of.
                CREATE TABLE source (
                    version TEXT NOT NULL
                ) STRICT;
                CREATE TABLE country (
                    code TEXT NOT NULL PRIMARY KEY,
                    id INTEGER,
                    name TEXT NOT NULL,
                    alternateNames TEXT
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE division (
                    number INTEGER PRIMARY KEY,
                    level INTEGER NOT NULL CHECK (level IN (1, 2)),
                    parent INTEGER,
                    country TEXT NOT NULL,
                    code TEXT NOT NULL,
                    isoCode TEXT,
                    id INTEGER,
                    name TEXT NOT NULL,
                    alternateNames TEXT
                ) STRICT;
                CREATE TABLE place (
                    id INTEGER PRIMARY KEY,
                    name TEXT NOT NULL,
                    asciiName TEXT,
                    latitude INTEGER NOT NULL CHECK (latitude BETWEEN -900000000 AND 900000000),
                    longitude INTEGER NOT NULL CHECK (longitude BETWEEN -1800000000 AND 1799999999),
                    population INTEGER NOT NULL CHECK (population >= 0),
                    featureCode TEXT,
                    country TEXT NOT NULL,
                    admin1 INTEGER,
                    admin2 INTEGER,
                    timezone TEXT NOT NULL,
                    alternateNames TEXT
                ) STRICT;
                -- The reverse geocoder's arrays, read whole at the start.
                CREATE TABLE geocoderPart (
                    part TEXT NOT NULL PRIMARY KEY,
                    content BLOB NOT NULL
                ) STRICT;
                """),
        PlaceNamesFile.migration,
        Address.migration,
        // The arrays are in `places.index` now.
        Migration(name: "geocoder outside", sql: "DROP TABLE geocoderPart;"),
        Street.migration,
    ]
}
