import Geo

/// The places of a CSV file with a header row: one of this service, of a spreadsheet, or a saved list of Google Takeout.
///
/// Takeout's columns are `Title,Note,URL,Tags,Comment` (older lists have no `Tags`), in the language of the account; only
/// `URL` is the same in all of them. A description of the list may stand before the header.
struct CSVImport {
    private var columns: [ImportedField?]
    private let hasDecimalCommas: Bool
    private let isTakeout: Bool

    /// - Throws: `ImportFault`.
    static func read(_ text: [UInt8], at now: Int64) throws -> (format: ImportFormat, rows: [ImportedRow]) {
        guard String(validating: text, as: UTF8.self) != nil else {
            throw ImportFault("is neither UTF-8 nor UTF-16 text; save it as UTF-8")
        }
        let (header, start) = try header(of: text)
        var rows = ImportedRows()
        var number = start.row
        for record in start.records {
            number += 1
            if record.allSatisfy({ $0?.trimmingSpace.isEmpty ?? true }) { continue }
            try rows.append(header.place(record).row(number, at: now))
        }
        return (header.isTakeout ? .takeout : .csv, rows.all)
    }

    // MARK: The header

    private static let linesAhead = 10

    /// The first of the first records that is a header; what follows it, and its own number.
    private static func header(of text: [UInt8]) throws -> (CSVImport, start: (records: CSVRecords, row: Int)) {
        for delimiter in [CSVRecords.delimiter(of: text), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")] {
            var records = CSVRecords(text, delimiter: delimiter)
            for row in 1...linesAhead {
                guard let record = records.next() else { break }
                if let header = CSVImport(header: record.map { $0 ?? "" }, delimiter: delimiter) {
                    return (header, (records, row))
                }
            }
        }
        throw ImportFault(
            "is none of the formats that are read here: GeoJSON, GPX, KML, check-ins of Swarm, Google Takeout, or CSV "
                + "with columns such as name, latitude and longitude")
    }

    private init?(header: [String], delimiter: UInt8) {
        guard header.count >= 2 else { return nil }
        columns = header.map(ImportedField.init(header:))
        hasDecimalCommas = delimiter != UInt8(ascii: ",")
        // A column that comes twice counts once.
        var seen: Set<ImportedField> = []
        columns = columns.map { field in
            guard let field, field == .comment || seen.insert(field).inserted else { return nil }
            return field
        }
        let isPlaced = seen.isSuperset(of: [.latitude, .longitude])
        isTakeout = !isPlaced && (3...5).contains(header.count) && header[2].trimmingSpace == "URL"
        if isTakeout {
            columns = [.name, .comment, .link, .category, .comment]
            if header.count == 4 { columns = [.name, .comment, .link, .comment] }
        }
        guard isPlaced || seen.contains(.link) || isTakeout else { return nil }
    }

    // MARK: A row

    private func place(_ record: [String?]) -> ImportedPlace {
        var place = ImportedPlace()
        // Only this service says who wrote the address.
        place.isExact = columns.contains(.addressSource)
        var latitude: String?
        var longitude: String?
        var link: String?
        var addressSource: String?
        for case (let field?, let text?) in zip(columns, record) {
            switch field {
            case .latitude: latitude = text.trimmingSpace
            case .longitude: longitude = text.trimmingSpace
            case .link: link = text.trimmingSpace
            case .addressSource: addressSource = text
            default: place.set(field, place.isExact ? SpreadsheetText.unguarded(text) : text)
            }
        }
        if place.isExact, addressSource != "owner" { place.address = nil }
        if let link, !link.isEmpty, place.externalId == nil, place.id == nil { place.externalId = link }
        place.position = position(latitude, longitude, link)
        return place
    }

    private func position(_ latitude: String?, _ longitude: String?, _ link: String?) -> ImportedPlace.Position {
        if latitude?.isEmpty ?? true, longitude?.isEmpty ?? true {
            if let link, let (latitude, longitude) = MapsLink.coordinate(in: link) {
                return .at(latitude: latitude, longitude: longitude)
            }
            return .unknown(reason: link == nil ? "has no coordinates" : "its link carries no coordinates")
        }
        guard let north = number(latitude) else {
            return .faulty(field: "latitude", message: "must be a number from -90 to 90")
        }
        guard let east = number(longitude) else {
            return .faulty(field: "longitude", message: "must be a number from -180 to 180")
        }
        return .at(latitude: north, longitude: east)
    }

    private func number(_ text: String?) -> Double? {
        guard var text else { return nil }
        if hasDecimalCommas { text = text.replacing(",", with: ".") }
        return Double(decimal: text)
    }
}
