/// What a connection becomes when its request is answered with it. See `Response.webSocket` and `.eventStream`.
package struct LiveStart: Sendable {
    let transport: LiveConnection.Transport
    let deflate: PermessageDeflate?
    let handlers: LiveHandlers
}

extension Response {
    /// Answers a request by becoming a WebSocket (RFC 6455), with permessage-deflate if the client offers it.
    ///
    /// - Throws: `HTTPError`: 426 if the request asks for no WebSocket, or for another version; 400 without a proper key.
    package static func webSocket(_ request: Request, _ handlers: LiveHandlers) throws(HTTPError) -> Response {
        let handshake = try WebSocketHandshake(request)
        // The library adds `Connection: Upgrade`.
        var response = Response(
            status: 101,
            headers: [Header("Upgrade", "websocket"), Header("Sec-WebSocket-Accept", handshake.accept)])
        if let deflate = handshake.deflate {
            response.headers.append(Header("Sec-WebSocket-Extensions", deflate.answer))
        }
        response.content = .live(LiveStart(transport: .webSocket, deflate: handshake.deflate, handlers: handlers))
        return response
    }

    /// Answers a request by becoming a stream of Server-Sent Events (HTML standard, 9.2).
    package static func eventStream(_ handlers: LiveHandlers) -> Response {
        var response = Response(
            status: 200,
            headers: [
                Header("Content-Type", "text/event-stream"), Header("Cache-Control", "no-cache, no-transform"),
                // nginx would collect events before it hands them on.
                Header("X-Accel-Buffering", "no"),
            ])
        response.content = .live(LiveStart(transport: .eventStream, deflate: nil, handlers: handlers))
        return response
    }
}
