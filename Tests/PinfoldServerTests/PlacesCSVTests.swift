import Foundation
import Testing

@testable import PinfoldServer

@Suite struct PlacesCSVTests {
    private struct Outcome {
        var text = ""
        var problems: [String] = []
        var rows = 0
    }

    /// Reads `text` in pieces of `size` bytes, as from a pipe.
    private func run(_ text: String, size: Int = 1 << 20) throws -> Outcome {
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var table = ReverseCSV(try ReverseGeocoder(bundle: SmallGazetteer.write(to: folder)))
        var rest = [UInt8](text.utf8)[...]
        var outcome = Outcome()
        var bytes: [UInt8] = []
        try table.run(
            read: { limit in
                defer { rest = rest.dropFirst(min(limit, size)) }
                return Array(rest.prefix(min(limit, size)))
            }, write: { bytes += $0 }, report: { outcome.problems.append($0) }, progress: { _ in })
        outcome.text = String(decoding: bytes, as: UTF8.self)
        outcome.rows = table.rows
        #expect(table.badRows == outcome.problems.count)
        return outcome
    }

    private static let added = "country_code,country,admin1,admin2,locality,label,timezone"
    private static let middle = #"XT,Testland,Here,,Middle,"Middle, Here, Testland",Africa/Ndjamena"#

    @Test func `names are added to the rows, which stay as they are`() throws {
        let text = "id,\"Lat\",note,lon\r\n1,10,\"a \"\"quoted\"\", note\nof two lines\",20\r\n2,0,,0\r\n"
        let expected = """
            id,"Lat",note,lon,\(Self.added)
            1,10,"a ""quoted"", note
            of two lines",20,\(Self.middle)
            2,0,,0,,,,,,,Etc/GMT

            """
        for size in [1, 2, 3, 7, 1000] {
            let outcome = try run(text, size: size)
            #expect(outcome.text == expected, "in pieces of \(size)")
            #expect(outcome.problems.isEmpty && outcome.rows == 2)
        }
        // The marks of a spreadsheet: a byte order mark, semicolons, decimal commas, no line end at the end.
        let sheet = try run("\u{FEFF}Breite;Länge\n10,0;20,0")
        #expect(sheet.text.hasSuffix("\n10,0;20,0;XT;Testland;Here;;Middle;Middle, Here, Testland;Africa/Ndjamena\n"))
    }

    @Test func `a bad row keeps its place and is reported with its line`() throws {
        let text = "lat,lon,x\n10,20,\n91,0,\n,,\n\n10,abc,\"two\nlines\"\n10\n10,20,a,b\n10,20,z\n"
        let outcome = try run(text)
        let none = ",,,,,,,"
        #expect(
            outcome.text == """
                lat,lon,x,\(Self.added)
                10,20,,\(Self.middle)
                91,0,\(none)
                ,,\(none)
                ,,\(none)
                10,abc,"two
                lines"\(none)
                10,,\(none)
                10,20,a,b\(none)
                10,20,z,\(Self.middle)

                """)
        #expect(
            outcome.problems == [
                "line 3: the latitude must be -90 to 90", "line 4: the latitude must be -90 to 90",
                "line 6: the longitude must be -180 to 180", "line 8: the longitude must be -180 to 180",
                "line 9: has 4 columns, the header 3",
            ])
        #expect(outcome.rows == 8)
    }

    @Test func `a text without the columns, or with a row that never ends, is refused`() {
        for (text, reason) in [
            ("", "is empty"), ("a,b\n1,2\n", "lat and lon"), ("lat\n1\n", "lat and lon"),
            ("lat,lon\n1,\"" + String(repeating: "x", count: 3 << 20), "line 2: the row is longer than 1 MiB"),
        ] {
            let error = #expect(throws: ReverseCSV.Failure.self) { try run(text) }
            #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
        }
    }

    @Test func `many rows come in order`() throws {
        let positions = (0..<5000).map { $0 % 2 == 0 ? "\($0),10,20" : "\($0),0,0" }
        let outcome = try run("id,lat,lon\n" + positions.joined(separator: "\n") + "\n", size: 10_000)
        let ids = outcome.text.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } }
        #expect(ids == (0..<5000).map { Substring(String($0)) })
    }
}
