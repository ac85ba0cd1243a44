import Geo
import Storage

/// A street of an added gazetteer, by the addresses on it.
struct Street: Sendable, Hashable {
    /// 2^60, above which a street's id is; those of addresses are above `AddressRows.firstID`.
    static let firstID: Int64 = 1 << 60
    /// What stands for a feature code of a street.
    static let featureCode = "street"

    let id: Int64
    let name: String
    let locality: String?
    let region: String?
    /// Of one of its addresses.
    let coordinate: Coordinate

    /// The same for the same street whenever it is added.
    static func id(_ name: String, _ locality: String?, _ region: String?) -> Int64 {
        let key = ["street", name, locality ?? "", region ?? ""].joined(separator: "\u{1F}")
        let hash = blake2b([UInt8](key.utf8), count: 16)
        return firstID | hash.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) } & (firstID - 1)
    }

    // MARK: Storing

    static let migration = Migration(
        name: "streets",
        sql: """
            DROP TABLE address;
            CREATE TABLE street (
                id INTEGER PRIMARY KEY,
                name TEXT NOT NULL,
                locality TEXT,
                region TEXT,
                latitude INTEGER NOT NULL CHECK (latitude BETWEEN -900000000 AND 900000000),
                longitude INTEGER NOT NULL CHECK (longitude BETWEEN -1800000000 AND 1799999999)
            ) STRICT;
            -- What a street is found by: folded, without spaces, from some word of its name on.
            CREATE TABLE streetForm (
                form TEXT NOT NULL,
                locality TEXT NOT NULL,
                street INTEGER NOT NULL REFERENCES street(id),
                isInner INTEGER NOT NULL CHECK (isInner IN (0, 1)),
                latitude INTEGER NOT NULL,
                longitude INTEGER NOT NULL,
                PRIMARY KEY (form, locality, street)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE address (
                id INTEGER PRIMARY KEY,
                cell INTEGER NOT NULL,
                latitude INTEGER NOT NULL CHECK (latitude BETWEEN -900000000 AND 900000000),
                longitude INTEGER NOT NULL CHECK (longitude BETWEEN -1800000000 AND 1799999999),
                number TEXT NOT NULL,
                street INTEGER NOT NULL REFERENCES street(id),
                postcode TEXT
            ) STRICT;
            CREATE INDEX addressByCell ON address (cell);
            """)

    /// Stores the streets of addresses, each once.
    struct Writer {
        /// Those that were stored lately; a street's addresses mostly come together.
        private var known: Set<Int64> = []
        private static let knownLimit = 500_000
        private let folding: PlaceFolding

        init(_ folding: PlaceFolding) {
            self.folding = folding
        }

        /// Stores the street of an address unless it is stored, and returns its id.
        mutating func id(
            _ name: String, _ locality: String?, _ region: String?, _ coordinate: Coordinate, _ write: WriteTransaction
        ) throws -> Int64 {
            let id = Street.id(name, locality, region)
            guard !known.contains(id) else { return id }
            if known.count >= Self.knownLimit { known.removeAll() }
            known.insert(id)
            let isNew = try write.run(
                """
                INSERT INTO street VALUES (
                    \(id), \(name), \(locality), \(region), \(coordinate.latitudeE7), \(coordinate.longitudeE7))
                ON CONFLICT DO NOTHING
                """)
            guard isNew > 0 else { return id }
            let place = String(decoding: folding.words((locality ?? "").unicodeScalars).words.bytes, as: UTF8.self)
            for form in StreetForms(folding.words(name.unicodeScalars).words).all {
                try write.run(
                    """
                    INSERT INTO streetForm VALUES (
                        \(form.text), \(place), \(id), \(form.isInner), \(coordinate.latitudeE7),
                        \(coordinate.longitudeE7))
                    ON CONFLICT DO NOTHING
                    """)
            }
            return id
        }
    }

    /// For looking up numbers, after all addresses are stored.
    static func indexNumbers(_ write: WriteTransaction) throws {
        try write.run("CREATE INDEX addressByStreet ON address (street, number COLLATE NOCASE)")
    }

    // MARK: Finding

    static func find(_ id: Int64, in read: ReadTransaction) throws -> Street? {
        try read.row(
            "SELECT id, name, locality, region, latitude, longitude FROM street WHERE id = \(id)", Street.init)
    }

    private init(_ row: Row) {
        id = row.int64(0)
        name = row.text(1)
        locality = row.optionalText(2)
        region = row.optionalText(3)
        coordinate = Coordinate(latitudeE7: Int32(clamping: row.int64(4)), longitudeE7: Int32(clamping: row.int64(5)))
    }
}

/// The forms in which a street's name is kept and looked for: folded, without spaces.
struct StreetForms {
    private let words: PlaceFolding.Words

    init(_ words: PlaceFolding.Words) {
        self.words = words
    }

    /// As it is written and with abbreviations in full, from each word on.
    var all: [(text: String, isInner: Bool)] {
        var forms: [(text: String, isInner: Bool)] = []
        for start in 0..<words.count {
            for form in Self.texts(words, start..<words.count) where !forms.contains(where: { $0.text == form }) {
                // The last word alone is mostly what half of all streets end in.
                if start == 0 || start < words.count - 1 { forms.append((form, start > 0)) }
            }
        }
        return forms
    }

    /// Some words as they are, and with abbreviations in full, the last one among them or not.
    static func texts(_ words: PlaceFolding.Words, _ range: Range<Int>) -> [String] {
        let plain = range.map { String(decoding: words[$0], as: UTF8.self) }
        var full = plain
        for index in full.indices { full[index] = unabbreviated(plain[index], isFirst: range.lowerBound + index == 0) }
        var texts: [String] = []
        for parts in [plain, Array(full.dropLast()) + plain.suffix(1), full] where !texts.contains(parts.joined()) {
            texts.append(parts.joined())
        }
        return texts
    }

    private static func unabbreviated(_ word: String, isFirst: Bool) -> String {
        if let full = directions[word] { return full }
        // Hauptstr.; a street that is called St. James begins with a saint.
        if word.hasSuffix("str"), word.utf8.count > 3 { return word + "asse" }
        return isFirst ? word : kinds[word] ?? word
    }

    private static let directions = [
        "n": "north", "s": "south", "e": "east", "w": "west", "ne": "northeast", "nw": "northwest", "se": "southeast",
        "sw": "southwest",
    ]
    private static let kinds = [
        "st": "street", "ave": "avenue", "av": "avenue", "rd": "road", "blvd": "boulevard", "bd": "boulevard",
        "dr": "drive", "ln": "lane", "ct": "court", "pl": "place", "sq": "square", "hwy": "highway", "pkwy": "parkway",
        "ter": "terrace", "cir": "circle", "trl": "trail", "str": "strasse",
    ]
}
