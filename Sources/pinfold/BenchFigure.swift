import Foundation

/// One measured figure and what it is held against.
struct Figure: Encodable {
    enum Goal {
        /// The ratio to the reference, or the value itself where there is no reference in the goal, at most this.
        case ratioAtMost(Double)
        case ratioAtLeast(Double)
        case ratioAbove(Double)
        case atMost(Double)
        case atLeast(Double)
        case below(Double)
    }

    let name: String
    let value: Double
    let unit: String
    var reference: String?
    var referenceValue: Double?
    var goal: Goal?

    var ratio: Double? {
        guard let referenceValue, referenceValue > 0 else { return nil }
        return value / referenceValue
    }

    /// Nil without a goal.
    var holds: Bool? {
        switch goal {
        case nil: nil
        case .ratioAtMost(let limit): ratio.map { $0 <= limit } ?? false
        case .ratioAtLeast(let limit): ratio.map { $0 >= limit } ?? false
        case .ratioAbove(let limit): ratio.map { $0 > limit } ?? false
        case .atMost(let limit): value <= limit
        case .atLeast(let limit): value >= limit
        case .below(let limit): value < limit
        }
    }

    private var goalText: String? {
        switch goal {
        case nil: nil
        case .ratioAtMost(let limit): "<= \(Self.shown(limit)) x"
        case .ratioAtLeast(let limit): ">= \(Self.shown(limit)) x"
        case .ratioAbove(let limit): "> \(Self.shown(limit)) x"
        case .atMost(let limit): "<= \(Self.shown(limit)) \(unit)"
        case .atLeast(let limit): ">= \(Self.shown(limit)) \(unit)"
        case .below(let limit): "< \(Self.shown(limit)) \(unit)"
        }
    }

    private enum CodingKeys: CodingKey {
        case name, value, unit, reference, referenceValue, ratio, goal, holds
    }

    func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: CodingKeys.self)
        try row.encode(name, forKey: .name)
        try row.encode(value, forKey: .value)
        try row.encode(unit, forKey: .unit)
        try row.encode(reference, forKey: .reference)
        try row.encode(referenceValue, forKey: .referenceValue)
        try row.encode(ratio, forKey: .ratio)
        try row.encode(goalText, forKey: .goal)
        try row.encode(holds, forKey: .holds)
    }

    static func save(_ figures: [Figure], to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(figures)
        guard FileManager.default.createFile(atPath: path, contents: json) else {
            throw CommandFailure("\(path) cannot be written")
        }
    }

    static func printTable(_ figures: [Figure], title: String) {
        var rows = [["", "value", "reference", "ratio", "goal", "holds"]]
        for figure in figures {
            let reference = figure.referenceValue.map { value in
                "\(shown(value)) \(figure.unit) (\(figure.reference ?? ""))"
            }
            let verdict =
                switch figure.holds {
                case nil: ""
                case true?: "yes"
                case false?: "NO, MISSED"
                }
            rows.append([
                figure.name, "\(shown(figure.value)) \(figure.unit)", reference ?? "",
                figure.ratio.map { shown($0) } ?? "", figure.goalText ?? "", verdict,
            ])
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        print("\n\(title)")
        for row in rows {
            let cells = zip(row, widths).map { cell, width in cell.padding(toLength: width, withPad: " ", startingAt: 0)
            }
            let line = cells.joined(separator: "  ")
            print("  " + String(line.reversed().drop { $0 == " " }.reversed()))
        }
        fflush(nil)
    }

    /// Three significant digits.
    static func shown(_ value: Double) -> String {
        let magnitude = abs(value)
        let digits = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3
        return String(format: "%.\(digits)f", value)
    }
}

/// The middle value, which one disturbed round does not move.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.last else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + (middle == 0 ? last : sorted[middle])) / 2
}
