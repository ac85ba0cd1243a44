import Foundation
import Geo

/// Addresses in a table of comma-separated values with a header, as OpenAddresses has them: LON, LAT, NUMBER, STREET,
/// CITY, DISTRICT, REGION, POSTCODE, ID, HASH, in any order and case; the first two and STREET must be there.
struct AddressRows {
    /// An address's id is one above this, which GeoNames's never are: 2^61.
    static let firstID: Int64 = 1 << 61
    /// The most bytes of a field.
    private static let fieldLimit = 200

    private enum Field: String, CaseIterable {
        case longitude, latitude, number, street, city, district, region, postcode, id, hash

        init?(header: String) {
            switch header.lowercased() {
            case "lon", "lng", "longitude", "x": self = .longitude
            case "lat", "latitude", "y": self = .latitude
            case "zip", "postal_code": self = .postcode
            case let name:
                guard let field = Field(rawValue: name) else { return nil }
                self = field
            }
        }
    }

    private let columns: [Field: Int]
    /// The file's name, so that the ids that it gives stay apart from those of others.
    private let source: String

    /// - Parameter header: the fields of the first row.
    /// - Returns: nil if it is no such table.
    init?(header: [String?], source: String) {
        var columns: [Field: Int] = [:]
        for (index, name) in header.enumerated() {
            guard let field = Field(header: (name ?? "").trimmingSpace), columns[field] == nil else { continue }
            columns[field] = index
        }
        guard columns[.longitude] != nil, columns[.latitude] != nil, columns[.street] != nil else { return nil }
        self.columns = columns
        self.source = source
    }

    static let header = [
        "#address", "id", "number", "street", "locality", "region", "postcode", "latitude", "longitude",
    ]

    /// Writes the address of a row.
    ///
    /// - Throws: `BadRow`, or an error of the writer.
    func write(_ row: [String?], to writer: GazetteerWriter, _ report: inout AdditionReport) throws {
        guard let longitude = degrees(row, .longitude, 180), let latitude = degrees(row, .latitude, 90),
            let point = Coordinate(latitude: latitude, longitude: longitude)
        else { throw BadRow("the position is none in degrees") }
        let street = try text(row, .street)
        guard !street.isEmpty else { throw BadRow("it has no street") }
        let number = try text(row, .number)
        let district = try text(row, .district)
        let locality = try text(row, .city)
        let region = try text(row, .region)
        let postcode = try text(row, .postcode)
        let place = locality.isEmpty ? district : locality
        try writer.row([
            "address", String(id(row, [number, street, place, region, postcode], point)), number, street, place, region,
            postcode, GazetteerWriter.degrees(point.latitudeE7), GazetteerWriter.degrees(point.longitudeE7),
        ])
        report.addresses += 1
    }

    /// The same for the same address whenever it is added: by the hash or id of the source, else by all that it says.
    private func id(_ row: [String?], _ parts: [String], _ point: Coordinate) -> Int64 {
        let key: [String]
        if let hash = value(row, .hash), !hash.isEmpty {
            key = ["hash", hash]
        } else if let id = value(row, .id), !id.isEmpty {
            key = ["id", source, id]
        } else {
            key = ["address"] + parts + [String(point.latitudeE7), String(point.longitudeE7)]
        }
        let hash = blake2b([UInt8](key.joined(separator: "\u{1F}").utf8), count: 16)
        return Self.firstID | hash.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) } & (Self.firstID - 1)
    }

    private func value(_ row: [String?], _ field: Field) -> String? {
        guard let column = columns[field], column < row.count else { return nil }
        return row[column]?.trimmingSpace
    }

    private func text(_ row: [String?], _ field: Field) throws -> String {
        let text = value(row, field) ?? ""
        guard text.utf8.count <= Self.fieldLimit else {
            throw BadRow("the \(field.rawValue) is longer than \(Self.fieldLimit) bytes")
        }
        guard !text.unicodeScalars.contains("\u{FFFD}") else { throw BadRow("the \(field.rawValue) is not UTF-8") }
        try BadRow.checkControls(text, "the \(field.rawValue)")
        return text
    }

    private func degrees(_ row: [String?], _ field: Field, _ limit: Double) -> Double? {
        value(row, field).flatMap { Double(decimal: $0) }.flatMap { abs($0) <= limit ? $0 : nil }
    }
}
