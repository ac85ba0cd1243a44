import Glibc

/// Why the server cannot listen, as one line for whoever started it.
package struct ListenError: Error, CustomStringConvertible {
    package let description: String
}

/// Sockets that share one address, among which the kernel spreads new connections.
enum ListeningSockets {
    /// Opens `count` sockets on one port.
    static func open(host: String, port: UInt16, count: Int) throws -> (descriptors: [Int32], port: UInt16) {
        guard let address = host == "localhost" ? .loopback : IPAddress(host) else {
            throw ListenError(description: "cannot listen on \(host): it is no IP address")
        }
        // Sockets that share a port would also share it with those of another process, which would then get some of
        // the connections. One that does not share finds out whether somebody listens.
        if port != 0 { close(try bind(address, host, port, shared: false).descriptor) }
        var descriptors: [Int32] = []
        var bound = port
        do {
            for _ in 0..<count {
                let socket = try bind(address, host, bound, shared: true)
                descriptors.append(socket.descriptor)
                bound = socket.port
                guard listen(socket.descriptor, 4096) == 0 else {
                    throw ListenError(description: "cannot listen on \(host) port \(port): \(reason(errno))")
                }
            }
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error
        }
        return (descriptors, bound)
    }

    private static func bind(
        _ address: IPAddress, _ host: String, _ port: UInt16, shared: Bool
    ) throws -> (descriptor: Int32, port: UInt16) {
        let family = address.isIPv4 ? AF_INET : AF_INET6
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else {
            throw ListenError(description: "cannot listen on \(host) port \(port): \(reason(errno))")
        }
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if shared { set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
        var storage = sockaddr_storage()
        var length = socklen_t(0)
        withUnsafeMutablePointer(to: &storage) { storage in
            if address.isIPv4 {
                storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { ipv4 in
                    ipv4.pointee.sin_family = sa_family_t(AF_INET)
                    ipv4.pointee.sin_port = port.bigEndian
                    withUnsafeMutableBytes(of: &ipv4.pointee.sin_addr) { $0.copyBytes(from: address.bytes) }
                }
                length = socklen_t(MemoryLayout<sockaddr_in>.size)
            } else {
                set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, address.bytes.allSatisfy { $0 == 0 } ? 0 : 1)
                storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { ipv6 in
                    ipv6.pointee.sin6_family = sa_family_t(AF_INET6)
                    ipv6.pointee.sin6_port = port.bigEndian
                    withUnsafeMutableBytes(of: &ipv6.pointee.sin6_addr) { $0.copyBytes(from: address.bytes) }
                }
                length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            }
        }
        let result = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                Glibc.bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard result == 0 else {
            let error = errno
            close(descriptor)
            throw ListenError(description: "cannot listen on \(host) port \(port): \(reason(error))")
        }
        let bound = withUnsafeBytes(of: storage) {
            // The port stands at the same place in both families.
            UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
        return (descriptor, bound)
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func reason(_ error: Int32) -> String {
        switch error {
        case EADDRINUSE: "address already in use"
        case EACCES: "permission denied"
        case EADDRNOTAVAIL: "this machine does not have the address"
        default: String(cString: strerror(error))
        }
    }
}
