import Foundation
import Synchronization

/// A mail server of a test's own, on a free port of the loopback, without TLS.
final class SMTPListener: Sendable {
    /// How it answers.
    struct Manners: Sendable {
        var greeting: String? = "220 test"
        var extensions = ["8BITMIME", "SMTPUTF8", "AUTH PLAIN"]
        var auth = "235 in"
        var sender = "250 ok"
        var recipient = "250 ok"
        var message = "250 taken"
    }

    /// A message that it took.
    struct Delivery: Sendable {
        let sender: String
        let recipient: String
        let message: [UInt8]
    }

    private struct State {
        var manners = Manners()
        var commands: [String] = []
        var deliveries: [Delivery] = []
        var connections = 0
        var isClosed = false
    }

    let port: UInt16
    private let socket: Int32
    private let state: Mutex<State>

    var deliveries: [Delivery] { state.withLock { $0.deliveries } }
    /// All lines that it was sent, but for those of messages.
    var commands: [String] { state.withLock { $0.commands } }
    /// How many connections there were.
    var connections: Int { state.withLock { $0.connections } }
    var manners: Manners {
        get { state.withLock { $0.manners } }
        set { state.withLock { $0.manners = newValue } }
    }

    init(_ manners: Manners = Manners()) throws {
        state = Mutex(State(manners: manners))
        let descriptor = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        socket = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard result else { throw ReceivedMail.Fault("no port: \(String(cString: strerror(errno)))") }
        port = UInt16(bigEndian: address.sin_port)
        let thread = Thread { [self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0, !state.withLock({ $0.isClosed }) else { break }
                Thread { [self] in serve(connection) }.start()
            }
            close(descriptor)
        }
        thread.start()
    }

    /// Ends the thread that listens.
    func stop() {
        state.withLock { $0.isClosed = true }
        shutdown(socket, Int32(SHUT_RDWR))
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        state.withLock { $0.connections += 1 }
        guard let greeting = manners.greeting else {
            // Silent until the other side has enough.
            _ = readLine(connection)
            return
        }
        say(greeting, connection)
        var (sender, recipient) = ("", "")
        while let line = readLine(connection) {
            let manners = manners
            state.withLock { $0.commands.append(line) }
            switch line.split(separator: " ").first?.uppercased() {
            case "EHLO":
                say((["250-test"] + manners.extensions.map { "250-\($0)" }).joined(separator: "\r\n"), connection)
                say("250 HELP", connection)
            case "AUTH":
                say("334 ", connection)
                let login = readLine(connection) ?? ""
                state.withLock { $0.commands.append(login) }
                say(manners.auth, connection)
            case "MAIL":
                sender = line
                say(manners.sender, connection)
            case "RCPT":
                recipient = line
                say(manners.recipient, connection)
            case "DATA":
                say("354 go on", connection)
                var message: [UInt8] = []
                while let line = readLine(connection), line != "." {
                    // RFC 5321, 4.5.2.
                    message += Array((line.hasPrefix(".") ? String(line.dropFirst()) : line).utf8) + [13, 10]
                }
                if manners.message.hasPrefix("250") {
                    state.withLock {
                        $0.deliveries.append(Delivery(sender: sender, recipient: recipient, message: message))
                    }
                }
                say(manners.message, connection)
            case "QUIT":
                say("221 bye", connection)
                return
            default: say("502 no", connection)
            }
        }
    }

    private func say(_ text: String, _ connection: Int32) {
        let bytes = Array((text + "\r\n").utf8)
        _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Without its CRLF; nil at the end.
    private func readLine(_ connection: Int32) -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) == 1 {
            if byte == 10, line.last == 13 { return String(decoding: line.dropLast(), as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }
}
