import Foundation

@testable import PinfoldServer

/// A data folder with the small gazetteer, to which others are added.
enum AddedFolder {
    static func with(_ body: (_ folder: String, _ added: AddedGazetteers) throws -> Void) throws {
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try SmallGazetteer.write(to: folder)
        try body(folder, AddedGazetteers(beside: folder + "/places.db"))
    }

    static func open(_ folder: String) throws -> Gazetteer {
        try Gazetteer(path: folder + "/places.db", bundle: folder + "/gazetteer.tsv.zst", clock: { 0 })
    }

    /// Writes a file into the folder and returns its path.
    static func write(_ name: String, _ bytes: some Sequence<UInt8>, _ folder: String) throws -> String {
        let path = folder + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }
}

/// Rows of a dump of GeoNames.
enum Dump {
    static func row(
        _ id: Int, _ name: String, _ latitude: Double = 0, _ longitude: Double = 0, kind: String = "P.PPL",
        country: String = "XT", admin1: String = "", admin2: String = "", population: Int = 0,
        zone: String = "Etc/UTC", alternates: String = ""
    ) -> String {
        let kind = kind.split(separator: ".")
        return [
            String(id), name, name, alternates, String(latitude), String(longitude), String(kind[0]), String(kind[1]),
            country, "", admin1, admin2, "", "", String(population), "", "0", zone, "2026-11-30",
        ].joined(separator: "\t")
    }
}
