import Foundation
import Geo
import Storage

/// A house or building of an added gazetteer.
struct Address: Sendable, Hashable {
    /// How far a position may be from an address to be called by it, in metres: about a house and its garden.
    static let reach = 75.0

    let id: Int64
    let number: String
    let street: String
    let locality: String?
    let region: String?
    let postcode: String?
    let coordinate: Coordinate

    /// The line that people of a country write: the number before the street or behind it.
    func line(in country: String?) -> String { Self.line(number, street, in: country) }

    static func line(_ number: String, _ street: String, in country: String?) -> String {
        if number.isEmpty { return street }
        return numberFirst.contains(country ?? "") ? "\(number) \(street)" : "\(street) \(number)"
    }

    /// Countries whose addresses begin with the number (Universal Postal Union, S42 templates).
    private static let numberFirst = Set(
        """
        AG AU BB BD BS BW BZ CA CI DM DZ EG FJ FR GB GD GG GH GI GP GY HK IE IL IM IN JE JM JO KE KN KY LB LC LK LU MA MC \
        MQ MT MU MY NC NG NZ PF PG PH PK PM PR RE SC SG SN TH TN TT UG US VC VG VI WF YT ZA ZM ZW
        """.split(separator: " ").map(String.init))

    /// Squares of a thousandth of a degree, numbered from the south pole round by round.
    private enum Cell {
        static let side: Int64 = 10_000
        static let columns: Int64 = 3_600_000_000 / side

        static func row(_ latitude: Int64) -> Int64 { (latitude + 900_000_000) / side }
        static func column(_ longitude: Int64) -> Int64 { (longitude + 1_800_000_000) / side }
    }

    private static func cell(_ coordinate: Coordinate) -> Int64 {
        Cell.row(Int64(coordinate.latitudeE7)) * Cell.columns + Cell.column(Int64(coordinate.longitudeE7))
    }

    // MARK: Storing

    static let migration = Migration(
        name: "addresses",
        sql: """
            CREATE TABLE address (
                id INTEGER PRIMARY KEY,
                cell INTEGER NOT NULL,
                latitude INTEGER NOT NULL CHECK (latitude BETWEEN -900000000 AND 900000000),
                longitude INTEGER NOT NULL CHECK (longitude BETWEEN -1800000000 AND 1799999999),
                number TEXT NOT NULL,
                street TEXT NOT NULL,
                locality TEXT,
                region TEXT,
                postcode TEXT
            ) STRICT;
            CREATE INDEX addressByCell ON address (cell);
            """)

    /// Stores a row of an added gazetteer. Of two rows with one id the later stays.
    static func insert(_ row: GazetteerRow, _ streets: inout Street.Writer, _ write: WriteTransaction) throws {
        let coordinate = try row.coordinate(7, 8)
        let street = try streets.id(row.text(3), row.optionalText(4), row.optionalText(5), coordinate, write)
        try write.run(
            """
            INSERT OR REPLACE INTO address VALUES (
                \(row.identifier(1)), \(cell(coordinate)), \(coordinate.latitudeE7), \(coordinate.longitudeE7),
                \(row.text(2)), \(street), \(row.optionalText(6)))
            """)
    }

    // MARK: Finding

    static func any(in read: ReadTransaction) throws -> Bool { try read.exists("SELECT 1 FROM address LIMIT 1") }

    static func find(_ id: Int64, in read: ReadTransaction) throws -> Address? {
        try read.row(
            """
            SELECT address.id, address.latitude, address.longitude, address.number, street.name, street.locality,
                street.region, address.postcode
            FROM address JOIN street ON street.id = address.street WHERE address.id = \(id)
            """, Address.init)
    }

    /// The nearest address within `reach` of a position.
    static func nearest(to coordinate: Coordinate, in read: ReadTransaction) throws -> Address? {
        let box = BoundingBox(around: coordinate, metres: reach)
        var best: (id: Int64, metres: Double)?
        for row in Cell.row(Int64(box.south))...Cell.row(Int64(box.north)) {
            for longitudes in box.longitudeRanges {
                let first = row * Cell.columns + Cell.column(Int64(longitudes.lowerBound))
                let last = row * Cell.columns + Cell.column(Int64(longitudes.upperBound))
                try read.forEach(
                    "SELECT id, latitude, longitude FROM address WHERE cell BETWEEN \(first) AND \(last)"
                ) {
                    let candidate = Coordinate(
                        latitudeE7: Int32(clamping: $0.int64(1)), longitudeE7: Int32(clamping: $0.int64(2)))
                    guard box.contains(candidate) else { return true }
                    let metres = Geodesic.distance(coordinate, candidate)
                    guard metres <= reach else { return true }
                    if let best, (best.metres, best.id) <= (metres, $0.int64(0)) { return true }
                    best = ($0.int64(0), metres)
                    return true
                }
            }
        }
        return try best.flatMap { try find($0.id, in: read) }
    }

    private init(_ row: Row) {
        id = row.int64(0)
        coordinate = Coordinate(latitudeE7: Int32(clamping: row.int64(1)), longitudeE7: Int32(clamping: row.int64(2)))
        number = row.text(3)
        street = row.text(4)
        locality = row.optionalText(5)
        region = row.optionalText(6)
        postcode = row.optionalText(7)
    }
}
