import Foundation
import PinfoldServer
import Synchronization

/// The folder of the sources, and what the tests keep in its `.build`.
enum Checkout {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Where pictures of the pages go; CI keeps them.
    static let screenshots = folder.appending(path: ".build/screenshots")

    /// The web client as it stands in the sources.
    static let client = folder.appending(path: "Sources/PinfoldServer/Web/Client")

    /// Where `make test` has put MapLibre.
    static let mapLibre = folder.appending(path: ".build/web").path

    /// The bundled table of the categories of landmarks.
    static let landmarkCategories = folder.appending(path: "data/landmarks/categories.tsv").path

    private static let opening = Mutex(())

    /// The bundled gazetteer. What is made of it takes seconds and is kept for the next run.
    static func gazetteer() throws -> Gazetteer {
        let kept = folder.appending(path: ".build/web-tests")
        return try opening.withLock { _ in
            try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
            return try Gazetteer(
                path: kept.appending(path: "places.db").path,
                bundle: folder.appending(path: "data/gazetteer.tsv.zst").path, clock: { 0 })
        }
    }
}
