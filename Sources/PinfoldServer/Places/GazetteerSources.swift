import Foundation

/// All that `places.db` is made of: the bundled gazetteer and those that an admin has added, as one.
///
/// Rows come as from one file: countries, then divisions numbered from 1, then places, each id once. A place of an added
/// gazetteer stands for the bundled one of the same id; of several added ones the last by name counts. A division is
/// known by GeoNames's code.
struct GazetteerSources {
    let bundle: GazetteerFile
    let added: [GazetteerFile]

    /// Names the contents of all.
    ///
    /// - Throws: `GazetteerError` if a file is missing or none.
    func version() throws -> String {
        try ([bundle] + added).map { try $0.version() }.joined(separator: "+")
    }

    /// Hands each row to `body` and before each block of rows the part that was read, 0 to 1.
    ///
    /// - Throws: `GazetteerError` for a file that is damaged, or what `body` throws.
    func forEachRow(progress: (Double) -> Void, _ body: (GazetteerRow) throws -> Void) throws {
        guard !added.isEmpty else {
            try bundle.forEachRow(progress: progress, body)
            return
        }
        let share = 1 / Double(1 + added.count)
        var merge = try GazetteerMerge(added)
        try bundle.forEachRow(progress: { progress($0 * share) }) { try merge.hand($0, of: nil, body) }
        for (index, file) in added.enumerated() {
            try file.forEachRow(progress: { progress((Double(index + 1) + $0) * share) }) {
                try merge.hand($0, of: index, body)
            }
        }
    }

    /// Hands each address of the added gazetteers to `body`.
    ///
    /// - Throws: as `forEachRow`.
    func forEachAddress(_ body: (GazetteerRow) throws -> Void) throws {
        for file in added {
            try file.forEachRow(progress: { _ in }) { row in
                guard row.equals(0, "address") else { return }
                guard row.count == AddressRows.header.count else { throw row.bad("an address has other columns") }
                try body(row)
            }
        }
    }
}

/// What `GazetteerSources` keeps in mind while it goes through the files.
private struct GazetteerMerge {
    private struct Area {
        var id: String
        var name: String
        var alternates: String
        var hasBundled = false
    }

    private let files: [GazetteerFile]
    /// The ids of the places of each added file and of those behind it.
    private var ids: [PlaceIDs]
    private var countries: [String: Area] = [:]
    private var divisions: [String: Area] = [:]
    /// The numbers of the divisions as they are handed out, by code.
    private var numbers: [String: Int] = [:]
    /// The codes of each added file's own numbers.
    private var codes: [[Int: String]]
    private var handsDivisions = false
    private var handsPlaces = false

    /// Reads what is added, but for the places' names.
    init(_ files: [GazetteerFile]) throws {
        self.files = files
        ids = files.map { _ in PlaceIDs() }
        codes = files.map { _ in [:] }
        for (index, file) in files.enumerated() {
            try file.forEachRow(progress: { _ in }) { row in
                switch (row.column(0).first, row.count) {
                case (UInt8(ascii: "p"), 13) where row.equals(0, "place"):
                    let id = try row.integer(1)
                    guard id > 0, id < PlaceIDs.limit else { throw row.bad("its id is none of GeoNames") }
                    guard ids[index].insert(id) else { throw row.bad("its id comes a second time") }
                case (_, 10) where row.equals(0, "division"):
                    let code = try row.text(5)
                    codes[index][try row.integer(1)] = code
                    let area = Area(id: try row.text(7), name: try row.text(8), alternates: try row.text(9))
                    if divisions[code] == nil || !area.id.isEmpty { divisions[code] = area }
                case (_, 5) where row.equals(0, "country"):
                    let area = Area(id: try row.text(2), name: try row.text(3), alternates: try row.text(4))
                    let code = try row.text(1)
                    if countries[code] == nil || !area.id.isEmpty { countries[code] = area }
                case (_, AddressRows.header.count) where row.equals(0, "address"): break
                default: throw row.bad("it has an unknown table or another number of columns")
                }
            }
        }
        for index in ids.indices.dropLast().reversed() { ids[index].formUnion(ids[index + 1]) }
    }

