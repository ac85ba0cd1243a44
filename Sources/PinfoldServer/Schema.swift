import Geo
import Storage

/// All migrations, in order. A landed one is never edited; a change is a new one at the end.
///
/// Names avoid the words that PostgreSQL reserves. Times are milliseconds since 1970, coordinates 1e-7 degree.
package enum Schema {
    /// The tables that only `VisiblePins` may read on a reader connection.
    package static let guardedTables: Set<String> = ["pin", "deletedPin"]

    /// How a database of this schema is opened.
    ///
    /// - Parameter clock: milliseconds since 1970.
    package static func configuration(
        path: String, clock: @escaping @Sendable () -> Int64
    ) -> DatabasePool.Configuration {
        var configuration = DatabasePool.Configuration(path: path, clock: clock)
        configuration.guardedTables = guardedTables
        configuration.functions = [
            SQLFunction(name: "hilbert") { HilbertCurve.position(longitudeE7: $0, latitudeE7: $1) },
            SQLFunction(name: "milliseconds", reading: clock),
        ]
        return configuration
    }

    package static let migrations: [Migration] =
        [
            Migration(
                name: "secrets",
                sql: """
                    CREATE TABLE secret (
                        name TEXT NOT NULL PRIMARY KEY,
                        value BLOB NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    INSERT INTO secret (name, value) VALUES ('cursor', randomblob(32));
                    """),
            Migration(
                name: "accounts and sessions",
                sql: """
                    CREATE TABLE account (
                        id INTEGER PRIMARY KEY CHECK (id > 0),
                        username TEXT NOT NULL CHECK (length(username) BETWEEN 3 AND 30),
                        usernameFolded TEXT NOT NULL UNIQUE,
                        email TEXT NOT NULL,
                        emailFolded TEXT NOT NULL UNIQUE,
                        phone TEXT,
                        displayName TEXT NOT NULL CHECK (length(displayName) BETWEEN 1 AND 100),
                        bio TEXT CHECK (length(bio) <= 1000),
                        usernameSearch TEXT NOT NULL,
                        displayNameSearch TEXT NOT NULL,
                        role TEXT NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'curator', 'admin')),
                        passwordHash TEXT NOT NULL,
                        createdAt INTEGER NOT NULL,
                        updatedAt INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX accountByUsernameSearch ON account (usernameSearch);
                    CREATE INDEX accountByDisplayNameSearch ON account (displayNameSearch);

                    -- A session is one sign-in: a family of tokens whose generations follow each other by refreshing.
                    CREATE TABLE session (
                        id INTEGER PRIMARY KEY CHECK (id > 0),
                        accountId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                        confirmedGeneration INTEGER NOT NULL,
                        latestGeneration INTEGER NOT NULL CHECK (latestGeneration >= confirmedGeneration),
                        address TEXT NOT NULL,
                        userAgent TEXT,
                        createdAt INTEGER NOT NULL,
                        lastSeenAt INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX sessionByAccount ON session (accountId, id);

                    -- Refresh tokens of past generations stay, so that their reuse is recognised.
                    CREATE TABLE token (
                        hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
                        sessionId INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
                        purpose TEXT NOT NULL CHECK (purpose IN ('access', 'refresh')),
                        generation INTEGER NOT NULL,
                        expiresAt INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX tokenBySession ON token (sessionId, generation);
                    CREATE INDEX tokenByExpiry ON token (expiresAt);
                    """),
            Migration(
                name: "friends and blocks",
                sql: """
                    -- Both directions of a friendship are rows, so that a viewer's friends are one range.
                    CREATE TABLE friendship (
                        accountId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                        friendId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE CHECK (friendId <> accountId),
                        since INTEGER NOT NULL,
                        PRIMARY KEY (accountId, friendId)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX friendshipByFriend ON friendship (friendId);

                    CREATE TABLE friendRequest (
                        id INTEGER PRIMARY KEY CHECK (id > 0),
                        fromId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                        toId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE CHECK (toId <> fromId),
                        status TEXT NOT NULL CHECK (status IN ('pending', 'accepted', 'rejected', 'cancelled')),
                        createdAt INTEGER NOT NULL,
                        respondedAt INTEGER CHECK ((respondedAt IS NULL) = (status = 'pending'))
                    ) STRICT;
                    CREATE UNIQUE INDEX friendRequestPending ON friendRequest (min(fromId, toId), max(fromId, toId))
                        WHERE status = 'pending';
                    CREATE INDEX friendRequestByAddressee ON friendRequest (toId, id);
                    CREATE INDEX friendRequestBySender ON friendRequest (fromId, id);

                    CREATE TABLE block (
                        blockerId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                        blockedId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE CHECK (blockedId <> blockerId),
                        createdAt INTEGER NOT NULL,
                        PRIMARY KEY (blockerId, blockedId)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX blockByBlocked ON block (blockedId);
                    """),
            Migration(
                name: "pins",
                sql: """
                    -- The codes of pin.category and pin.audience, for whoever opens the file.
                    CREATE TABLE pinCategory (code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
                    INSERT INTO pinCategory VALUES (0, 'food'), (1, 'nightlife'), (2, 'nature'), (3, 'shopping'),
                        (4, 'culture'), (5, 'education'), (6, 'other');
                    CREATE TABLE pinAudience (code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
                    INSERT INTO pinAudience VALUES (0, 'private'), (1, 'friends');

                    CREATE TABLE pin (
                        id INTEGER PRIMARY KEY CHECK (id > 0),
                        ownerId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                        longitude INTEGER NOT NULL CHECK (longitude BETWEEN -1800000000 AND 1799999999),
                        latitude INTEGER NOT NULL CHECK (latitude BETWEEN -900000000 AND 900000000),
                        name TEXT NOT NULL,
                        comment TEXT,
                        address TEXT,
                        addressByOwner INTEGER NOT NULL DEFAULT 0 CHECK (addressByOwner IN (0, 1)),
                        rating INTEGER CHECK (rating BETWEEN 1 AND 5),
                        category INTEGER NOT NULL CHECK (category BETWEEN 0 AND 6),
                        audience INTEGER NOT NULL CHECK (audience IN (0, 1)),
                        createdAt INTEGER NOT NULL,
                        updatedAt INTEGER NOT NULL,
                        -- What `q=` searches instead of the texts, when they are not ASCII.
                        searchForm TEXT,
                        geom BLOB GENERATED ALWAYS AS (MakePoint(longitude * 1e-7, latitude * 1e-7, 4326)) VIRTUAL
                    ) STRICT;
                    -- Owner-first: all that filters, sorts and draws of a friend's pins, without the wide row.
                    CREATE INDEX pinByOwner
                        ON pin (ownerId, createdAt, longitude, latitude, rating, category, audience);
                    -- A layer for GIS programs: a point (1) in two dimensions (2). RecoverGeometryColumn would write the same
                    -- row, and complain that a virtual column takes no triggers.
                    INSERT INTO geometry_columns
                        (f_table_name, f_geometry_column, geometry_type, coord_dimension, srid, spatial_index_enabled)
                    VALUES ('pin', 'geom', 1, 2, 4326, 0);

                    -- A deleted pin rests here until it can no longer be restored.
                    CREATE TABLE deletedPin (
                        id INTEGER PRIMARY KEY CHECK (id > 0),
                        ownerId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                        deletedAt INTEGER NOT NULL,
                        longitude INTEGER NOT NULL,
                        latitude INTEGER NOT NULL,
                        name TEXT NOT NULL,
                        comment TEXT,
                        address TEXT,
                        addressByOwner INTEGER NOT NULL,
                        rating INTEGER,
                        category INTEGER NOT NULL,
                        audience INTEGER NOT NULL,
                        createdAt INTEGER NOT NULL,
                        updatedAt INTEGER NOT NULL,
                        searchForm TEXT
                    ) STRICT;
                    CREATE INDEX deletedPinByOwner ON deletedPin (ownerId);
                    CREATE INDEX deletedPinByTime ON deletedPin (deletedAt);
                    """),
            Migration(
                name: "event log",
                sql: """
                    -- What changed, in commit order; never what it changed to. `accountId` is whose topic it belongs to,
                    -- `subjectId` the pin, request or other account. The audiences of a pin tell whom it reached before
                    -- and whom it reaches after; NULL is a pin that does not exist.
                    CREATE TABLE event (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        at INTEGER NOT NULL,
                        kind TEXT NOT NULL CHECK (kind IN (
                            'pin', 'friendAdded', 'friendRemoved', 'blockAdded', 'blockRemoved', 'requestCreated',
                            'requestAccepted', 'requestRejected', 'requestCancelled', 'profile', 'accountCreated',
                            'accountRemoved')),
                        accountId INTEGER NOT NULL,
                        subjectId INTEGER,
                        audienceBefore INTEGER,
                        audienceAfter INTEGER
                    ) STRICT;
                    CREATE INDEX eventByAccount ON event (accountId, sequence);
                    """),
            Migration(
                name: "idempotent answers",
                sql: """
                    -- The 2xx answer to a creating POST, by the client's Idempotency-Key, for a day.
                    CREATE TABLE idempotentAnswer (
                        accountId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                        key TEXT NOT NULL,
                        requestHash BLOB NOT NULL,
                        status INTEGER NOT NULL,
                        location TEXT,
                        body BLOB NOT NULL,
                        createdAt INTEGER NOT NULL,
                        PRIMARY KEY (accountId, key)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX idempotentAnswerByTime ON idempotentAnswer (createdAt);
                    """),
            Migration(
                name: "circles, and pins by place",
                sql: """
                    -- A circle is some of one's friends, to show pins to.
                    CREATE TABLE circle (
                        id INTEGER PRIMARY KEY CHECK (id > 1),
                        ownerId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                        name TEXT NOT NULL,
                        createdAt INTEGER NOT NULL,
                        updatedAt INTEGER NOT NULL,
                        UNIQUE (ownerId, id)
                    ) STRICT;
                    -- Who is no longer a friend is no longer in it. The columns of the key come first: of another order the
                    -- check of SQLite 3.40 says that a column is NULL which is not, and the database would not be opened.
                    CREATE TABLE circleMember (
                        circleId INTEGER NOT NULL,
                        memberId INTEGER NOT NULL,
                        ownerId INTEGER NOT NULL,
                        PRIMARY KEY (circleId, memberId),
                        FOREIGN KEY (ownerId, circleId) REFERENCES circle (ownerId, id) ON DELETE CASCADE,
                        FOREIGN KEY (ownerId, memberId) REFERENCES friendship (accountId, friendId) ON DELETE CASCADE
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX circleMemberByMember ON circleMember (memberId, circleId);
                    CREATE INDEX circleMemberByOwner ON circleMember (ownerId, memberId);

                    -- Goes up whenever whose pins an account may see changes, in the transaction of the change: what is
                    -- remembered of an account's friends and circles is good for one value of it.
                    ALTER TABLE account ADD COLUMN sightVersion INTEGER NOT NULL DEFAULT 0;
                    CREATE TRIGGER friendshipBegins AFTER INSERT ON friendship BEGIN
                        UPDATE account SET sightVersion = sightVersion + 1 WHERE id = NEW.accountId;
                    END;
                    CREATE TRIGGER friendshipEnds AFTER DELETE ON friendship BEGIN
                        UPDATE account SET sightVersion = sightVersion + 1 WHERE id = OLD.accountId;
                    END;
                    CREATE TRIGGER circleJoined AFTER INSERT ON circleMember BEGIN
                        UPDATE account SET sightVersion = sightVersion + 1 WHERE id = NEW.memberId;
                    END;
                    CREATE TRIGGER circleLeft AFTER DELETE ON circleMember BEGIN
                        UPDATE account SET sightVersion = sightVersion + 1 WHERE id = OLD.memberId;
                    END;

                    -- Numbers first: a row is read from its start.
                    CREATE TABLE newPin (
                        id INTEGER PRIMARY KEY CHECK (id > 0),
                        ownerId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                        -- An import may say that a pin is older than its row, nobody that it is newer: in the order of ids
                        -- backwards, all that follows is at most as new as its id.
                        createdAt INTEGER NOT NULL CHECK (createdAt <= id >> 20),
                        longitude INTEGER NOT NULL CHECK (longitude BETWEEN -1800000000 AND 1799999999),
                        latitude INTEGER NOT NULL CHECK (latitude BETWEEN -900000000 AND 900000000),
                        rating INTEGER CHECK (rating BETWEEN 1 AND 5),
                        category INTEGER NOT NULL CHECK (category BETWEEN 0 AND 6),
                        -- A code of pinAudience, else the id of the owner's circle that sees it; nobody does when there is none.
                        audience INTEGER NOT NULL CHECK (audience >= 0),
                        -- NULL until it is changed.
                        updatedAt INTEGER,
                        addressByOwner INTEGER NOT NULL DEFAULT 0 CHECK (addressByOwner IN (0, 1)),
                        -- What an import knows it by.
                        externalId TEXT CHECK (length(externalId) BETWEEN 1 AND 200),
                        name TEXT NOT NULL,
                        comment TEXT,
                        address TEXT,
                        geom BLOB GENERATED ALWAYS AS (MakePoint(longitude * 1e-7, latitude * 1e-7, 4326)) VIRTUAL
                    ) STRICT;
                    INSERT INTO newPin (id, ownerId, createdAt, longitude, latitude, rating, category, audience, updatedAt,
                        addressByOwner, name, comment, address)
                    SELECT id, ownerId, min(createdAt, id >> 20), longitude, latitude, rating, category, audience,
                        nullif(updatedAt, createdAt), addressByOwner, name, comment, address
                    FROM pin ORDER BY id;
                    DROP TABLE pin;
                    ALTER TABLE newPin RENAME TO pin;
                    -- Owner-first: all that filters, sorts and draws of a friend's pins, without the wide row.
                    CREATE INDEX pinByOwner
                        ON pin (ownerId, createdAt, longitude, latitude, rating, category, audience);
                    -- Space-first: the same along the Hilbert curve; the position gives longitude and latitude back.
                    CREATE INDEX pinByPlace
                        ON pin (hilbert(longitude, latitude), ownerId, createdAt, rating, category, audience);
                    CREATE UNIQUE INDEX pinByExternalId ON pin (ownerId, externalId) WHERE externalId IS NOT NULL;

                    CREATE TABLE newDeletedPin (
                        id INTEGER PRIMARY KEY CHECK (id > 0),
                        ownerId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                        createdAt INTEGER NOT NULL,
                        longitude INTEGER NOT NULL,
                        latitude INTEGER NOT NULL,
                        rating INTEGER,
                        category INTEGER NOT NULL,
                        audience INTEGER NOT NULL,
                        updatedAt INTEGER,
                        addressByOwner INTEGER NOT NULL,
                        externalId TEXT,
                        name TEXT NOT NULL,
                        comment TEXT,
                        address TEXT,
                        deletedAt INTEGER NOT NULL
                    ) STRICT;
                    INSERT INTO newDeletedPin
                    SELECT id, ownerId, min(createdAt, id >> 20), longitude, latitude, rating, category, audience,
                        nullif(updatedAt, createdAt), addressByOwner, NULL, name, comment, address, deletedAt
                    FROM deletedPin;
                    DROP TABLE deletedPin;
                    ALTER TABLE newDeletedPin RENAME TO deletedPin;
                    CREATE INDEX deletedPinByOwner ON deletedPin (ownerId);
                    CREATE INDEX deletedPinByTime ON deletedPin (deletedAt);

                    -- The log tells of circles too: who came into whose (subjectId), who went. The audiences of a pin may be
                    -- circles. Nothing reads it by account yet, and the index by account cost each write a page.
                    CREATE TABLE newEvent (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        at INTEGER NOT NULL,
                        kind TEXT NOT NULL CHECK (kind IN (
                            'pin', 'friendAdded', 'friendRemoved', 'blockAdded', 'blockRemoved', 'requestCreated',
                            'requestAccepted', 'requestRejected', 'requestCancelled', 'profile', 'accountCreated',
                            'accountRemoved', 'circleJoined', 'circleLeft')),
                        accountId INTEGER NOT NULL,
                        subjectId INTEGER,
                        audienceBefore INTEGER,
                        audienceAfter INTEGER
                    ) STRICT;
                    INSERT INTO newEvent SELECT * FROM event ORDER BY sequence;
                    DROP TABLE event;
                    ALTER TABLE newEvent RENAME TO event;
                    """),
            Migration(
                name: "words of pins",
                sql: """
                    -- What `q=` looks through: the folded words of a pin's texts, by owner and time as the pins themselves.
                    CREATE TABLE pinWords (
                        ownerId INTEGER NOT NULL,
                        createdAt INTEGER NOT NULL,
                        id INTEGER NOT NULL,
                        words TEXT NOT NULL,
                        PRIMARY KEY (ownerId, createdAt, id)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TRIGGER pinGoes AFTER DELETE ON pin BEGIN
                        DELETE FROM pinWords WHERE ownerId = OLD.ownerId AND createdAt = OLD.createdAt AND id = OLD.id;
                    END;
                    -- How they were folded, and the last pin that was: a start with another folding makes all anew.
                    CREATE TABLE pinWordsState (
                        version INTEGER NOT NULL,
                        lastId INTEGER NOT NULL
                    ) STRICT;
                    INSERT INTO pinWordsState VALUES (0, 0);
                    """),
            Migration(
                name: "pins log themselves and hold their words",
                sql: """
                    -- The folded words of a pin's texts, which `q=` looks through: in the index by owner, so that a search reads
                    -- what a list reads. NULL until they are made.
                    ALTER TABLE pin ADD COLUMN words TEXT;
                    DROP INDEX pinByOwner;
                    DROP TRIGGER pinGoes;
                    UPDATE pin SET words = (
                        SELECT words FROM pinWords
                        WHERE pinWords.ownerId = pin.ownerId AND pinWords.createdAt = pin.createdAt AND pinWords.id = pin.id);
                    DROP TABLE pinWords;
                    -- Owner-first: all that filters, sorts, draws and finds of a friend's pins, without the wide row.
                    CREATE INDEX pinByOwner
                        ON pin (ownerId, createdAt, longitude, latitude, rating, category, audience, words);

                    -- The log tells of sessions that end too, to whoever holds a connection open for one.
                    CREATE TABLE newEvent (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        at INTEGER NOT NULL,
                        kind TEXT NOT NULL CHECK (kind IN (
                            'pin', 'friendAdded', 'friendRemoved', 'blockAdded', 'blockRemoved', 'requestCreated',
                            'requestAccepted', 'requestRejected', 'requestCancelled', 'profile', 'privacy', 'accountCreated',
                            'accountRemoved', 'circleJoined', 'circleLeft', 'sessionEnded')),
                        accountId INTEGER NOT NULL,
                        subjectId INTEGER,
                        audienceBefore INTEGER,
                        audienceAfter INTEGER
                    ) STRICT;
                    INSERT INTO newEvent SELECT * FROM event ORDER BY sequence;
                    DROP TABLE event;
                    ALTER TABLE newEvent RENAME TO event;
                    CREATE TRIGGER sessionEnds AFTER DELETE ON session BEGIN
                        INSERT INTO event (at, kind, accountId, subjectId)
                        VALUES (milliseconds(), 'sessionEnded', OLD.accountId, OLD.id);
                    END;

                    -- Whatever changes a pin, a cascade too, is in the log: what is remembered of pins is brought up to date by
                    -- it. `milliseconds()` is the service's clock.
                    CREATE TRIGGER pinComes AFTER INSERT ON pin BEGIN
                        INSERT INTO event (at, kind, accountId, subjectId, audienceBefore, audienceAfter)
                        VALUES (milliseconds(), 'pin', NEW.ownerId, NEW.id, NULL, NEW.audience);
                    END;
                    CREATE TRIGGER pinChanges AFTER UPDATE OF createdAt, longitude, latitude, rating, category, audience,
                        updatedAt, addressByOwner, externalId, name, comment, address ON pin BEGIN
                        INSERT INTO event (at, kind, accountId, subjectId, audienceBefore, audienceAfter)
                        VALUES (milliseconds(), 'pin', NEW.ownerId, NEW.id, OLD.audience, NEW.audience);
                    END;
                    CREATE TRIGGER pinGoes AFTER DELETE ON pin BEGIN
                        INSERT INTO event (at, kind, accountId, subjectId, audienceBefore, audienceAfter)
                        VALUES (milliseconds(), 'pin', OLD.ownerId, OLD.id, OLD.audience, NULL);
                    END;
                    -- Who comes into a circle or goes, when a friendship ends or the circle goes too.
                    DROP TRIGGER circleJoined;
                    CREATE TRIGGER circleJoined AFTER INSERT ON circleMember BEGIN
                        UPDATE account SET sightVersion = sightVersion + 1 WHERE id = NEW.memberId;
                        INSERT INTO event (at, kind, accountId, subjectId)
                        VALUES (milliseconds(), 'circleJoined', NEW.memberId, NEW.circleId);
                    END;
                    DROP TRIGGER circleLeft;
                    CREATE TRIGGER circleLeft AFTER DELETE ON circleMember BEGIN
                        UPDATE account SET sightVersion = sightVersion + 1 WHERE id = OLD.memberId;
                        INSERT INTO event (at, kind, accountId, subjectId)
                        VALUES (milliseconds(), 'circleLeft', OLD.memberId, OLD.circleId);
                    END;
                    -- Of another owner or id it would be another pin.
                    CREATE TRIGGER pinKeepsItsOwner BEFORE UPDATE OF id, ownerId ON pin
                    WHEN NEW.id <> OLD.id OR NEW.ownerId <> OLD.ownerId BEGIN
                        SELECT RAISE(ABORT, 'a pin keeps its id and its owner');
                    END;
                    """),
            Migration(
                name: "privacy settings, and requests by status",
                sql: """
                    ALTER TABLE account ADD COLUMN discoverable TEXT NOT NULL DEFAULT 'everyone'
                        CHECK (discoverable IN ('everyone', 'exact', 'nobody'));
                    ALTER TABLE account ADD COLUMN requestsFrom TEXT NOT NULL DEFAULT 'everyone'
                        CHECK (requestsFrom IN ('everyone', 'invite', 'nobody'));
                    ALTER TABLE account ADD COLUMN showsPresence INTEGER NOT NULL DEFAULT 1
                        CHECK (showsPresence IN (0, 1));
                    ALTER TABLE account ADD COLUMN sendsReceipts INTEGER NOT NULL DEFAULT 1
                        CHECK (sendsReceipts IN (0, 1));
                    ALTER TABLE account ADD COLUMN defaultAudience TEXT NOT NULL DEFAULT 'friends'
                        CHECK (defaultAudience IN ('friends', 'private'));

                    CREATE INDEX friendRequestToByStatus ON friendRequest (toId, status, id);
                    CREATE INDEX friendRequestFromByStatus ON friendRequest (fromId, status, id);
                    -- Whether two have ever had a request.
                    CREATE INDEX friendRequestByEnds ON friendRequest (fromId, toId);
                    """),
            Migration(
                name: "epoch of the log",
                sql: """
                    -- Which life of the database it is; a restore from a backup begins another.
                    INSERT INTO secret (name, value) VALUES ('epoch', randomblob(8));
                    """),
            Migration(
                name: "mail and password resets",
                sql: """
                    -- Messages that are still to be sent. None holds a secret. They belong to no account: its owner is told of
                    -- what happened to it even if it goes meanwhile; within a day each is gone.
                    CREATE TABLE mail (
                        id INTEGER PRIMARY KEY CHECK (id > 0),
                        kind TEXT NOT NULL CHECK (kind IN ('passwordReset', 'passwordChanged', 'emailChanged')),
                        recipient TEXT NOT NULL,
                        username TEXT CHECK ((username IS NULL) = (kind = 'passwordReset')),
                        language TEXT NOT NULL CHECK (language IN ('en', 'es', 'pl')),
                        createdAt INTEGER NOT NULL,
                        attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
                        dueAt INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX mailByTime ON mail (dueAt);
                    CREATE INDEX mailByRecipient ON mail (recipient, kind, id);

                    -- Who holds the token may choose a new password, once.
                    CREATE TABLE passwordReset (
                        accountId INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
                        hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
                        expiresAt INTEGER NOT NULL
                    ) STRICT;
                    """),
            Migration(
                name: "invites",
                sql: """
                    CREATE TABLE invite (
                        id INTEGER PRIMARY KEY CHECK (id > 0),
                        accountId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                        code TEXT NOT NULL UNIQUE CHECK (length(code) = 16),
                        maxUses INTEGER NOT NULL CHECK (maxUses BETWEEN 1 AND 100),
                        uses INTEGER NOT NULL DEFAULT 0 CHECK (uses BETWEEN 0 AND maxUses),
                        createdAt INTEGER NOT NULL,
                        expiresAt INTEGER NOT NULL CHECK (expiresAt > createdAt)
                    ) STRICT;
                    CREATE INDEX inviteByAccount ON invite (accountId, id);
                    CREATE INDEX inviteByExpiry ON invite (expiresAt);
                    """),
            Migration(
                name: "API tokens",
                sql: """
                    -- `scopes` are words separated by blanks. An id is never that of a session.
                    CREATE TABLE apiToken (
                        id INTEGER PRIMARY KEY CHECK (id > 0),
                        accountId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                        name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
                        scopes TEXT NOT NULL CHECK (scopes <> ''),
                        hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
                        createdAt INTEGER NOT NULL,
                        lastUsedAt INTEGER,
                        expiresAt INTEGER CHECK (expiresAt > createdAt)
                    ) STRICT;
                    CREATE INDEX apiTokenByAccount ON apiToken (accountId, id);
                    CREATE INDEX apiTokenByExpiry ON apiToken (expiresAt) WHERE expiresAt IS NOT NULL;
                    -- Told like the end of a session to whoever holds a connection open with it.
                    CREATE TRIGGER apiTokenEnds AFTER DELETE ON apiToken BEGIN
                        INSERT INTO event (at, kind, accountId, subjectId)
                        VALUES (milliseconds(), 'sessionEnded', OLD.accountId, OLD.id);
                    END;
                    """),
        ] + landmarkMigrations
}
