import HTTP
import Testing

@testable import PinfoldServer

/// Files that mean ill, and files that chance has bitten: an error or rows, never a crash, and never long.
@Suite struct ImportHostileTests {
    private func read(_ bytes: [UInt8]) throws -> ImportedFile {
        try ImportedFile(parsing: bytes, as: nil, at: TestClock.start)
    }

    private func fault(_ text: String) -> String? {
        do {
            _ = try read(Array(text.utf8))
            return nil
        } catch {
            return (error as? ImportFault)?.message
        }
    }

    @Test func `a document type is refused, whatever it declares`() {
        let laughs = (1...20).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }.joined()
        let parameters = (1...20).map { "<!ENTITY % p\($0) \"\(String(repeating: "%p\($0 - 1);", count: 10))\">" }
            .joined()
        for subset in [
            "<!ENTITY l0 \"ha\">\(laughs)", "<!ENTITY x SYSTEM \"file:///etc/passwd\">",
            "<!ENTITY x SYSTEM \"http://127.0.0.1:9/\">", "<!ENTITY % p0 \"x\">\(parameters)%p20;", "",
        ] {
            let text = "<!DOCTYPE gpx [\(subset)]><gpx><wpt lat=\"1\" lon=\"2\"><name>&l20;&x;</name></wpt></gpx>"
            #expect(fault(text)?.contains("document type") == true)
        }
        #expect(fault("<!DOCTYPE kml SYSTEM \"http://127.0.0.1:9/x.dtd\"><kml/>")?.contains("document type") == true)
        #expect(fault("<gpx><wpt lat=\"1\" lon=\"2\"><name>&x;</name></wpt></gpx>")?.contains("entity") == true)
    }

    @Test func `deep and wide XML is refused`() {
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(fault("<kml>\(deep)") != nil)
        let attributes = (0..<100_000).map { "a\($0)=\"\"" }.joined(separator: " ")
        #expect(fault("<gpx \(attributes)/>")?.contains("attributes") == true)
        let spaces = (0..<31).map { "xmlns:a\($0)=\"u\"" }.joined(separator: " ")
        #expect(fault("<kml>" + String(repeating: "<a \(spaces)>", count: 300))?.contains("deeper") == true)
        #expect(fault("<gpx>" + String(repeating: "<z:a/>", count: 100_000) + "</gpx>") == nil)
        let comment = "<!--" + String(repeating: "<!-", count: 100_000) + " -->"
        #expect(fault("<gpx>\(comment)<?p \(comment)?></gpx>") == nil)
        #expect(fault("<gpx a=\"\(String(repeating: "x", count: 300_000))\"/>") == nil)
        // Neither comments nor character data are tags.
        #expect(fault("<kml><!-- \(attributes) --><a><![CDATA[<a \(attributes)>]]></a></kml>") == nil)
    }

    @Test func `long runs of anything are read in one pass`() throws {
        let count = 100_000
        for piece in [
            "{", "[", "[[", "{\"a\":", "\"", "\\", "\"\\", "<", "<a", "<!--", "<a ", "<![CDATA[", "<![CDATA[]]>", "<?",
            "<a b='", "&", ",", ";", "\n", "\"\"", "\u{1E}",
        ] {
            for start in ["", "{\"features\":[", "{\"features\":[\"", "name,lat,lon\n", "name,lat,lon\n\"", "<kml>"] {
                _ = fault(start + String(repeating: piece, count: count))
            }
        }
        let html = String(repeating: "<b", count: count) + String(repeating: "&amp", count: count)
        #expect(PlainText.ofHTML(html).utf8.count == html.utf8.count)
        #expect(MapsLink.coordinate(in: String(repeating: "!3d1.5", count: count)) == nil)
    }

    @Test func `of a record of very many fields the first ones are read`() throws {
        let commas = String(repeating: ",", count: 100_000)
        var records = CSVRecords(Array("a\(commas)\nb,c".utf8), delimiter: UInt8(ascii: ","))
        #expect(records.next()?.count == CSVRecords.fieldLimit)
        #expect(records.next() == ["b", "c"])
        #expect(records.next() == nil)
        let file = try read(Array("name,lat,lon\(commas)\nA,1,2\(commas)\n".utf8))
        #expect(file.rows.count == 1)
        // Blank lines are no features, however many they are.
        let feature = #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}}"#
        let lines = "\(feature)\n\(String(repeating: " \n", count: 100_000))\(feature)"
        #expect(try read(Array(lines.utf8)).rows.count == 2)
    }

    /// Each of the elements goes into a list of the place; a million of them are within what may be sent.
    @Test(arguments: ["<desc/>", "<cmt/>", "<type/>", "<sym/>", "<url/>", "<extensions><note/></extensions>"])
    func `a waypoint of very many details is read in one pass`(detail: String) throws {
        let details = String(repeating: detail, count: 300_000)
        let text = """
            <gpx><wpt lat="1" lon="2"><url>u</url><desc>a</desc><type>bar</type>\(details)<cmt>b</cmt></wpt></gpx>
            """
        guard case .pin(let pin) = try read(Array(text.utf8)).rows.first else {
            Issue.record("is no pin")
            return
        }
        #expect(pin.comment == "b\na\nu")
        #expect(pin.category == .nightlife)
    }

    @Test func `a long folder name is not read again for each place`() throws {
        let name = String(repeating: "é ", count: 1_000_000)
        let placemark = "<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>"
        let placemarks = String(repeating: placemark, count: ImportedRows.limit)
        let text = "<kml><Folder><name>museum \(name)</name>\(placemarks)</Folder></kml>"
        let rows = try read(Array(text.utf8)).rows
        #expect(rows.count == ImportedRows.limit)
        guard case .pin(let pin) = rows.last else {
            Issue.record("is no pin")
            return
        }
        #expect(pin.category == .culture)
    }

    @Test func `more places than may be are refused`() throws {
        let row = "A,1,2\n"
        let most = "name,lat,lon\n" + String(repeating: row, count: ImportedRows.limit)
        #expect(try read(Array(most.utf8)).rows.count == ImportedRows.limit)
        #expect(fault(most + row)?.contains("10000") == true)
        #expect(fault("[" + String(repeating: "1,", count: ImportedRows.limit) + "1]")?.contains("10000") == true)
        #expect(
            fault("<gpx>" + String(repeating: "<wpt/>", count: ImportedRows.limit + 1) + "</gpx>")?.contains("10000")
                == true)
    }

    @Test func `mutations of good files never crash`() throws {
        var generator = SplitMix64(seed: 7)
        let samples = ImportSamples.all.map { Array($0.utf8) }
        let pieces = ["\"", "{", "}", "[", "]", "<", ">", "&", ",", "\n", "\\u", "1e999", "-", "\0", "\u{FEFF}", "é"]
            .map { Array($0.utf8) }
        var (read, refused) = (0, 0)
        for _ in 0..<4000 {
            var bytes = generator.pick(samples)
            for _ in 0..<generator.int(1..<6) where !bytes.isEmpty {
                let at = generator.int(0..<bytes.count)
                let end = min(bytes.count, at + generator.int(1..<40))
                switch generator.int(0..<6) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.removeSubrange(at..<end)
                case 2: bytes.insert(contentsOf: generator.pick(pieces), at: at)
                case 3: bytes.insert(contentsOf: bytes[at..<end], at: generator.int(0..<bytes.count))
                case 4: bytes.removeSubrange(at...)
                default: bytes[at] ^= 1 << UInt8(generator.int(0..<8))
                }
            }
            let format = generator.chance(20) ? generator.pick(ImportFormat.allCases) : nil
            do {
                let file = try ImportedFile(parsing: bytes, as: format, at: TestClock.start)
                read += 1
                for case .pin(let pin) in file.rows {
                    #expect((1...200).contains(pin.name.unicodeScalars.count) && pin.name.isStreamSafe)
                    #expect((1...200).contains(pin.externalId.unicodeScalars.count))
                    #expect(pin.comment?.unicodeScalars.count ?? 0 <= 10_000)
                    #expect(pin.rating.map { (1...5).contains($0) } ?? true)
                }
            } catch is ImportFault {
                refused += 1
            }
        }
        #expect(read > 500 && refused > 500)
    }
}
