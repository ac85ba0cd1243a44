import FeatureFiles
import Foundation

/// What an import is asked to do, as it is stored with its job.
package struct ImportRequest: Codable, Sendable, Equatable {
    package enum Mode: String, Codable, CaseIterable, Sendable {
        /// What the file does not have is removed.
        case replace
        case merge
    }

    /// The dataset's name, see `DatasetHead.isName`.
    package var dataset: String
    /// As the file is called where it came from.
    package var fileName: String
    package var format: String?
    /// The reference system of the coordinates, instead of the file's own: `EPSG:2154`.
    package var referenceSystem: String?
    /// The column of a field, instead of the one found by its name.
    package var mapping: [String: String] = [:]
    /// The column that a row is known by.
    package var key: String?
    /// The table or layer, where the file has several.
    package var layer: String?
    /// Landmark categories by the source's own, ahead of the bundled table.
    package var categories: [String: String] = [:]
    package var mode = Mode.replace
    /// Whether a row that cannot be used fails the import.
    package var isStrict = false
    /// The part of the dataset that may be removed, 0 to 1.
    package var mostRemoved = 0.2
    /// Whether more than that may.
    package var isForced = false
    package var isDryRun = false
    // Of the dataset, where they are given.
    package var title: String?
    package var licence: String?
    package var attribution: String?
    package var sourceURL: String?
    package var description: String?

    package init(dataset: String, fileName: String) {
        self.dataset = dataset
        self.fileName = fileName
    }

    /// As JSON.
    package var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// - Throws: `DecodingError` for what `text` did not make.
    init(text: String) throws {
        self = try JSONDecoder().decode(ImportRequest.self, from: Data(text.utf8))
    }
}
