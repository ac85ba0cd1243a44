import Foundation
import Synchronization

/// A proxy that lets nothing through and notes who was to be reached: what leaves the machine would have to pass here.
package final class OutboundTrap: Sendable {
    package let port: UInt16
    private let descriptor: Int32
    private let targets = Mutex<[String]>([])

    /// The hosts that Chromium itself asks, whatever page is open; Debian's has a search engine of its own.
    private static let ownHosts = [
        "start.duckduckgo.com", "duckduckgo.com",
        "accounts.google.com", "clients2.google.com", "update.googleapis.com", "www.google.com",
        "optimizationguide-pa.googleapis.com", "android.clients.google.com", "mtalk.google.com",
        "content-autofill.googleapis.com", "safebrowsingohttpgateway.googleapis.com", "redirector.gvt1.com",
        "passwordsleakcheck-pa.googleapis.com",
    ]

    /// - Throws: `WebDriverError`.
    package init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening else { throw WebDriverError("the proxy cannot listen") }
        port = UInt16(bigEndian: address.sin_port)
        let thread = Thread { [weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                self?.note(connection)
                close(connection)
            }
        }
        thread.start()
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    private func note(_ connection: Int32) {
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(connection, &buffer, buffer.count, 0)
        guard count > 0 else { return }
        let line = String(decoding: buffer[..<count].prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
        let target = line.split(separator: " ").dropFirst().first.map(String.init) ?? line
        let host = URL(string: target.contains("://") ? target : "https://\(target)")?.host ?? target
        guard !Self.ownHosts.contains(host) else { return }
        targets.withLock { $0.append(target) }
    }

    /// The URLs and `HOST:PORT` that were asked for so far, without what Chromium asks on its own.
    package var asked: [String] { targets.withLock { $0 } }
}
