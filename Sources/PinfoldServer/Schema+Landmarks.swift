import Storage

extension Schema {
    /// Landmarks, and the administration that came with them; they follow all in `Schema.swift`.
    static let landmarkMigrations: [Migration] = [
        Migration(
            name: "landmarks",
            sql: """
                -- Landmarks of one source. What it holds now is its `version`, whose rows are those of `state`.
                CREATE TABLE dataset (
                    id INTEGER PRIMARY KEY CHECK (id > 0),
                    -- As commands and queries name it; a dataset whose rows are still being removed has none.
                    name TEXT UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
                    title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
                    description TEXT CHECK (length(description) <= 2000),
                    licence TEXT CHECK (length(licence) <= 200),
                    attribution TEXT CHECK (length(attribution) <= 500),
                    sourceURL TEXT CHECK (length(sourceURL) <= 2000),
                    -- 0 before anything was imported.
                    version INTEGER NOT NULL DEFAULT 0 CHECK (version >= 0),
                    state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND version),
                    -- Of the file, and what was asked for, that the current version says the same as; and the import that
                    -- read it. Null after a restore.
                    sourceDigest BLOB CHECK (length(sourceDigest) = 32),
                    sourceJobId INTEGER,
                    createdAt INTEGER NOT NULL,
                    updatedAt INTEGER NOT NULL,
                    CHECK ((sourceDigest IS NULL) = (sourceJobId IS NULL))
                ) STRICT;

                -- Each import makes a version, and a state of the rows that is called as it is; one that restores an earlier
                -- version shares the state of that one.
                CREATE TABLE datasetVersion (
                    datasetId INTEGER NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
                    number INTEGER NOT NULL CHECK (number > 0),
                    state INTEGER NOT NULL CHECK (state BETWEEN 1 AND number),
                    restores INTEGER CHECK (restores < number),
                    accountId INTEGER REFERENCES account (id) ON DELETE SET NULL,
                    count INTEGER NOT NULL CHECK (count >= 0),
                    -- Of all its geometries; a west above the east crosses the antimeridian. Null for none.
                    west INTEGER, south INTEGER, east INTEGER, north INTEGER,
                    inserted INTEGER NOT NULL, updated INTEGER NOT NULL, unchanged INTEGER NOT NULL,
                    removed INTEGER NOT NULL, rejected INTEGER NOT NULL,
                    createdAt INTEGER NOT NULL,
                    PRIMARY KEY (datasetId, number)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX datasetVersionByAccount ON datasetVersion (accountId);

                CREATE TABLE landmarkCategory (
                    code INTEGER PRIMARY KEY,
                    name TEXT NOT NULL UNIQUE
                ) STRICT;
                INSERT INTO landmarkCategory (code, name) VALUES
                    (0, 'museum'), (1, 'monument'), (2, 'worship'), (3, 'park'), (4, 'nature'), (5, 'viewpoint'),
                    (6, 'theatre'), (7, 'stadium'), (8, 'school'), (9, 'library'), (10, 'hospital'), (11, 'airport'),
                    (12, 'station'), (13, 'harbour'), (14, 'hotel'), (15, 'shop'), (16, 'food'), (17, 'other');

                -- What a landmark is in the states from `fromState` up to before `untilState`. Readers see the rows of their
                -- dataset's state, so that what an import has written is seen when that one number changes.
                CREATE TABLE landmark (
                    -- The first content of a landmark has the landmark's id, those after it have ids of their own.
                    number INTEGER PRIMARY KEY CHECK (number > 0),
                    landmarkId INTEGER NOT NULL CHECK (landmarkId BETWEEN 1 AND number),
                    datasetId INTEGER NOT NULL REFERENCES dataset (id),
                    fromState INTEGER NOT NULL CHECK (fromState > 0),
                    untilState INTEGER NOT NULL DEFAULT 9223372036854775807 CHECK (untilState > fromState),
                    -- Of all that an import says of it, to tell what has changed.
                    digest INTEGER NOT NULL,
                    -- What the source knows it by.
                    key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
                    longitude INTEGER NOT NULL CHECK (longitude BETWEEN -1800000000 AND 1799999999),
                    latitude INTEGER NOT NULL CHECK (latitude BETWEEN -900000000 AND 900000000),
                    category INTEGER NOT NULL REFERENCES landmarkCategory (code),
                    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
                    updatedAt INTEGER NOT NULL,
                    sourceCategory TEXT,
                    -- JSON objects: names by language; what else the source says.
                    names TEXT,
                    description TEXT,
                    address TEXT,
                    website TEXT,
                    phone TEXT,
                    openingHours TEXT,
                    imageURL TEXT,
                    properties TEXT,
                    geom BLOB GENERATED ALWAYS AS (MakePoint(longitude * 1e-7, latitude * 1e-7, 4326)) VIRTUAL
                ) STRICT;
                CREATE UNIQUE INDEX landmarkByKey ON landmark (datasetId, key, fromState);
                CREATE INDEX landmarkById ON landmark (landmarkId) WHERE number <> landmarkId;
                INSERT INTO geometry_columns
                    (f_table_name, f_geometry_column, geometry_type, coord_dimension, srid, spatial_index_enabled)
                VALUES ('landmark', 'geom', 1, 2, 4326, 0);

                -- Where each row of `landmark` is on the Hilbert curve. A table and no index, since an import writes its
                -- entries behind its rows, many in order: one by one each would cost a page.
                CREATE TABLE landmarkPlace (
                    place INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    datasetId INTEGER NOT NULL,
                    fromState INTEGER NOT NULL,
                    untilState INTEGER NOT NULL DEFAULT 9223372036854775807,
                    category INTEGER NOT NULL,
                    PRIMARY KEY (place, number)
                ) STRICT, WITHOUT ROWID;
                CREATE TRIGGER landmarkGoes AFTER DELETE ON landmark BEGIN
                    DELETE FROM landmarkPlace
                    WHERE place = hilbert(OLD.longitude, OLD.latitude) AND number = OLD.number;
                END;
                CREATE TRIGGER landmarkEnds AFTER UPDATE OF untilState ON landmark BEGIN
                    UPDATE landmarkPlace SET untilState = NEW.untilState
                    WHERE place = hilbert(NEW.longitude, NEW.latitude) AND number = NEW.number;
                END;

                -- Lines and areas, for the rows of `landmark` that are no points.
                CREATE TABLE landmarkShape (
                    number INTEGER PRIMARY KEY REFERENCES landmark (number) ON DELETE CASCADE,
                    geom BLOB NOT NULL
                ) STRICT;
                SELECT RecoverGeometryColumn('landmarkShape', 'geom', 4326, 'GEOMETRY', 'XY');
                SELECT CreateSpatialIndex('landmarkShape', 'geom');

                CREATE TABLE importJob (
                    id INTEGER PRIMARY KEY CHECK (id > 0),
                    dataset TEXT NOT NULL,
                    datasetId INTEGER REFERENCES dataset (id) ON DELETE SET NULL,
                    accountId INTEGER REFERENCES account (id) ON DELETE SET NULL,
                    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
                    -- JSON: what was asked for, and what was found.
                    options TEXT NOT NULL,
                    report TEXT,
                    fileName TEXT NOT NULL,
                    bytes INTEGER NOT NULL CHECK (bytes >= 0),
                    -- The state that its rows are written under, once it has begun.
                    toState INTEGER,
                    read INTEGER NOT NULL DEFAULT 0, total INTEGER,
                    -- How much of the file is read.
                    part REAL NOT NULL DEFAULT 0 CHECK (part BETWEEN 0 AND 1),
                    inserted INTEGER NOT NULL DEFAULT 0, updated INTEGER NOT NULL DEFAULT 0,
                    unchanged INTEGER NOT NULL DEFAULT 0, removed INTEGER NOT NULL DEFAULT 0,
                    rejected INTEGER NOT NULL DEFAULT 0,
                    -- Why it failed: a slug and a sentence.
                    problem TEXT, message TEXT,
                    createdAt INTEGER NOT NULL,
                    startedAt INTEGER,
                    finishedAt INTEGER
                ) STRICT;
                CREATE INDEX importJobByState ON importJob (state, id) WHERE state IN ('queued', 'running');
                CREATE INDEX importJobByDataset ON importJob (datasetId);
                CREATE INDEX importJobByAccount ON importJob (accountId);

                CREATE TABLE importFault (
                    jobId INTEGER NOT NULL REFERENCES importJob (id) ON DELETE CASCADE,
                    ordinal INTEGER NOT NULL CHECK (ordinal > 0),
                    row INTEGER NOT NULL,
                    field TEXT NOT NULL,
                    message TEXT NOT NULL,
                    PRIMARY KEY (jobId, ordinal)
                ) STRICT, WITHOUT ROWID;

                -- Who did what to datasets and accounts. The names stay when the account or the dataset is gone.
                CREATE TABLE audit (
                    id INTEGER PRIMARY KEY CHECK (id > 0),
                    at INTEGER NOT NULL,
                    accountId INTEGER REFERENCES account (id) ON DELETE SET NULL,
                    -- Null for whoever runs the server, at its command line.
                    username TEXT,
                    action TEXT NOT NULL,
                    subject TEXT NOT NULL,
                    detail TEXT
                ) STRICT;
                CREATE INDEX auditByAccount ON audit (accountId);
                """),
        Migration(
            name: "suspended accounts",
            sql: """
                -- Since when an admin has shut it out; null for all others.
                ALTER TABLE account ADD COLUMN suspendedAt INTEGER;
                """),
        Migration(
            name: "imports that are undone after their end",
            sql: """
                -- Of an import that has ended, `toState` says from now on that rows which it has written are to be undone.
                UPDATE importJob SET toState = NULL WHERE state IN ('succeeded', 'failed', 'cancelled');
                UPDATE importJob SET state = 'cancelled', problem = NULL, finishedAt = milliseconds()
                WHERE state = 'running' AND problem = 'cancelled';
                CREATE INDEX importJobToUndo ON importJob (id)
                WHERE toState IS NOT NULL AND state IN ('succeeded', 'failed', 'cancelled');
                """),
    ]
}
