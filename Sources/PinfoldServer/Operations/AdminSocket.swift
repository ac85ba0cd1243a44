import Foundation
import Synchronization

/// A socket in the data folder by which `pinfold admin` has the server that runs do its work: two processes never have
/// the database open. Only the folder's owner can connect.
package final class AdminSocket: Sendable {
    private static let name = "admin.sock"
    private let path: String
    private let descriptor: Int32
    private let isStopping = Mutex(false)
    private let ended = DispatchSemaphore(value: 0)

    /// Opens the socket and takes commands until `stop`. The caller has the database's lock, so that what lies there from
    /// before is nobody's.
    ///
    /// - Throws: `AdminCommand.Refusal`.
    package init(folder: String, _ app: App) throws {
        let path = "\(folder)/\(Self.name)"
        self.path = path
        unlink(path)
        descriptor = try Self.open(folder) { descriptor, address, size in
            // Nobody can connect until it listens.
            bind(descriptor, address, size) == 0 && chmod(path, 0o600) == 0 && listen(descriptor, 8) == 0
        }
        let means = AdminCommand.Means(app)
        let thread = Thread { [self] in
            while !isStopping.withLock({ $0 }) {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else {
                    // No file is free, or it is over.
                    Thread.sleep(forTimeInterval: 0.05)
                    continue
                }
                if !isStopping.withLock({ $0 }) { Self.serve(connection, means, app.log) }
                close(connection)
            }
            ended.signal()
        }
        thread.name = "admin"
        thread.start()
    }

    package func stop() {
        isStopping.withLock { $0 = true }
        shutdown(descriptor, Int32(SHUT_RDWR))
        ended.wait()
        close(descriptor)
        unlink(path)
    }

    private static func serve(_ connection: Int32, _ means: AdminCommand.Means, _ log: Log) {
        setPatience(connection, seconds: 5)
        let answer = AdminCommand.answer(
            Result {
                let command = try AdminCommand(message: receive(connection))
                log.info("admin command", ["command": command.name])
                return try command.run(means)
            }.mapError { error in
                if !(error is AdminCommand.Refusal) {
                    log.error("an admin command failed", ["error": String(describing: error)])
                }
                return error
            })
        transmit(answer, connection)
    }

    /// Has the server that runs on `folder` do it.
    ///
    /// - Returns: lines for standard output; nil when no server listens there.
    /// - Throws: `AdminCommand.Refusal`.
    package static func ask(_ command: AdminCommand, folder: String) throws -> [String]? {
        let connection: Int32
        do {
            connection = try open(folder) { connect($0, $1, $2) == 0 }
        } catch is AdminCommand.Refusal { return nil }
        defer { close(connection) }
        setPatience(connection, seconds: 60)
        transmit(command.message, connection)
        return try AdminCommand.lines(ofAnswer: receive(connection))
    }

    /// A socket at the folder's name for it, bound or connected by `body`.
    ///
    /// An address holds 107 bytes, less than a path may have: the folder is named by its descriptor.
    private static func open(
        _ folder: String, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) throws -> Int32 {
        let directory = Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if directory >= 0 { close(directory) } }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            room.copyBytes(from: Array("/proc/self/fd/\(directory)/\(name)".utf8))
        }
        let isDone =
            directory >= 0 && descriptor >= 0
            && withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        guard isDone else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw AdminCommand.Refusal("the socket \(folder)/\(name) cannot be opened: \(reason)")
        }
        return descriptor
    }

    private static func setPatience(_ connection: Int32, seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(connection, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    private static func transmit(_ bytes: [UInt8], _ connection: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }

    /// Up to the first newline, the end, or the end of patience.
    private static func receive(_ connection: Int32) -> [UInt8] {
        var message: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while message.count < AdminCommand.messageLimit {
            let count = recv(connection, &piece, piece.count, 0)
            guard count > 0 else { break }
            if let end = piece[..<count].firstIndex(of: UInt8(ascii: "\n")) {
                return message + piece[..<end]
            }
            message += piece[..<count]
        }
        return message
    }
}
