import Foundation

/// Names of columns, as people and programs write them.
package enum ColumnName {
    /// Letters and digits only, without case and marks: `Breite (°)` becomes `breite`, `addr:house-number` `addrhousenumber`.
    package static func folded(_ name: String) -> String {
        let plain = name.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        return String(plain.filter { $0.isLetter || $0.isNumber }).replacingOccurrences(of: "ł", with: "l")
            .replacingOccurrences(of: "ß", with: "ss")
    }

    /// The first of the names, in their order, that a column has.
    package static func first(of names: [String], in folded: [String]) -> Int? {
        for name in names {
            if let index = folded.firstIndex(of: name) { return index }
        }
        return nil
    }
}
