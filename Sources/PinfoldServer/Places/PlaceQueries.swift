import Geo
import Storage

extension Place {
    /// The place, division or country with GeoNames's id, and what it lies in.
    static func find(_ id: Int64, in read: ReadTransaction) throws -> Place? {
        let localNames = try read.rows("SELECT language, name FROM localName WHERE id = \(id) ORDER BY language") {
            LocalName(language: $0.text(0), name: $0.text(1))
        }
        return try populatedPlace(id, localNames, in: read) ?? division(id, localNames, in: read)
            ?? country(id, localNames, in: read)
    }

    private static func populatedPlace(
        _ id: Int64, _ localNames: [LocalName], in read: ReadTransaction
    ) throws -> Place? {
        let found = try read.row(
            """
            SELECT name, latitude, longitude, population, featureCode, timezone, alternateNames, country, admin1, admin2
            FROM place
            WHERE id = \(id)
            """
        ) { row in
            (
                place: Place(
                    id: id, name: row.text(0), mainName: row.text(0),
                    coordinate: Coordinate(
                        latitudeE7: Int32(clamping: row.int64(1)), longitudeE7: Int32(clamping: row.int64(2))),
                    population: row.int64(3), featureCode: row.optionalText(4), timezone: row.text(5),
                    localNames: localNames, alternateNames: names(row.optionalText(6)), parents: []),
                country: row.text(7), divisions: [row.optionalInt64(9), row.optionalInt64(8)]
            )
        }
        guard let found else { return nil }
        var place = found.place
        place.parents = try parents(found.country, found.divisions, in: read)
        return place
    }

    private static func division(_ id: Int64, _ localNames: [LocalName], in read: ReadTransaction) throws -> Place? {
        let found = try read.row(
            "SELECT level, name, alternateNames, country, parent FROM division WHERE id = \(id)"
        ) { row in
            (
                place: area(id, row.text(1), row.optionalText(2), row.int(0) == 1 ? "ADM1" : "ADM2", localNames),
                country: row.text(3), parent: row.optionalInt64(4)
            )
        }
        guard let found else { return nil }
        var place = found.place
        place.parents = try parents(found.country, [found.parent], in: read)
        return place
    }

    private static func country(_ id: Int64, _ localNames: [LocalName], in read: ReadTransaction) throws -> Place? {
        try read.row("SELECT name, alternateNames FROM country WHERE id = \(id)") { row in
            area(id, row.text(0), row.optionalText(1), "PCLI", localNames)
        }
    }

    private static func area(
        _ id: Int64, _ name: String, _ alternates: String?, _ featureCode: String, _ localNames: [LocalName]
    ) -> Place {
        Place(
            id: id, name: name, mainName: name, coordinate: nil, population: 0, featureCode: featureCode,
            timezone: nil, localNames: localNames, alternateNames: names(alternates), parents: [])
    }

    /// The divisions by number, and the country behind them.
    private static func parents(
        _ country: String, _ divisions: [Int64?], in read: ReadTransaction
    ) throws -> [Parent] {
        var parents = try divisions.compactMap(\.self).compactMap { number in
            try read.row("SELECT level, id, name, code FROM division WHERE number = \(number)") {
                Parent(
                    kind: $0.int(0) == 1 ? .admin1 : .admin2, id: $0.optionalInt64(1), name: $0.text(2),
                    code: $0.text(3), number: Int(number))
            }
        }
        let last = try read.row("SELECT id, name FROM country WHERE code = \(country)") {
            Parent(kind: .country, id: $0.optionalInt64(0), name: $0.text(1), code: country, number: nil)
        }
        if let last { parents.append(last) }
        return parents
    }

    private static func names(_ joined: String?) -> [String] {
        (joined ?? "").split(separator: "|").map(String.init)
    }
}
