import Foundation
import HTTP

/// The web client: the files of `Web/Client` and MapLibre, read and checked once, at start.
///
/// Nothing but what is listed here is ever served, whatever a path says. The files stand at `/app/VERSION/PATH`, where
/// VERSION is a digest of them all, so that a browser may keep them for good.
package struct ClientFiles: Sendable {
    /// 16 characters that are others whenever a file is.
    package let version: String
    /// The one document, at `/` and `/p/ID`.
    let index: StaticContent
    let serviceWorker: StaticContent
    let manifest: StaticContent
    /// By the path behind `/app/VERSION/`.
    let files: [String: StaticContent]
    /// Whether the map can be drawn: MapLibre was there.
    package let hasMapLibre: Bool

    /// - Parameters:
    ///   - folder: holds `index.html`, `sw.js`, `manifest.webmanifest` and the files that they lead to.
    ///   - mapLibre: holds `maplibre-gl.js` and `maplibre-gl.css`, if there is one.
    ///   - origins: other servers that the page may fetch from, such as that of a basemap.
    /// - Throws: `ClientFilesError`.
    package init(folder: String, mapLibre: String?, origins: [String] = []) throws {
        var all = try Self.read(folder)
        for name in Self.templates where all[name] == nil { throw ClientFilesError.missing("\(folder)/\(name)") }
        if let mapLibre {
            for name in Self.mapLibreFiles { all["maplibre/\(name)"] = try Self.bytes(of: "\(mapLibre)/\(name)") }
        }
        hasMapLibre = mapLibre != nil
        let version = Self.digest(all)
        self.version = version

        var files: [String: StaticContent] = [:]
        for (path, bytes) in all where !Self.templates.contains(path) {
            guard let type = Self.mediaTypes[Self.fileExtension(of: path)] else { continue }
            files[path] = StaticContent(
                type.name, bytes, tag: version,
                headers: [
                    Header("Cache-Control", "public, max-age=31536000, immutable"),
                    Header("X-Content-Type-Options", "nosniff"), Header("Cross-Origin-Resource-Policy", "same-origin"),
                ], isText: type.isText)
        }
        self.files = files

        let shell = ["/", "/manifest.webmanifest"] + files.keys.sorted().map { "/app/\(version)/\($0)" }
        let policy = Self.policy(origins)
        func fill(_ name: String, _ type: String, _ headers: [Header]) -> StaticContent {
            let template = String(decoding: all[name] ?? [], as: UTF8.self)
            let text = template.replacing("{{version}}", with: version).replacing("{{files}}", with: Self.json(shell))
            let tag = Self.digest([name: Array(text.utf8), "policy": Array(policy.utf8)])
            return StaticContent(
                type, Array(text.utf8), tag: tag, headers: headers + [Header("Content-Security-Policy", policy)])
        }
        index = fill("index.html", "text/html; charset=utf-8", PageHeaders.all)
        let checked = [Header("Cache-Control", "no-cache"), Header("X-Content-Type-Options", "nosniff")]
        serviceWorker = fill(
            "sw.js", "text/javascript; charset=utf-8", checked + [Header("Service-Worker-Allowed", "/")])
        manifest = fill("manifest.webmanifest", "application/manifest+json", checked)
    }

    /// The files at the top in which `{{version}}` and `{{files}}` are filled in; each has a path of its own.
    private static let templates = ["index.html", "sw.js", "manifest.webmanifest"]
    private static let mapLibreFiles = ["maplibre-gl.js", "maplibre-gl.css"]

    /// What the page may load and run (Content Security Policy Level 3). MapLibre starts its workers from a blob, which
    /// is why there is no `require-trusted-types-for`.
    private static func policy(_ origins: [String]) -> String {
        [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "worker-src 'self' blob:",
            (["connect-src 'self'"] + origins).joined(separator: " "), "img-src 'self' data: blob:", "font-src 'self'",
            "manifest-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    /// By the extension of a file's name. Files of other kinds, such as an editor's, are not served.
    private static let mediaTypes: [String: (name: String, isText: Bool)] = [
        "js": ("text/javascript; charset=utf-8", true), "css": ("text/css; charset=utf-8", true),
        "json": ("application/json; charset=utf-8", true), "svg": ("image/svg+xml", true),
        "txt": ("text/plain; charset=utf-8", true), "png": ("image/png", false), "webp": ("image/webp", false),
        "ico": ("image/x-icon", false), "woff2": ("font/woff2", false), "pbf": ("application/x-protobuf", true),
    ]

    private static func fileExtension(of path: String) -> String {
        guard let dot = path.lastIndex(of: ".") else { return "" }
        return String(path[path.index(after: dot)...])
    }

    /// The regular files of a folder, by their paths within it.
    private static func read(_ folder: String) throws -> [String: [UInt8]] {
        // A link in the folder's place would not be entered.
        let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        guard let paths = FileManager.default.enumerator(atPath: root) else {
            throw ClientFilesError.missing(folder)
        }
        var files: [String: [UInt8]] = [:]
        while let path = paths.nextObject() as? String {
            let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
            guard !isHidden, paths.fileAttributes?[.type] as? FileAttributeType == .typeRegular else { continue }
            files[path] = try bytes(of: "\(root)/\(path)")
        }
        return files
    }

    private static func bytes(of path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else { throw ClientFilesError.missing(path) }
        return Array(data)
    }

    /// 16 characters of base64url.
    private static func digest(_ files: [String: [UInt8]]) -> String {
        let digests = files.sorted { $0.key < $1.key }.flatMap { blake2b(Array($0.key.utf8)) + blake2b($0.value) }
        return base64URL(blake2b(digests, count: 16).dropLast(4))
    }

    private static func json(_ paths: [String]) -> String {
        var json = JSONWriter()
        json.array { json in
            for path in paths { json.string(path) }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// The web client cannot be read.
package enum ClientFilesError: Error, CustomStringConvertible {
    case missing(String)
    case notBesideProgram(String)

    package var description: String {
        switch self {
        case .missing(let path): "the web client's \(path) cannot be read"
        case .notBesideProgram(let folder): "the web client is not found; \(folder) must stand beside the program"
        }
    }
}
