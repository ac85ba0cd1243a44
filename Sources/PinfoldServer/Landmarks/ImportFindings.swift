import Foundation

/// What an import found in its file, as it is stored with its job and shown: so that what was guessed can be put right.
package struct ImportFindings: Codable, Sendable, Equatable {
    /// Nil before the file was opened.
    package var format: String?
    package var referenceSystem: String?
    package var columns: [String] = []
    /// The column that each field was taken from.
    package var mapping: [String: String] = [:]
    package var warnings: [String] = []
    /// The first rows as landmarks, as JSON.
    package var sample: [String] = []

    package static let sampleSize = 20
    /// Of columns and warnings that are shown.
    static let listed = 200

    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    init(text: String) throws {
        self = try JSONDecoder().decode(ImportFindings.self, from: Data(text.utf8))
    }

    package init() {}
}
