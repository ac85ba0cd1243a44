import Foundation
import HTTP
import SocialModel
import Storage

/// Imports of landmark datasets, for admins and curators. To everybody else they do not exist.
enum ImportRoutes {
    /// Bytes of a file.
    static let fileBytes = 4 << 30

    /// Lets a file in only from whom it may come, ahead of its first byte.
    static func upload(_ app: App) -> Route.Upload {
        let app = app.needing(.import)
        return Route.Upload(folder: app.imports.folder) { request in
            try app.site.requireOwnPage(request)
            _ = try app.database.read { try app.curator(of: request, in: $0) }
        }
    }

    /// On the pool: a form's file is copied out of it.
    static func create(_ request: Request, _ app: App) throws -> Response {
        _ = try app.database.read { try app.curator(of: request, in: $0) }
        let (order, file) = try app.order(from: request)
        let key = try IdempotencyKey(request, body: Array(order.text.utf8) + file.digest())
        let id = try app.database.write { Identifier<ImportJob>($0.newIdentifier()) }
        let bytes = Int64(file.count)
        try file.keep(as: app.imports.path(of: id))
        do {
            let (response, isNew) = try app.database.write { write in
                let viewer = try app.curator(of: request, in: write)
                func create() throws -> Response {
                    try ImportJob.create(order, id: id, bytes: bytes, by: viewer.id, in: write)
                    guard let job = try ImportJob.find(id, in: write) else { throw HTTPError.notFound }
                    return .json(job, status: 202, location: "/v1/admin/imports/\(id)")
                }
                let response = try key?.answer(for: viewer, in: write, create) ?? create()
                return (response, try ImportJob.find(id, in: write) != nil)
            }
            // What was asked for before has its file.
            if !isNew { unlink(app.imports.path(of: id)) }
            app.imports.wake()
            return response
        } catch {
            unlink(app.imports.path(of: id))
            throw error
        }
    }

    static func list(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        _ = try app.curator(of: request, in: read)
        var query = try QueryFields(request)
        let page = Page(&query)
        try query.finish()

        let last = try app.identifier(before: page.cursor, of: "imports")
        let found = try ImportJob.all(to: last, limit: page.limit + 1, in: read)
        return .json(app.page(found.map { ($0, key: $0.id.description) }, limit: page.limit, "imports"))
    }

    static func show(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        _ = try app.curator(of: request, in: read)
        try request.refuseQuery()
        return .json(try job(of: request, in: read))
    }

    static func errors(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        _ = try app.curator(of: request, in: read)
        var query = try QueryFields(request)
        let page = Page(&query)
        try query.finish()

        let id = try job(of: request, in: read).id
        let list = "import errors \(id)"
        let after = try app.name(after: page.cursor, of: list)
        let found = try ImportJob.faults(of: id, from: (Int64(after) ?? 0) + 1, limit: page.limit + 1, in: read)
        return .json(app.page(found.map { ($0.fault, key: String($0.ordinal)) }, limit: page.limit, list))
    }

    static func cancel(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try viewer.requireCurator()
        try request.refuseInput()
        let id: Identifier<ImportJob> = try request.identifier("importId")
        return Write { write, viewer in
            try viewer.requireCurator()
            guard let job = try ImportJob.find(id, in: write) else { throw HTTPError.notFound }
            switch job.state {
            case .succeeded, .failed:
                throw HTTPError.conflict("already-finished", "The import has ended already")
            case .cancelled: break
            // The worker sees it at its next look.
            case .queued, .running: try ImportJob.cancel(id, by: viewer.id, in: write)
            }
            return .noContent
        }
    }

    private static func job(of request: Request, in read: some Transaction) throws -> ImportJob {
        guard let job = try ImportJob.find(try request.identifier("importId"), in: read) else {
            throw HTTPError.notFound
        }
        return job
    }
}

extension App {
    /// The viewer, who may import.
    ///
    /// - Throws: `HTTPError` 401 for nobody, 404 for others.
    func curator(of request: Request, in transaction: some Transaction) throws -> Viewer {
        let viewer = try viewer(of: request, in: transaction)
        try viewer.requireCurator()
        return viewer
    }

    /// The viewer, who is an admin.
    ///
    /// - Throws: `HTTPError` 401 for nobody, 404 for others.
    func admin(of request: Request, in transaction: some Transaction) throws -> Viewer {
        let viewer = try viewer(of: request, in: transaction)
        try viewer.requireAdmin()
        return viewer
    }

    /// What is to be imported: a form, a body with its options in the query, or the file of an earlier import.
    fileprivate func order(from request: Request) throws -> (ImportRequest, UploadedFile) {
        var query = try QueryFields(request)
        var fields = query.takeAll()
        let body = try request.upload ?? Self.file(of: request, in: imports.folder)
        let type = request.header("Content-Type") ?? ""
        if type.lowercased().hasPrefix("multipart/form-data") {
            let form = try MultipartFile(body, contentType: type)
            guard let file = form.file else { throw HTTPError.badRequest("file", "is required") }
            guard file.name == "file" else { throw HTTPError.badRequest(file.name, "is not a known parameter") }
            let order = try ImportRequest(fields: fields + form.fields, fileName: file.fileName)
            return (order, try body.extract(file.range, folder: imports.folder))
        }
        guard let source = fields.firstIndex(where: { $0.name == "from" }) else {
            let order = try ImportRequest(fields: fields, fileName: "")
            guard body.count > 0 else { throw HTTPError.badRequest("body", "is empty; send the file") }
            return (order, body)
        }
        // The file of an earlier one, which was only tried.
        let text = fields.remove(at: source).value
        guard body.count == 0 else { throw HTTPError.badRequest("from", "goes with an empty body") }
        let job = try Identifier<ImportJob>(parsing: text).flatMap { id in
            try database.read { try ImportJob.find(id, in: $0) }
        }
        guard let job, let file = try UploadedFile(copying: imports.path(of: job.id), folder: imports.folder) else {
            throw HTTPError.badRequest("from", "is no import whose file is still there; send the file again")
        }
        return (try ImportRequest(fields: fields, fileName: job.request.fileName), file)
    }

    /// The body as a file, where it came in memory.
    private static func file(of request: Request, in folder: String) throws -> UploadedFile {
        let file = try UploadedFile(folder: folder)
        try request.body.withUnsafeBytes { try file.append($0) }
        return file
    }
}

extension UploadedFile {
    /// BLAKE2b of all of it.
    fileprivate func digest() throws -> [UInt8] {
        let digest = BLAKE2b()
        for start in stride(from: 0, to: count, by: 1 << 20) {
            try read(at: start, limit: 1 << 20).withUnsafeBytes { digest.update($0) }
        }
        return digest.finish()
    }
}

extension Viewer {
    /// - Throws: `HTTPError` 404: to others there is nothing.
    func requireCurator() throws {
        guard role == .curator || role == .admin else { throw HTTPError.notFound }
    }

    /// - Throws: `HTTPError` 404: to others there is nothing.
    func requireAdmin() throws {
        guard role == .admin else { throw HTTPError.notFound }
    }
}