    /// - Parameter file: the number of an added file, nil for the bundled one.
    mutating func hand(_ row: GazetteerRow, of file: Int?, _ body: (GazetteerRow) throws -> Void) throws {
        if row.equals(0, "place") {
            if !handsPlaces { try handDivisions(body) }
            handsPlaces = true
            guard let file else {
                if try !ids[0].contains(row.integer(1)) { try body(row) }
                return
            }
            if file + 1 < ids.count, try ids[file + 1].contains(row.integer(1)) { return }
            try handPlace(row, file, body)
        } else if file == nil {
            try handArea(row, body)
        }
    }

    private mutating func handArea(_ row: GazetteerRow, _ body: (GazetteerRow) throws -> Void) throws {
        if row.equals(0, "country") {
            countries[try row.text(1)]?.hasBundled = true
            try body(row)
            return
        }
        guard row.equals(0, "division"), row.count == 10 else { throw row.bad("it has an unknown table") }
        if !handsDivisions { try handCountries(body) }
        handsDivisions = true
        let code = try row.text(5)
        let number = try row.integer(1)
        guard number == numbers.count + 1 else { throw row.bad("the divisions are not numbered from 1") }
        numbers[code] = number
        guard let area = divisions[code] else { return try body(row) }
        divisions[code]?.hasBundled = true
        // Only its own row, by the same id, has a newer name.
        guard area.id.isEmpty == false, try row.text(7) == area.id else { return try body(row) }
        var columns = try (0..<10).map { try row.text($0) }
        columns[8] = area.name
        columns[9] = area.alternates.isEmpty ? columns[9] : area.alternates
        try hand(columns, body)
    }

    /// The countries that only added files have.
    private func handCountries(_ body: (GazetteerRow) throws -> Void) throws {
        for (code, area) in countries.sorted(by: { $0.key < $1.key }) where !area.hasBundled {
            try hand(["country", code, area.id, area.name.isEmpty ? code : area.name, area.alternates], body)
        }
    }

    /// The divisions that only added files have, those of the first order first. One without a row of its own has no
    /// name, so that there is nothing to show.
    private mutating func handDivisions(_ body: (GazetteerRow) throws -> Void) throws {
        if !handsDivisions { try handCountries(body) }
        handsDivisions = true
        let added = divisions.filter { !$0.value.hasBundled && !$0.value.name.isEmpty }
        for (code, area) in added.sorted(by: {
            ($0.key.count { $0 == "." }, $0.key) < ($1.key.count { $0 == "." }, $1.key)
        }) {
            let level = code.count { $0 == "." }
            let parent = level == 2 ? code.lastIndex(of: ".").flatMap { numbers[String(code[..<$0])] } : nil
            let number = numbers.count + 1
            numbers[code] = number
            try hand(
                [
                    "division", String(number), String(level), parent.map(String.init) ?? "", String(code.prefix(2)),
                    code, "", area.id, area.name, area.alternates,
                ], body)
        }
    }

    private func handPlace(_ row: GazetteerRow, _ file: Int, _ body: (GazetteerRow) throws -> Void) throws {
        var columns = try (0..<13).map { try row.text($0) }
        for column in [9, 10] {
            let number = try row.optionalInteger(column).flatMap { codes[file][$0] }.flatMap { numbers[$0] }
            columns[column] = number.map(String.init) ?? ""
        }
        try hand(columns, body)
    }

    private func hand(_ columns: [String], _ body: (GazetteerRow) throws -> Void) throws {
        let bytes = Array(columns.joined(separator: "\t").utf8)
        try bytes.withUnsafeBytes { try body(GazetteerRow($0, of: "an added gazetteer")) }
    }
}
