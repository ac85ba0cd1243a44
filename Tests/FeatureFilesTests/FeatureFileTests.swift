import Testing

@testable import FeatureFiles

@Suite struct FeatureFileTests {
    @Test func `what is no file of any known format is refused`() throws {
        #expect(throws: FeatureFileFault.self) { try FeatureFile(path: "/dev/null", FeatureFile.Options()) }
    }

    private struct Enough: Error {}

    @Test(arguments: ["a.csv", "a.geojson", "a.kml", "a.kmz"])
    func `who looks while bytes are read can end the reading, also where no records come`(name: String) throws {
        let scratch = try Scratch()
        let blank = String(repeating: "\n", count: 8 << 20)
        let head =
            switch name {
            case "a.csv": "name,lat,lon\nA,1,2\n"
            case "a.geojson": #"{"type":"FeatureCollection","features":["#
            default: "<kml>"
            }
        var path = try scratch.file(name == "a.kmz" ? "doc.kml" : name, head + blank)
        if name == "a.kmz" {
            try scratch.run(
                "python3", "-c",
                "import zipfile; zipfile.ZipFile('a.kmz', 'w', zipfile.ZIP_DEFLATED).write('doc.kml')")
            path = scratch.path + "/a.kmz"
        }
        // Let be, it is looked at as long as there are bytes.
        var looks = 0
        let whole = try FeatureFile(path: path, FeatureFile.Options()) { looks += 1 }
        _ = try? whole.read { _ in }
        #expect(looks >= 8)

        for last in [1, looks / 2, looks] {
            var count = 0
            #expect(throws: Enough.self) {
                let file = try FeatureFile(path: path, FeatureFile.Options()) {
                    count += 1
                    if count == last { throw Enough() }
                }
                try file.read { _ in }
            }
            #expect(count == last)
        }
    }
}
