import Geo
import HTTP
import SocialModel
import Storage

/// Bringing one's places along from elsewhere.
extension PinRoutes {
    /// Bytes of a file.
    static let importBytes = 16 << 20
    /// Rows of one transaction: the writer is busy for some milliseconds at most.
    private static let importChunk = 250

    /// On the pool: reading a file, naming its places and storing them takes a while. Nothing is stored twice, so a file
    /// whose import was cut short is simply imported again.
    static func importFile(_ request: Request, _ app: App) throws -> Response {
        let (viewer, circles) = try app.database.read { read in
            let viewer = try app.viewer(of: request, in: read)
            return (viewer, try Circle.ids(of: viewer.id, in: read))
        }
        let options = try ImportOptions(request, circles: circles)
        return try app.importSlots.run { .json(try report(options, viewer, request, app)) }
    }

    private static func report(
        _ options: ImportOptions, _ viewer: Viewer, _ request: Request, _ app: App
    ) throws -> ImportReport {
        let file: ImportedFile
        do {
            file = try ImportedFile(parsing: request.body, as: options.format, at: app.clock())
        } catch let fault as ImportFault { throw HTTPError.badRequest("body", fault.message) }

        var report = ImportReport(format: file.format)
        let pins = report.pins(of: file.rows)
        for start in stride(from: 0, to: pins.count, by: importChunk) {
            let chunk = pins[start..<min(start + importChunk, pins.count)]
            let results =
                options.isDryRun
                ? try outcomes(of: chunk, options, viewer, app)
                : try stored(chunk, options, viewer, request, app)
            for (pin, result) in zip(chunk, results) { report.count(result, of: pin) }
        }
        return report
    }

    private static func outcomes(
        of pins: ArraySlice<ImportedPin>, _ options: ImportOptions, _ viewer: Viewer, _ app: App
    ) throws -> [ImportReport.Result] {
        try app.database.read { read in
            try pins.map { pin in
                try result { try options.upsert(pin, of: viewer, app).outcome(of: viewer, in: read, app) }
            }
        }
    }

    private static func stored(
        _ pins: ArraySlice<ImportedPin>, _ options: ImportOptions, _ viewer: Viewer, _ request: Request, _ app: App
    ) throws -> [ImportReport.Result] {
        let upserts = try pins.map { try options.upsert($0, of: viewer, app) }
        let prepared = try app.database.read { read in
            try upserts.map { upsert in
                var upsert = upsert
                // What is wrong with it, the writer says as well.
                do { try upsert.prepare(of: viewer, in: read, app) } catch is HTTPError {}
                return upsert
            }
        }
        return try app.database.write { write in
            // Whose session has ended stores no more.
            let viewer = try app.viewer(of: request, in: write)
            let owner = try PinOwner(viewer.id, in: write)
            return try prepared.map { upsert in
                try result { try upsert.store(by: viewer, owner, in: write, app).outcome }
            }
        }
    }

    private static func result(_ step: () throws -> PinUpsert.Outcome) throws -> ImportReport.Result {
        do {
            return .success(try step())
        } catch let error as HTTPError where error.status == 400 && !error.faults.isEmpty {
            return .failure(ImportReport.Fault(error.faults[0]))
        }
    }
}
