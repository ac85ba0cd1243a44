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

    private func ogrinfo(_ arguments: String...) throws -> String {
        let process = try ChildProcess(["ogrinfo"] + arguments)
        #expect(try process.wait() == .exit(0), "\(process.error)")
        #expect(process.error == "")
        return process.output
    }
}
