/// A request to become a WebSocket, checked (RFC 6455, 4.2.1).
struct WebSocketHandshake {
    /// What the server proves with that it speaks the protocol.
    let accept: String
    let deflate: PermessageDeflate?

    init(_ request: Request) throws(HTTPError) {
        guard
            request.method == "GET", Self.names("websocket", request, in: "Upgrade"),
            Self.names("upgrade", request, in: "Connection")
        else { throw .upgradeRequired("connect with a WebSocket client") }
        let versions = Self.values(of: "Sec-WebSocket-Version", request)
        guard versions == ["13"] else {
            throw .upgradeRequired("Sec-WebSocket-Version must be 13")
        }
        let keys = Self.values(of: "Sec-WebSocket-Key", request)
        guard keys.count == 1, Base64.isNonce(keys[0]) else {
            throw .malformed("Sec-WebSocket-Key must be one value, 16 bytes in base64")
        }
        accept = Base64.encode(SHA1.hash(Array((keys[0] + Self.identifier).utf8)))
        deflate = PermessageDeflate(offers: Self.values(of: "Sec-WebSocket-Extensions", request))
    }

    private static func values(of name: String, _ request: Request) -> [String] {
        request.headers.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
    }

    /// Whether a field's list of tokens has one.
    private static func names(_ token: String, _ request: Request, in field: String) -> Bool {
        values(of: field, request).contains { value in
            value.split(separator: ",").contains { part in
                String(part.filter { $0 != " " && $0 != "\t" }).equalsIgnoringASCIICase(token)
            }
        }
    }

    private static let identifier = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
}

extension HTTPError {
    /// 426 for a request that does not become a WebSocket but should.
    package static func upgradeRequired(_ detail: String) -> HTTPError {
        HTTPError(
            426, "upgrade-required", "This is a WebSocket", detail: detail,
            headers: [Header("Upgrade", "websocket"), Header("Sec-WebSocket-Version", "13")])
    }
}
