import Foundation

/// Where the tiles of a map on another server are.
struct TileAddress: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// A template of vector tiles.
        case vector
        /// A template of images.
        case image
        /// A description of vector tiles (TileJSON).
        case description
    }

    let text: String
    let kind: Kind
    /// Scheme, host and port, as policies name them.
    let origin: String

    /// - Throws: `BasemapError`.
    init(_ text: String) throws {
        func fault(_ message: String) -> BasemapError { BasemapError("the map \(text) \(message)") }
        // It stands in a style and, in part, in a policy: what needs no escaping in either, and braces.
        let isPlain = text.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && !"\"'<>\\^`|;, ".utf8.contains(byte)
        }
        guard isPlain, text.utf8.count <= 2000 else { throw fault("has characters that a URL does not have") }
        let names = text.matches(of: #/\{([^{}]*)\}/#).map { String($0.1) }
        let isTemplate = !names.isEmpty
        if isTemplate {
            guard Set(names) == ["z", "x", "y"] || Set(names) == ["z", "x", "y", "ratio"] else {
                throw fault("must have {z}, {x} and {y} in its template, and nothing else in braces")
            }
        }
        let plain = text.replacing(#/\{[^{}]*\}/#, with: "0")
        guard !plain.contains(where: "{}".contains), let url = URLComponents(string: plain),
            let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.encodedHost?.lowercased(), !host.isEmpty, host.utf8.allSatisfy(Self.isHostByte),
            url.user == nil, url.password == nil
        else { throw fault("is no http or https URL") }
        let port = url.port.map { ":\($0)" } ?? ""
        self.text = text
        origin = "\(scheme)://\(host.contains(":") ? "[\(host.filter { !"[]".contains($0) })]" : host)\(port)"
        let isImage = [".png", ".jpg", ".jpeg", ".webp"].contains { url.path.lowercased().hasSuffix($0) }
        kind = isTemplate ? isImage ? .image : .vector : .description
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-.:[]".utf8.contains(byte)
    }
}
