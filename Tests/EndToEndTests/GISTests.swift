import Foundation
import Testing

/// GIS programs open the file as a layer of points.
@Suite(.ownThreads) struct GISTests {
    @Test func `ogrinfo reads the pins while the server writes them`() throws {
        let folder = try DataFolder(.demo)
        let server = try RunningServer(folder)
        let before = try ogrinfo("-so", "-al", folder.database, "pin")
        #expect(before.contains("Geometry: Point\n"))
        #expect(before.contains("WGS 84"))
        let count = try #require(before.firstMatch(of: /Feature Count: ([0-9]+)/).flatMap { Int($0.1) })
        #expect(count > 0)

        let ana = try server.signUp("ana")
        let capitol = try ana.dropPin("Capitol")
        let south = try ana.dropPin("South", latitude: -54.8019121, longitude: 179.9999999)
        let after = try ogrinfo("-so", "-al", folder.database, "pin")
        #expect(after.contains("Feature Count: \(count + 2)\n"))
        let one = try ogrinfo("-al", "-fid", capitol.id, folder.database, "pin")
        #expect(one.contains("POINT (-93.1022 44.9551)"), "\(one)")
        #expect(one.contains("name (String) = Capitol"))
        let other = try ogrinfo("-al", "-fid", south.id, folder.database, "pin")
        #expect(other.contains("POINT (179.9999999 -54.8019121)"), "\(other)")

        // The visitor has left nothing that disturbs the server.
        let third = try ana.dropPin("Third")
        #expect(Set(try ana.pins().map(\.id)) == [capitol.id, south.id, third.id])
        try server.stop()
        #expect(try ogrinfo("-so", "-al", folder.database, "pin").contains("Feature Count: \(count + 3)\n"))
        let second = try RunningServer(folder)
        #expect(try Client(port: second.port, token: ana.token).pins().count == 3)
        try second.stop()
    }

    /// GDAL places what it reads in metres of EPSG:3857, by the name of the file.
    @Test func `ogrinfo reads the vector tiles of pins`() throws {
        let folder = try DataFolder()
        let server = try RunningServer(folder)
        let ana = try server.signUp("ana")
        let capitol = try ana.dropPin("Capitol ★")
        for _ in 0..<3 { _ = try ana.dropPin("South", latitude: -54.8, longitude: -68.3) }
        let files = try TemporaryFolder()
        func tile(_ z: Int, _ x: Int, _ y: Int) throws -> String {
            let answer = try ana.send("GET", "/v1/tiles/pins/\(z)/\(x)/\(y).mvt")
            #expect(answer.status == 200 && answer.header("Content-Type") == "application/vnd.mapbox-vector-tile")
            let file = files.file("\(z)-\(x)-\(y).mvt")
            try Data(answer.body).write(to: URL(fileURLWithPath: file))
            return try ogrinfo("-al", "-oo", "Z=\(z)", "-oo", "X=\(x)", "-oo", "Y=\(y)", file)
        }

        let world = try tile(0, 0, 0)
        #expect(world.contains("using driver `MVT' successful"), "\(world)")
        #expect(world.contains("Layer name: pins\n") && world.contains("Feature Count: 2\n"), "\(world)")
        #expect(world.contains("point_count (Integer) = 3\n") && world.contains("expansion_zoom (Integer) = 14\n"))
        #expect(world.contains("name (String) = Capitol ★\n") && world.contains("id (String) = \(capitol.id)\n"))

        // A unit of a tile of zoom 16 is 15 cm.
        let street = try tile(16, 15819, 23586)
        #expect(street.contains("Feature Count: 1\n") && street.contains("category (String) = other\n"), "\(street)")
        let point = try #require(street.firstMatch(of: /POINT \((-?[0-9.]+) (-?[0-9.]+)\)/))
        let (x, y) = (Double(point.1) ?? 0, Double(point.2) ?? 0)
        let radius = 6_378_137.0
        #expect(abs(x - radius * -93.1022 * .pi / 180) < 0.2)
        #expect(abs(y - radius * asinh(tan(44.9551 * .pi / 180))) < 0.2)
        try server.stop()
    }

    private func ogrinfo(_ arguments: String...) throws -> String {
        let process = try ChildProcess(["ogrinfo"] + arguments)
        #expect(try process.wait() == .exit(0), "\(process.error)")
        #expect(process.error == "")
        return process.output
    }
}
