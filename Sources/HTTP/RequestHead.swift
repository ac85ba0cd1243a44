import CMicroHTTPD
import Glibc

/// The first part of a request, judged by RFC 9112 before anything acts on it.
///
/// The library reads generously: it takes a line feed for a line end, joins folded lines, and lets the first of two
/// lengths win, which is what request smuggling is made of. So the head is checked where it lies in the connection's
/// buffer. The library has replaced there each separator by NUL (the blanks of the request line, the colons, and both
/// bytes of a line end), which makes the one correct layout recognisable: any other leaves a different number of NULs.
struct RequestHead {
    /// As sent.
    var method = ""
    /// Percent-encoded; `*` for `OPTIONS *`.
    var path = ""
    var queryText: String?
    var headers: [Header] = []
    var contentLength = 0
    var isChunked = false
    var expectsContinue = false
    var isHTTP11 = false

    var hasBody: Bool { contentLength > 0 || isChunked }

    /// At most so many bytes of a connection's memory the library has used up for a head of `size` bytes: it keeps an
    /// entry for each field, and takes cookies apart in a copy.
    func memory(_ size: Int) -> Int {
        let entry = 64
        return headers.reduce(size + headers.count * entry) { sum, header in
            guard header.name.equalsIgnoringASCIICase("Cookie") else { return sum }
            let cookies = header.value.utf8.count { $0 == UInt8(ascii: ";") } + 1
            return sum + header.value.utf8.count + cookies * entry
        }
    }

    /// More header fields than this are refused with 431.
    static let fieldLimit = 100

    /// Reads what the library has received.
    ///
    /// - Parameters:
    ///   - method, target, version: as the library hands them out, pointers into its buffer.
    ///   - targetBytes: the target as it was before the library cut it up.
    mutating func read(
        _ connection: OpaquePointer, method: UnsafePointer<CChar>, target: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>, targetBytes: [UInt8]
    ) throws(HTTPError) {
        let methodLength = strlen(method)
        self.method = Self.methodName(method, methodLength)
        try readTarget(targetBytes)
        guard methodLength > 0, isToken(method, methodLength) else { throw .malformed("the method is no token") }
        guard target == method + methodLength + 1, version == target + targetBytes.count + 1 else {
            throw .malformed("the request line must be method, target and version with one space between them")
        }
        isHTTP11 = strcmp(version, "HTTP/1.1") == 0
        guard isHTTP11 || strcmp(version, "HTTP/1.0") == 0 else { throw .malformed("the version is not HTTP/1.1") }
        var scan = Scan(next: version + 8, isHTTP11: isHTTP11)
        guard scan.takeLineEnd() else { throw .malformed("lines must end in CR LF") }
        let end = method + httpd_head_size(connection)
        var problem: HTTPError?
        withUnsafeTemporaryAllocation(of: httpd_field.self, capacity: Self.fieldLimit) { fields in
            let count = httpd_fields(connection, fields.baseAddress, Self.fieldLimit)
            guard count <= Self.fieldLimit else {
                problem = .headTooLarge(status: 431)
                return
            }
            headers.reserveCapacity(count)
            do throws(HTTPError) {
                for field in fields[..<count] {
                    try scan.check(field)
                    try take(field, &scan)
                }
            } catch {
                problem = error
            }
        }
        if let problem { throw problem }
        guard scan.takeLineEnd(), scan.next == end else { throw .malformed("a header line is malformed") }
        try checkFraming(scan)
    }

    /// Where the reading stands, and how often the fields that frame a request have come.
    private struct Scan {
        var next: UnsafePointer<CChar>
        let isHTTP11: Bool
        var hosts = 0
        var lengths = 0
        var transferEncodings = 0

        /// Both bytes of a line end are NUL; of a lone line feed or carriage return only one is.
        mutating func takeLineEnd() -> Bool {
            guard next[0] == 0, next[1] == 0 else { return false }
            next += 2
            return true
        }

        /// The field must stand right here: name, colon, blanks, value, line end.
        mutating func check(_ field: httpd_field) throws(HTTPError) {
            guard
                let name = field.name, name == next, isToken(name, field.nameLength), name[field.nameLength] == 0
            else { throw .malformed("a header line is malformed") }
            next = name + field.nameLength + 1
            while next[0] == 0x20 || next[0] == 0x09 { next += 1 }
            if let value = field.value, field.valueLength > 0 {
                guard value == next else { throw .malformed("a header line is malformed") }
                for index in 0..<field.valueLength {
                    let byte = UInt8(bitPattern: value[index])
                    guard byte >= 0x20 && byte != 0x7f || byte == 0x09 else {
                        throw .malformed("a header value has a control character")
                    }
                }
                next += field.valueLength
            }
            guard takeLineEnd() else { throw .malformed("a header line is malformed") }
        }
    }

