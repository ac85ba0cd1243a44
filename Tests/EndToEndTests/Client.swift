import Foundation

/// One connection that sends bytes and reads the answer to the end; each wait is bounded.
final class Connection {
    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Self.failure("connect") }
    }

    deinit {
        close(descriptor)
    }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        var offset = 0
        while offset < bytes.count {
            let sent = bytes.withUnsafeBytes {
                Foundation.send(
                    descriptor, $0.baseAddress! + offset, bytes.count - offset, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { throw Self.failure("send") }
            offset += sent
        }
    }

    /// What comes next; empty at the end.
    func receive() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw Self.failure("receive") }
        return Array(bytes[..<count])
    }

    /// The whole answer of a connection that closes after it.
    func answer() throws -> Answer {
        var bytes: [UInt8] = []
        while true {
            let more = try receive()
            if more.isEmpty { break }
            bytes += more
        }
        guard let answer = Answer(bytes) else { throw Failure("the answer was cut off") }
        return answer
    }

    private static func failure(_ call: String) -> Failure {
        Failure("cannot \(call): \(String(cString: strerror(errno)))")
    }
}

/// An HTTP answer.
struct Answer: CustomStringConvertible {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    /// Nil if it is not whole.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        self.status = status
        headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]).lowercased(), parts.last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "")
        }
        body = Array(bytes[end.upperBound...])
        let length = header("Content-Length").flatMap { Int($0) }
        guard status == 204 || length == body.count else { return nil }
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name.lowercased() }?.value }

    var text: String { String(decoding: body, as: UTF8.self) }

    func decoded<T: Decodable>(_ type: T.Type) throws -> T {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch { throw Failure("unexpected answer \(self): \(error)") }
    }

    var description: String { "\(status) \(text)" }
}

/// Someone who talks to a server, a connection each time.
struct Client: Sendable {
    let port: UInt16
    var token: String?

    /// - Throws: `Failure` if there is no whole answer.
    func send(_ method: String, _ target: String, headers: [String] = [], json: String? = nil) throws -> Answer {
        let connection = try Connection(port: port)
        try connection.send(request(method, target, headers: headers, json: json))
        return try connection.answer()
    }

    func request(_ method: String, _ target: String, headers: [String] = [], json: String? = nil) -> String {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + headers
        if let token { lines.append("Authorization: Bearer \(token)") }
        if let json { lines += ["Content-Type: application/json", "Content-Length: \(json.utf8.count)"] }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (json ?? "")
    }

    /// Drops a pin.
    func dropPin(_ name: String, latitude: Double = 44.9551, longitude: Double = -93.1022) throws -> PinBody {
        let json = #"{"latitude": \#(latitude), "longitude": \#(longitude), "name": "\#(name)"}"#
        let answer = try send("POST", "/v1/pins", json: json)
        guard answer.status == 201 else { throw Failure("no pin: \(answer)") }
        return try answer.decoded(PinBody.self)
    }

    /// All pins that are visible, of all pages.
    func pins() throws -> [PinBody] {
        var pins: [PinBody] = []
        var next: String?
        repeat {
            let answer = try send("GET", "/v1/pins?limit=500" + (next.map { "&cursor=\($0)" } ?? ""))
            guard answer.status == 200 else { throw Failure("no pins: \(answer)") }
            let page = try answer.decoded(Page<PinBody>.self)
            pins += page.items
            next = page.next
        } while next != nil
        return pins
    }
}

struct SignedIn: Decodable {
    struct User: Decodable {
        let username: String
    }

    let user: User
    let accessToken: String
    let refreshToken: String
}

struct Page<Item: Decodable>: Decodable {
    let items: [Item]
    let next: String?
}

struct PinBody: Decodable, Equatable {
    let id: String
    let ownerId: String
    let latitude: Double
    let longitude: Double
    let name: String
    let address: String?
    let comment: String?
    let rating: Int?
    let category: String
    let audience: String?
    let createdAt: String
    let updatedAt: String
    let distance: Double?
}

struct ProblemBody: Decodable {
    let type: String
    let status: Int
}
