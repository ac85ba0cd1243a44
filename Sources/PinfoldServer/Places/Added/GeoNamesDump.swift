import Foundation
import Geo

/// A dump of GeoNames: 19 columns between tabs, one place a line, no header (the readme of
/// https://download.geonames.org/export/dump/). It is read twice: what places lie in comes anywhere among them.
struct GeoNamesDump {
    /// The columns that are read.
    private enum Column {
        static let id = 0, name = 1, asciiName = 2, alternateNames = 3, latitude = 4, longitude = 5, featureClass = 6
        static let featureCode = 7, country = 8, admin1 = 10, admin2 = 11, population = 14, timezone = 17
        static let count = 19
    }

    /// The longest name, in bytes.
    private static let nameLimit = 400

    private struct Division {
        var id = ""
        var name = ""
        var alternates = ""
    }

    private let classes: Set<Character>
    private let leastPopulation: Int
    private var countries: [String: Division] = [:]
    private var divisions: [String: Division] = [:]
    private var numbers: [String: Int] = [:]
    private var seen = PlaceIDs()

    /// - Parameters:
    ///   - classes: the feature classes whose rows are places; those of `A` are divisions and countries in any case.
    ///   - leastPopulation: places of class `P` with fewer people are passed over.
    init(classes: Set<Character>, leastPopulation: Int) {
        self.classes = classes
        self.leastPopulation = leastPopulation
    }

    /// Whether a line is one of a dump.
    static func isRow(_ line: UnsafeRawBufferPointer) -> Bool {
        let row = GazetteerRow(line, of: "")
        guard row.count == Column.count, let id = try? row.integer(Column.id) else { return false }
        return id > 0 && position(row) != nil && row.column(Column.featureClass).count <= 1
    }

    // MARK: First reading

    /// Takes note of what places lie in.
    mutating func survey(_ line: UnsafeRawBufferPointer) {
        let row = GazetteerRow(line, of: "")
        guard row.count == Column.count, let country = try? Self.country(row) else { return }
        if countries[country] == nil { countries[country] = Division() }
        if row.equals(Column.featureClass, "A") {
            surveyArea(row, country)
        } else if (try? isWanted(row)) == true {
            for code in Self.divisionCodes(row, country) where divisions[code] == nil { divisions[code] = Division() }
        }
    }

    private mutating func surveyArea(_ row: GazetteerRow, _ country: String) {
        guard let code = try? row.text(Column.featureCode), let id = try? Self.id(row),
            let name = try? Self.name(row, Column.name)
        else { return }
        let area = Division(
            id: String(id), name: name,
            alternates: Self.alternates((try? row.text(Column.alternateNames)) ?? "", except: [name]))
        guard (try? BadRow.checkControls(area.alternates, "")) != nil else { return }
        let codes = Self.divisionCodes(row, country)
        switch code {
        case "ADM1" where !codes.isEmpty: divisions[codes[0]] = area
        case "ADM2" where codes.count == 2:
            divisions[codes[1]] = area
            if divisions[codes[0]] == nil { divisions[codes[0]] = Division() }
        case "PCLI", "PCLD", "PCLF", "PCLS", "PCLIX", "PCL", "TERR":
            if countries[country]?.id == "" { countries[country] = area }
        default: break
        }
    }

    /// Writes what was taken note of. The divisions' numbers are of the written file alone.
    mutating func writeAreas(to writer: GazetteerWriter, _ report: inout AdditionReport) throws {
        try writer.row(["#country", "code", "id", "name", "alternateNames"])
        for (code, country) in countries.sorted(by: { $0.key < $1.key }) {
            try writer.row(["country", code, country.id, country.name, country.alternates])
        }
        try writer.row(
            ["#division", "number", "level", "parent", "country", "code", "isoCode", "id", "name", "alternateNames"])
        // Those of the first order first, so that a parent has its number.
        let codes = divisions.keys.sorted { ($0.count { $0 == "." }, $0) < ($1.count { $0 == "." }, $1) }
        for (index, code) in codes.enumerated() {
            guard let division = divisions[code] else { continue }
            numbers[code] = index + 1
            let level = code.count { $0 == "." }
            let parent = level == 2 ? numbers[String(code[..<(code.lastIndex(of: ".") ?? code.endIndex)])] : nil
            try writer.row([
                "division", String(index + 1), String(level), parent.map(String.init) ?? "", String(code.prefix(2)),
                code, "", division.id, division.name, division.alternates,
            ])
            if !division.id.isEmpty { report.divisions += 1 }
        }
        try writer.row([
            "#place", "id", "name", "asciiName", "latitude", "longitude", "population", "featureCode", "country",
            "admin1", "admin2", "timezone", "alternateNames",
        ])
    }

    // MARK: Second reading

