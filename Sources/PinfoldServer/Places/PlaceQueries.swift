import Geo
import Storage

extension Place {
    /// The place with GeoNames's id, its divisions and country.
    static func find(_ id: Int64, in read: ReadTransaction) throws -> Place? {
        try read.row(
            """
            SELECT place.name, place.latitude, place.longitude, place.population, place.featureCode, place.timezone,
                place.alternateNames, place.country, country.id, country.name,
                first.id, first.name, first.code, second.id, second.name, second.code
            FROM place
            LEFT JOIN country ON country.code = place.country
            LEFT JOIN division AS first ON first.number = place.admin1
            LEFT JOIN division AS second ON second.number = place.admin2
            WHERE place.id = \(id)
            """
        ) { row in
            var parents: [Parent] = []
            if let name = row.optionalText(14) {
                parents.append(Parent(kind: .admin2, id: row.optionalInt64(13), name: name, code: row.text(15)))
            }
            if let name = row.optionalText(11) {
                parents.append(Parent(kind: .admin1, id: row.optionalInt64(10), name: name, code: row.text(12)))
            }
            if let name = row.optionalText(9) {
                parents.append(Parent(kind: .country, id: row.optionalInt64(8), name: name, code: row.text(7)))
            }
            return Place(
                id: id, name: row.text(0),
                coordinate: Coordinate(
                    latitudeE7: Int32(clamping: row.int64(1)), longitudeE7: Int32(clamping: row.int64(2))),
                population: row.int64(3), featureCode: row.optionalText(4), timezone: row.text(5),
                alternateNames: row.text(6).split(separator: "|").map(String.init), parents: parents)
        }
    }
}
