import HTTP
import SocialModel

/// What can be written as the API's JSON.
protocol JSONWritable {
    func write(to json: inout JSONWriter)
}

extension JSONWritable {
    /// Whether this and `other` are the same bytes on the wire. Swift's own equality of texts is canonical equivalence:
    /// it does not see a change from one spelling to another.
    func isWritten(as other: Self) -> Bool {
        var (mine, others) = (JSONWriter(), JSONWriter())
        write(to: &mine)
        other.write(to: &others)
        return mine.bytes == others.bytes
    }
}

extension String {
    func hasBytes(of other: String?) -> Bool { other.map { utf8.elementsEqual($0.utf8) } ?? false }
}

extension Response {
    /// The header fields of every answer that depends on who asks: no shared cache may keep it, and each use is checked
    /// again, so that a revocation acts at the next request.
    static let privateHeaders = [
        Header("Cache-Control", "private, no-cache"), Header("Vary", "Authorization, Cookie, Accept"),
    ]

    /// A viewer's answer as JSON, with the strong ETag of its bytes if it is a single resource.
    static func json(_ value: some JSONWritable, status: Int = 200, location: String? = nil) -> Response {
        var json = JSONWriter()
        value.write(to: &json)
        var response = privateJSON(json.bytes, status: status)
        response.headers.append(Header("ETag", etag(of: json.bytes)))
        if let location { response.headers.append(Header("Location", location)) }
        return response
    }

    /// A viewer's list: `{"items": […], "next": …}`.
    static func json<Item: JSONWritable>(_ page: Items<Item>) -> Response {
        var json = JSONWriter(capacity: 256 * (page.items.count + 1))
        json.object { json in
            json.key("items")
            json.array { json in
                for item in page.items { item.write(to: &json) }
            }
            json.key("next")
            json.optionalString(page.next)
        }
        return privateJSON(json.bytes)
    }

    static func privateJSON(_ body: [UInt8], status: Int = 200) -> Response {
        Response(
            status: status, headers: [Header("Content-Type", "application/json; charset=utf-8")] + privateHeaders,
            body: body)
    }

    /// A strong validator (RFC 9110, 8.8.3) of the bytes of a body.
    static func etag(of body: [UInt8]) -> String { "\"\(base64URL(blake2b(body, count: 16)))\"" }
}

extension JSONWriter {
    mutating func optionalString(_ value: String?) {
        if let value { string(value) } else { null() }
    }

    mutating func identifier<Subject>(_ value: Identifier<Subject>) { decimalString(value.rawValue) }

    mutating func optionalTime(_ value: Timestamp?) {
        if let value { time(value.milliseconds) } else { null() }
    }
}