    /// Writes the place of a line, if it is one that is wanted.
    ///
    /// - Throws: `BadRow`, or an error of the writer.
    mutating func write(
        _ line: UnsafeRawBufferPointer, to writer: GazetteerWriter, _ report: inout AdditionReport
    ) throws {
        let row = GazetteerRow(line, of: "")
        guard row.count == Column.count else { throw BadRow("it has \(row.count) columns, not \(Column.count)") }
        guard try isWanted(row) else {
            // Divisions were counted when they were written.
            if row.equals(Column.featureClass, "A") {
                for (column, what) in [(Column.name, "the name"), (Column.alternateNames, "an alternate name")] {
                    try BadRow.checkControls(Self.text(row, column, what), what)
                }
            } else {
                report.passedOver += 1
            }
            return
        }
        let id = try Self.id(row)
        let name = try Self.name(row, Column.name)
        guard let point = Self.position(row) else { throw BadRow("the position is none in degrees") }
        let country = try Self.country(row)
        let featureCode = try Self.text(row, Column.featureCode, "the feature code")
        guard featureCode.utf8.count <= 10, featureCode.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw BadRow("the feature code is none")
        }
        let zone = try Self.text(row, Column.timezone, "the time zone")
        guard !zone.isEmpty, zone.utf8.count <= 40, zone.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw BadRow("the time zone is missing or none")
        }
        let ascii = (try? Self.name(row, Column.asciiName)) ?? name
        let alternateNames = try Self.text(row, Column.alternateNames, "an alternate name")
        try BadRow.checkControls(alternateNames, "an alternate name")
        let alternates = Self.alternates(alternateNames, except: [name, ascii])
        let codes = Self.divisionCodes(row, country)
        guard seen.insert(id) else { throw BadRow("the id \(id) comes a second time") }
        func number(_ index: Int) -> String {
            codes.indices.contains(index) ? numbers[codes[index]].map(String.init) ?? "" : ""
        }
        try writer.row([
            "place", String(id), name, ascii == name ? "" : ascii, GazetteerWriter.degrees(point.latitudeE7),
            GazetteerWriter.degrees(point.longitudeE7),
            String(try Self.population(row)), featureCode, country, number(0), number(1), zone, alternates,
        ])
        report.places += 1
    }

    private func isWanted(_ row: GazetteerRow) throws -> Bool {
        let column = row.column(Column.featureClass)
        guard let byte = column.first, column.count == 1, classes.contains(Character(UnicodeScalar(byte))) else {
            return false
        }
        guard byte == UInt8(ascii: "P"), leastPopulation > 0 else { return true }
        return try Self.population(row) >= leastPopulation
    }

    // MARK: Columns

    private static func text(_ row: GazetteerRow, _ column: Int, _ what: String) throws -> String {
        guard let text = try? row.text(column) else { throw BadRow("\(what) is not UTF-8") }
        return text
    }

    private static func id(_ row: GazetteerRow) throws -> Int {
        guard let id = try? row.integer(Column.id), id > 0, id < PlaceIDs.limit else {
            throw BadRow("the id is none of GeoNames")
        }
        return id
    }

    private static func position(_ row: GazetteerRow) -> Coordinate? {
        guard let latitude = (try? row.text(Column.latitude)).flatMap({ Double(decimal: $0) }),
            let longitude = (try? row.text(Column.longitude)).flatMap({ Double(decimal: $0) })
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private static func name(_ row: GazetteerRow, _ column: Int) throws -> String {
        let name = tidy(try text(row, column, "the name"))
        try BadRow.checkControls(name, "the name")
        guard !name.isEmpty, name.utf8.count <= nameLimit else {
            throw BadRow(name.isEmpty ? "it has no name" : "the name is longer than \(nameLimit) bytes")
        }
        return name
    }

    private static func country(_ row: GazetteerRow) throws -> String {
        let column = row.column(Column.country)
        guard column.count == 2, column.allSatisfy({ $0 >= 0x41 && $0 <= 0x5A }) else {
            throw BadRow("the country is no code such as DE")
        }
        return String(decoding: column, as: UTF8.self)
    }

    private static func population(_ row: GazetteerRow) throws -> Int {
        guard let population = try? row.optionalInteger(Column.population) ?? 0, population <= 10_000_000_000 else {
            throw BadRow("the population is none")
        }
        return population
    }

    /// The codes of the divisions of the first and, if there is one, the second order: `US.MN`, `US.MN.123`.
    private static func divisionCodes(_ row: GazetteerRow, _ country: String) -> [String] {
        func code(_ column: Int) -> String? {
            guard let text = try? row.text(column), (1...30).contains(text.utf8.count),
                !text.utf8.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: ".") })
            else { return nil }
            return text
        }
        // 00 is GeoNames's word for a place of which nobody has told.
        guard let first = code(Column.admin1), first != "00" else { return [] }
        let codes = ["\(country).\(first)"]
        guard let second = code(Column.admin2) else { return codes }
        return codes + ["\(codes[0]).\(second)"]
    }

    /// Names between commas as `|` joins them, each once.
    private static func alternates(_ text: String, except taken: [String]) -> String {
        var known = Set(taken)
        return text.split(separator: ",").map { tidy(String($0)) }
            .filter { !$0.isEmpty && $0.utf8.count <= nameLimit && known.insert($0).inserted }
            .joined(separator: "|")
    }

    /// Without the sign that joins names, and without spaces around it.
    private static func tidy(_ text: String) -> String { text.replacing("|", with: " ").trimmingSpace }
}