    /// Keeps the field, and notes what it says of the framing.
    private mutating func take(_ field: httpd_field, _ scan: inout Scan) throws(HTTPError) {
        var length = field.valueLength
        while length > 0, let last = field.value?[length - 1], last == 0x20 || last == 0x09 { length -= 1 }
        let name = Self.text(field.name, field.nameLength)
        let value = Self.text(field.value, length)
        guard value.isStreamSafe else {
            throw .malformed("a header value has more than \(String.streamSafeMarks) combining marks in a row")
        }
        headers.append(Header(name, value))
        switch field.nameLength {
        case 4 where name.equalsIgnoringASCIICase("Host"):
            scan.hosts += 1
            guard value.utf8.allSatisfy(Self.isHostByte) else { throw .malformed("Host is malformed") }
        case 6 where name.equalsIgnoringASCIICase("Expect"):
            guard value.equalsIgnoringASCIICase("100-continue") else { throw .expectationFailed }
            expectsContinue = scan.isHTTP11
        case 14 where name.equalsIgnoringASCIICase("Content-Length"):
            scan.lengths += 1
            guard
                (1...18).contains(value.utf8.count), value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(value)
            else { throw .malformed("Content-Length is no number") }
            contentLength = number
        case 17 where name.equalsIgnoringASCIICase("Transfer-Encoding"):
            scan.transferEncodings += 1
            guard value.equalsIgnoringASCIICase("chunked") else {
                throw .malformed("Transfer-Encoding must be chunked")
            }
            isChunked = true
        default: break
        }
    }

    private func checkFraming(_ scan: Scan) throws(HTTPError) {
        if scan.hosts > 1 || scan.isHTTP11 && scan.hosts == 0 { throw .malformed("there must be one Host") }
        if scan.lengths > 1 { throw .malformed("there is more than one Content-Length") }
        if scan.transferEncodings > 1 { throw .malformed("there is more than one Transfer-Encoding") }
        guard isChunked else { return }
        if scan.lengths > 0 { throw .malformed("Transfer-Encoding and Content-Length exclude each other") }
        if !scan.isHTTP11 { throw .malformed("HTTP/1.0 has no Transfer-Encoding") }
    }

    /// Splits the target (RFC 9112, 3.2): origin form, absolute form (whose authority is dropped) or `*`.
    private mutating func readTarget(_ target: [UInt8]) throws(HTTPError) {
        for byte in target where byte <= 0x20 || byte >= 0x7f || byte == UInt8(ascii: "#") {
            throw .malformed("the target has a character that must be percent-encoded")
        }
        var start = 0
        if target.first != UInt8(ascii: "/") {
            if target.elementsEqual("*".utf8), method == "OPTIONS" {
                path = "*"
                return
            }
            let lower = target.prefix(8).map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
            guard let scheme = ["http://", "https://"].first(where: { lower.starts(with: $0.utf8) }) else {
                throw .malformed("the target must start with /")
            }
            start = scheme.utf8.count
            while start < target.count, target[start] != UInt8(ascii: "/"), target[start] != UInt8(ascii: "?") {
                start += 1
            }
        }
        let rest = target[start...]
        let mark = rest.firstIndex(of: UInt8(ascii: "?"))
        path = String(decoding: rest[..<(mark ?? rest.endIndex)], as: UTF8.self)
        if path.isEmpty { path = "/" }
        queryText = mark.map { String(decoding: rest[($0 + 1)...], as: UTF8.self) }
    }

    private static func text(_ bytes: UnsafePointer<CChar>?, _ length: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
    }

    private static func methodName(_ bytes: UnsafePointer<CChar>, _ length: Int) -> String {
        text(bytes, min(length, 32))
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "/")
            && byte != UInt8(ascii: "@") && byte != UInt8(ascii: "\\")
    }
}

/// Whether the bytes are a token of RFC 9110, 5.6.2.
private func isToken(_ bytes: UnsafePointer<CChar>, _ length: Int) -> Bool {
    guard length > 0 else { return false }
    for index in 0..<length {
        switch UInt8(bitPattern: bytes[index]) {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x5e...0x60, 0x7c, 0x7e:
            continue
        default: return false
        }
    }
    return true
}

extension HTTPError {
    /// 408 when a request does not arrive in time.
    static let requestTimeout = closing(HTTPError(408, "request-timeout", "The request did not arrive in time"))

    /// 417 for an `Expect` other than `100-continue`.
    static let expectationFailed = HTTPError(417, "expectation-failed", "Only Expect: 100-continue is known")

    /// 431, or 414 if it is the target, when the head does not fit into a connection's memory.
    static func headTooLarge(status: Int) -> HTTPError {
        status == 414
            ? HTTPError(414, "target-too-long", "The target is too long")
            : HTTPError(
                431, "header-fields-too-large", "The request has too many or too long header fields",
                detail: "at most \(RequestHead.fieldLimit) fields")
    }

    /// A copy after which the connection is of no more use.
    static func closing(_ error: HTTPError) -> HTTPError {
        var copy = error
        copy.closesConnection = true
        return copy
    }
}
