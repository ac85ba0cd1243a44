import HTTP
import SocialModel
import Storage

/// The ways out for one's own data. All run on the pool and answer from a file, in memory that does not grow with it.
enum ExportRoutes {
    /// All of one's own pins in a file format.
    static func pins(as format: PinFileFormat) -> @Sendable (Request, App) throws -> Response {
        { request, app in
            try app.database.read { read in
                let viewer = try app.viewer(of: request, in: read)
                try request.refuseQuery()
                let file = try app.exports.file(for: viewer.id, in: app.temporaryFolder) { spool in
                    try format.write(VisiblePins(of: viewer, in: read), to: spool)
                }
                return .attachment("pins.\(format.rawValue)", format.mediaType, file)
            }
        }
    }

    /// Everything of one's own, for whoever knows the password: a stolen token is not enough.
    static func everything(_ request: Request, _ app: App) throws -> Response {
        let passwordHash = try app.confirmedPassword(request)
        let now = app.clock()
        return try app.database.read { read in
            let viewer = try app.viewer(of: request, in: read)
            guard try Account.passwordHash(of: viewer.id, in: read) == passwordHash else {
                throw HTTPError.badRequest("password", "is not the password")
            }
            let file = try app.exports.file(for: viewer.id, in: app.temporaryFolder) { spool in
                let archive = try ZipArchive(into: spool, at: now)
                try AccountArchive(viewer: viewer, now: now, publicURL: app.publicURL, read: read).write(to: archive)
                try archive.finish()
            }
            return .attachment("pinfold.zip", "application/zip", file)
        }
    }
}

extension Response {
    /// A viewer's file, to be saved under a name in ASCII.
    fileprivate static func attachment(_ name: String, _ mediaType: String, _ file: BodyFile) -> Response {
        var response = Response.file(mediaType, file)
        response.headers.append(Header("Content-Disposition", "attachment; filename=\"\(name)\""))
        response.headers += privateHeaders
        return response
    }
}
