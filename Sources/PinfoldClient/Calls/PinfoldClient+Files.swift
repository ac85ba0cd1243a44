import Foundation
import SocialModel

extension PinfoldClient {
    /// Imports a file of places, of at most 16 MiB and 10,000 places: GeoJSON, GPX, KML, CSV, Google Takeout, Swarm.
    /// Not repeated by itself; importing a file again changes nothing.
    public func importPins(from file: URL, _ options: ImportOptions = ImportOptions()) async throws -> ImportReport {
        var call = importCall(options)
        call.body = .file(file, mediaType: "application/octet-stream")
        return try await value(call)
    }

    /// As `importPins(from:)`, of a file in memory.
    public func importPins(_ content: Data, _ options: ImportOptions = ImportOptions()) async throws -> ImportReport {
        var call = importCall(options)
        call.body = .data(content, mediaType: "application/octet-stream")
        return try await value(call)
    }

    private func importCall(_ options: ImportOptions) -> Call {
        Call(.post, "/v1/pins/import").query("format", options.format)
            .query("dryRun", options.isDryRun ? "true" : nil).query("category", options.category?.rawValue)
            .query("audience", options.audience?.kind.rawValue)
            .query("circleId", options.audience?.circle?.description)
    }

    /// Writes all of one's own pins to a file, which is replaced.
    ///
    /// - Throws: `PinfoldError` 429 if two files are on their way already.
    public func exportPins(as format: PinFileFormat, to file: URL) async throws {
        try await download(Call(.get, "/v1/me/pins.\(format.rawValue)"), to: file)
    }

    /// Writes everything of one's own to a ZIP file, which is replaced.
    public func exportEverything(password: String, to file: URL) async throws {
        try await download(try Call(.post, "/v1/me/export").sending(["password": password]).repeatable, to: file)
    }
}
