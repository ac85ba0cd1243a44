import Foundation

/// A bundled file of borders: areas with what they are, and the lines between them. `data/README.md` has its form.
struct BorderTable {
    /// What each area is, by its number minus 1: the columns behind the number.
    let areas: [[String]]
    /// Countries that the gazetteer lacks: code and name.
    let countries: [(code: String, name: String)]
    let index: BorderIndex

    /// - Throws: `GazetteerError` for a file that is missing or damaged.
    init(_ file: GazetteerFile) throws {
        var areas: [[String]] = []
        var countries: [(code: String, name: String)] = []
        var unit: Int?
        var builder: BorderIndexBuilder?
        try file.forEachRow(progress: { _ in }) { row in
            if row.equals(0, "arc"), row.count == 4, let unit {
                var index = builder ?? BorderIndexBuilder(areaCount: areas.count)
                builder = nil
                let (left, right) = (try row.integer(1), try row.integer(2))
                guard left <= areas.count, right <= areas.count else { throw row.bad("its area is unknown") }
                index.add(try row.line(3, unit: unit), left: left, right: right)
                builder = index
            } else if row.equals(0, "area"), row.count == 4, builder == nil {
                guard try row.integer(1) == areas.count + 1, areas.count < Int(UInt16.max) else {
                    throw row.bad("the areas are not numbered from 1")
                }
                areas.append([try row.text(2), try row.text(3)])
            } else if row.equals(0, "country"), row.count == 3 {
                countries.append((try row.text(1), try row.text(2)))
            } else if row.equals(0, "unit"), row.count == 2 {
                unit = max(1, try row.integer(1))
            } else {
                throw row.bad("it has an unknown table or another number of columns")
            }
        }
        self.areas = areas
        self.countries = countries
        index = try (builder ?? BorderIndexBuilder(areaCount: areas.count)).finish()
    }
}

extension GazetteerRow {
    /// A line in a column of whole numbers with spaces between them: longitude and latitude of its start, then the steps,
    /// in `unit` times 1e-7 degree.
    func line(_ index: Int, unit: Int) throws -> [BorderIndex.Vertex] {
        var points: [BorderIndex.Vertex] = []
        var (x, y) = (0, 0)
        var pending: Int?
        var (value, isNegative, hasDigits) = (0, false, false)
        func end() throws {
            guard hasDigits else { throw bad("a number is missing") }
            let step = isNegative ? -value : value
            if let first = pending {
                x += first
                y += step
                guard abs(x) * unit <= 1_800_000_000, abs(y) * unit <= 900_000_000 else {
                    throw bad("a position is not one")
                }
                points.append(BorderIndex.Vertex(x: Int32(x * unit), y: Int32(y * unit)))
                pending = nil
            } else {
                pending = step
            }
            (value, isNegative, hasDigits) = (0, false, false)
        }
        for byte in column(index) {
            switch byte {
            case UInt8(ascii: " "): try end()
            case UInt8(ascii: "-") where !hasDigits && !isNegative: isNegative = true
            case 0x30...0x39 where value < 1_000_000_000:
                value = value * 10 + Int(byte - 0x30)
                hasDigits = true
            default: throw bad("a number is not one")
            }
        }
        try end()
        guard pending == nil, points.count >= 2 else { throw bad("a line has no two points") }
        return points
    }
}
