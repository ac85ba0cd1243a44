import Foundation
import Geo
import PinfoldServer
import Storage
import Testing

/// GDAL's driver for OGC API – Features reads landmarks and pins as they are.
@Suite(.ownThreads) struct OGCTests {
    private static let count = 2_350

    /// Points on a grid of a hundredth of a degree, and one area.
    private static func fill(_ path: String) throws {
        let database = try DatabasePool(
            Schema.configuration(path: path) { 1_764_417_600_000 }, migrations: Schema.migrations)
        defer { database.close() }
        try database.write { write in
            try write.run(
                """
                INSERT INTO dataset (id, name, title, licence, attribution, version, state, createdAt, updatedAt)
                VALUES (1, 'grid', 'A grid', 'CC0-1.0', '© Nobody', 1, 1, \(write.now), \(write.now))
                """)
            try write.run(
                """
                INSERT INTO datasetVersion (datasetId, number, state, count, west, south, east, north, inserted, updated,
                    unchanged, removed, rejected, createdAt)
                VALUES (1, 1, 1, \(count), 0, 0, 5000000, 5000000, \(count), 0, 0, 0, 0, \(write.now))
                """)
            for index in 0..<count {
                let (column, row) = (index % 50, index / 50)
                try write.run(
                    """
                    INSERT INTO landmark (number, landmarkId, datasetId, fromState, digest, key, longitude, latitude, category,
                        name, updatedAt)
                    VALUES (\(index + 1), \(index + 1), 1, 1, 0, \("\(index)"), \(column * 100_000), \(row * 100_000),
                        \(index % 18), \("Place \(index)"), \(write.now + Int64(index)))
                    """)
            }
            try write.run(
                """
                INSERT INTO landmarkPlace (place, number, datasetId, fromState, category)
                SELECT hilbert(longitude, latitude), number, datasetId, fromState, category FROM landmark
                """)
            try write.run(
                """
                INSERT INTO landmarkShape (number, geom)
                VALUES (1, GeomFromText('POLYGON((-1 -1, 0.001 -1, 0.001 0.001, -1 0.001, -1 -1))', 4326))
                """)
        }
    }

    @Test func `ogrinfo reads all pages, boxes and filters`() throws {
        let folder = try DataFolder()
        try Self.fill(folder.database)
        // The links have the address that the server is told: so it must know its port.
        let port = try Self.freePort()
        let server = try RunningServer(folder, fixedPort: port)
        let address = "OAPIF:http://127.0.0.1:\(port)/ogc"

        let layers = try Self.ogrinfo(address)
        #expect(layers.contains("using driver `OAPIF' successful") && layers.contains("grid"), "\(layers)")
        #expect(!layers.contains("pins"))
        let whole = try Self.ogrinfo("-al", "-oo", "PAGE_SIZE=100", address, "grid")
        #expect(Self.names(whole).count == Self.count)
        #expect(Set(Self.names(whole)).count == Self.count)
        #expect(whole.contains("POLYGON"))
        let part = try Self.ogrinfo(
            "-al", "-oo", "PAGE_SIZE=7", "-spat", "-0.9", "-0.9", "0.055", "0.025", address, "grid")
        #expect(Set(Self.names(part)) == Set((0..<3).flatMap { row in (0..<6).map { "Place \(row * 50 + $0)" } }))
        // Of the area nothing but a corner is in this box.
        let corner = try Self.ogrinfo("-al", "-spat", "-0.9", "-0.9", "-0.8", "-0.8", address, "grid")
        #expect(Self.names(corner) == ["Place 0"])
        let one = try Self.ogrinfo("-al", "-where", "name = 'Place 77'", address, "grid")
        #expect(Self.names(one) == ["Place 77"])

        let ana = Client(port: port, token: try server.signUp("ana").token)
        let capitol = try ana.dropPin("Capitol")
        _ = try ana.dropPin("South", latitude: -54.8, longitude: 179.9)
        struct Token: Decodable { let token: String }
        let answer = try ana.send("POST", "/v1/me/tokens", json: #"{"name": "QGIS", "scopes": ["read"]}"#)
        let token = try answer.decoded(Token.self).token
        let login = ["-oo", "USERPWD=ana:\(token)"]
        let own = try Self.ogrinfo(["-al"] + login + [address, "pins"])
        #expect(Set(Self.names(own)) == ["Capitol", "South"], "\(own)")
        #expect(own.contains(capitol.id))
        let near = try Self.ogrinfo(["-al"] + login + ["-spat", "-94", "44", "-93", "45", address, "pins"])
        #expect(Self.names(near) == ["Capitol"])
        let wrong = try ChildProcess(["ogrinfo", "-oo", "USERPWD=ana:pf_wrong", address])
        #expect(try wrong.wait() != .exit(0))
        try server.stop()
    }

    private static func names(_ output: String) -> [String] {
        output.matches(of: /\n  name \(String\) = ([^\n]*)/).map { String($0.1) }
    }

    private static func ogrinfo(_ arguments: String...) throws -> String { try ogrinfo(arguments) }

    private static func ogrinfo(_ arguments: [String]) throws -> String {
        let process = try ChildProcess(["ogrinfo"] + arguments)
        #expect(try process.wait(within: .seconds(120)) == .exit(0), "\(process.error)")
        #expect(process.error == "")
        return process.output
    }

    /// A port that nobody has just now.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return try withUnsafeMutablePointer(to: &address) {
            try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(descriptor, address, length) == 0, getsockname(descriptor, address, &length) == 0 else {
                    throw Failure("there is no free port")
                }
                return UnsafeRawPointer(address).load(as: sockaddr_in.self).sin_port.byteSwapped
            }
        }
    }
}
