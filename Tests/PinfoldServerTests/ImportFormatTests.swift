import Geo
import SocialModel
import Testing

@testable import PinfoldServer

/// What is read out of a file of each format.
@Suite struct ImportFormatTests {
    static let now = TestClock.start

    private func read(_ text: String, as format: ImportFormat? = nil) throws -> ImportedFile {
        try ImportedFile(parsing: Array(text.utf8), as: format, at: Self.now)
    }

    /// One line a row: what a test compares.
    private func summary(_ file: ImportedFile) -> [String] {
        file.rows.map { row in
            switch row {
            case .rejected(let row, let field, _): "\(row) rejected \(field)"
            case .notPlaced(let row, let name, _): "\(row) not placed: \(name)"
            case .pin(let pin):
                "\(pin.row) \(pin.name) at \(degrees(pin.coordinate.latitude)),\(degrees(pin.coordinate.longitude))"
                    + (pin.comment.map { " (\($0))" } ?? "")
                    + (pin.address.map { " in \($0)" } ?? "") + (pin.rating.map { " *\($0)" } ?? "")
                    + (pin.category.map { " \($0)" } ?? "")
                    + (pin.createdAt.map { " \(JSON(timestamp: $0.milliseconds).text ?? "")" } ?? "")
            }
        }
    }

    private func degrees(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : "\(value)"
    }

    private func keys(_ file: ImportedFile) -> [String] {
        file.rows.compactMap { if case .pin(let pin) = $0 { pin.externalId } else { nil } }
    }

    @Test func `GeoJSON`() throws {
        let file = try read(ImportSamples.geoJSON)
        #expect(file.format == .geojson)
        #expect(
            summary(file) == [
                "1 Ramen at 10.25,20.5 (Long queue) in Main Street 1 *4 food 2019-05-04T10:00:00.000Z",
                "2 Capitol at 44.9,-93.1 (Dome) culture", "3 rejected geometry", "4 not placed: Nowhere",
                "5 rejected longitude", "6 rejected latitude", "7 rejected rating", "8 rejected feature",
                "9 rejected geometry", "10 rejected feature",
            ])
        let keys = keys(file)
        #expect(keys[0] == "node/4711-a")
        #expect(keys[1].hasPrefix("place:"), "an id that is a number within its file says nothing")
    }

    @Test func `one feature, features one a line, Mapstr`() throws {
        #expect(summary(try read(ImportSamples.lines)) == ["1 A at 2,1", "2 rejected feature", "3 C at 6,5"])
        let one =
            #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties": {"name": "A"}}"#
        #expect(summary(try read(one)) == ["1 A at 2,1"])
        #expect(summary(try read("[\(one), \(one)]")) == ["1 A at 2,1", "2 A at 2,1"])
        #expect(
            summary(try read(ImportSamples.mapstr)) == [
                "1 Chez Ana at 48.8566,2.3522 (Le plat du jour) in 1 rue X, Paris food"
            ])
    }

    @Test func `Google Takeout, places and reviews, old and new`() throws {
        let file = try read(ImportSamples.takeout)
        #expect(file.format == .takeout)
        #expect(
            summary(file) == [
                "1 State Capitol at 44.9551,-93.1022 in 75 Rev Dr, St Paul 2023-07-01T12:30:00.000Z",
                "2 not placed: Unnamed place", "3 Unnamed place at 48.5,2.25 2022-01-01T00:00:00.000Z",
                "4 The Old Shop at 51.5254,-0.0871 in Old Street 5 2018-03-09T10:11:12.000Z",
            ])
        #expect(
            keys(file) == [
                "http://maps.google.com/?cid=123", "http://maps.google.com/?q=48.5,2.25",
                "http://maps.google.com/?cid=9",
            ])
        #expect(
            summary(try read(ImportSamples.reviews)) == [
                "1 Café Süd at 52.5,13.4 (Wunderbar) in Straße 1 *5 2021-02-03T04:05:06.789Z"
            ])
    }

    @Test func `saved lists of Google Takeout, in any language`() throws {
        let file = try read(ImportSamples.takeoutList)
        #expect(file.format == .takeout)
        #expect(
            summary(file) == [
                "5 Gesetzte Markierung at 51.3379107,12.3724663 (Klettergebiet)",
                "6 Chez Paul, Lyon at 45.764,4.8357 (Le meilleur)", "7 Café at 48.1,11.5", "8 not placed: Irgendwo",
            ])
        let japanese = "タイトル,メモ,URL,コメント\r\n教会,静か,\"https://maps.google.com/?q=35.5,139.25\",また\r\n"
        #expect(summary(try read(japanese)) == ["2 教会 at 35.5,139.25 (静か\nまた)"])
        #expect(summary(try read("Title,Note,URL\nBar,,https://maps.app.goo.gl/x")) == ["2 not placed: Bar"])
    }

    @Test(arguments: [
        ("https://www.google.com/maps/place/X/@48.1,11.5,17z/data=!3m1!8m2!3d48.25!4d-11.75", 48.25, -11.75),
        ("https://www.google.com/maps/search/-1.5,+2.5?entry=tts", -1.5, 2.5),
        ("https://maps.google.com/?ll=1.5,2.5&z=3", 1.5, 2.5), ("https://maps.google.com/maps?q=1.5%2C2.5", 1.5, 2.5),
        ("https://www.google.com/maps/@1.5,2.5,3z", 1.5, 2.5),
        ("https://www.google.com/maps/search/?api=1&query=1.5%2C2.5", 1.5, 2.5),
    ])
    func `links with positions`(link: String, latitude: Double, longitude: Double) throws {
        let found = try #require(MapsLink.coordinate(in: link))
        #expect(found.latitude == latitude && found.longitude == longitude)
    }

    @Test(arguments: [
        "", "https://maps.google.com/?cid=1", "https://maps.google.com/?q=10,20+Street", "/@1.5,", "/@95.5,1.5",
        "/@1.5,181.5", "!3d1.5", "!3d1.5!4d", "/@-,-", "/@1.5;2.5", "q=1.5,2.5",
    ])
    func `links without`(link: String) {
        #expect(MapsLink.coordinate(in: link) == nil)
    }

    @Test func `check-ins of Swarm: one place a venue`() throws {
        let file = try read(ImportSamples.swarm)
        #expect(file.format == .swarm)
        #expect(
            summary(file) == [
                "1 Cafe at 52.37,4.89 (Again\nFirst) 2020-01-01T10:00:00.000Z", "3 not placed: Unnamed place",
                "4 not placed: Bridge",
            ])
        #expect(keys(file) == ["swarm:v1"])
        #expect(
            summary(try read(ImportSamples.swarmAPI)) == [
                "1 Sightglass at 37.777,-122.4085 in 270 7th St food 2020-01-01T10:00:00.000Z"
            ])
    }

    @Test func `waypoints of GPX`() throws {
        let file = try read(ImportSamples.gpx)
        #expect(file.format == .gpx)
        #expect(
            summary(file) == [
                "1 Capitol & park at 44.9551,-93.1022 (Nice view\nBy the steps\nhttps://example.org/capitol) culture "
                    + "2019-06-01T08:00:00.000Z", "2 rejected latitude", "3 rejected latitude", "4 rejected geometry",
            ])
        let old = """
            <gpx version="1.0"><wpt lat="1" lon="2"><name>A</name><url>https://example.org</url></wpt></gpx>
            """
        #expect(summary(try read(old)) == ["1 A at 1,2 (https://example.org)"])
    }

    @Test func `placemarks of KML`() throws {
        let file = try read(ImportSamples.kml)
        #expect(file.format == .kml)
        #expect(
            summary(file) == [
                "1 Lake at 10.25,20.5 (Clear water\nSwim & rest\nFish é) *5 nature 2018-07-01T00:00:00.000Z",
                "2 rejected geometry", "3 not placed: 1 Main Street", "4 Both at 2,1", "5 rejected coordinates",
            ])
        #expect(keys(file).first == "placemark-0001")
    }

    @Test func `CSV with decimal commas, and our own`() throws {
        let file = try read(ImportSamples.csv)
        #expect(file.format == .csv)
        #expect(
            summary(file) == [
                "2 Ramen; the good one at 10.5,20.25 (Two\nlines) *5 food 2019-05-04T10:00:00.000Z",
                "3 rejected latitude", "4 rejected longitude", "5 rejected rating", "7 not placed: Blank",
            ])
        let own = try read(ImportSamples.ownCSV)
        #expect(summary(own) == ["2  x  at 10.5,20.25 (a \"b\") *3 food 2019-05-04T10:00:00.000Z"])
        guard case .pin(let pin) = own.rows[0] else { return }
        #expect(pin.externalId == "ext-1" && pin.pinId == Identifier(1_883_193_842_073_600_000))
    }

    @Test func `spellings of columns, delimiters and encodings`() throws {
        let expected = ["2 A at 1.5,2.5"]
        for header in [
            "name,latitude,longitude", "Title,LAT,LON", "NAME,Y,X", "label,lat,long", "name,Lat,Lng",
            "Titel,Breitengrad,Längengrad", " name , latitude , longitude ",
        ] {
            #expect(summary(try read("\(header)\nA,1.5,2.5\n")) == expected, "\(header)")
            #expect(summary(try read("\u{FEFF}\(header)\r\nA,1.5,2.5")) == expected, "\(header)")
            let tabs = "\(header)\rA,1.5,2.5\r".replacing(",", with: "\t")
            #expect(summary(try read(tabs)) == expected, "\(header)")
        }
        let text = "name;latitude;longitude\nZoë 🍜;1.5;2.5\n"
        for isLittle in [true, false] {
            let units = [0xFEFF] + Array(text.utf16)
            let bytes = units.flatMap { unit -> [UInt8] in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
                return isLittle ? [low, high] : [high, low]
            }
            let file = try ImportedFile(parsing: bytes, as: nil, at: Self.now)
            #expect(summary(file) == ["2 Zoë 🍜 at 1.5,2.5"])
        }
    }

    @Test func `a long text is cut and said to be, a name is found`() throws {
        let long = String(repeating: "👩‍👩‍👧", count: 4000)
        let file = try read("name,comment,lat,lon,address\n\(long),\(long),1,2,\(long)\n,,1,2,Main Street\n,,1,2,\n")
        guard case .pin(let pin) = file.rows[0], case .pin(let second) = file.rows[1],
            case .pin(let third) = file.rows[2]
        else { throw ImportFault("a row is no pin") }
        #expect(Set(pin.shortened) == ["name", "comment", "address"])
        #expect((150...200).contains(pin.name.unicodeScalars.count) && pin.name.hasSuffix("👩‍👩‍👧…"))
        #expect((9_900...10_000).contains(pin.comment?.unicodeScalars.count ?? 0))
        #expect((450...500).contains(pin.address?.unicodeScalars.count ?? 0))
        #expect(second.name == "Main Street" && third.name == "Unnamed place" && third.shortened.isEmpty)
        let marks = "name,lat,lon\na\(String(repeating: "\u{301}", count: 40)),1,2\n"
        #expect(summary(try read(marks)) == ["2 rejected name"])
    }

    @Test func `times: known forms are read, others and the future are left out`() throws {
        for (text, time) in [
            ("2020-01-02", "2020-01-02T00:00:00.000Z"), ("2020-01-02T03:04:05", "2020-01-02T03:04:05.000Z"),
            ("2020-01-02 03:04:05.5", "2020-01-02T03:04:05.500Z"),
            ("2020-01-02T03:04:05+02:00", "2020-01-02T01:04:05.000Z"), ("1970-01-01", "1970-01-01T00:00:00.000Z"),
        ] {
            #expect(summary(try read("name,lat,lon,created\nA,1,2,\(text)")) == ["2 A at 1,2 \(time)"], "\(text)")
        }
        for text in ["yesterday", "1969-12-31", "2999-01-01", "2020-02-30", "1577872800", "0000-00-00", ""] {
            #expect(summary(try read("name,lat,lon,created\nA,1,2,\(text)")) == ["2 A at 1,2"], "\(text)")
        }
    }

    @Test(arguments: [
        "", " \n", "hello", "a,b\n1,2\n", "{", "[", "{}", "{\"a\":1}", "{\"type\":\"FeatureCollection\"}",
        "{\"features\":5}", "{\"features\":[1,}", "{\"features\":[],\"features\":[]}", "<html><body/></html>", "<gpx>",
        "<kml></gpx>", "PK\u{3}\u{4}", "null", "\"x\"", "[1,2", "<", "<?xml version=\"1.0\" encoding=\"UTF-7\"?><gpx/>",
    ])
    func `what is no file of places says so`(text: String) {
        #expect(throws: ImportFault.self) { try self.read(text) }
    }

    @Test func `a format that is asked for is the one that is read`() throws {
        #expect(throws: ImportFault.self) { try self.read(ImportSamples.gpx, as: .csv) }
        #expect(throws: ImportFault.self) { try self.read(ImportSamples.csv, as: .geojson) }
        #expect(throws: ImportFault.self) { try self.read(ImportSamples.csv, as: .kml) }
        #expect(try read(ImportSamples.takeoutList, as: .csv).rows.count == 4)
        #expect(try read(ImportSamples.takeout, as: .geojson).rows.count == 4)
        #expect(try read(ImportSamples.gpx, as: .kml).rows.isEmpty)
    }
}
