import Foundation
import FoundationXML
import Geo
import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

/// One's own pins as files, each read by a reader that knows nothing of the writer.
@Suite struct PinFileTests {
    /// Texts that formats and the programs behind them stumble over.
    static let texts = [
        "plain", "a,b;c\td", "\"quoted\" and 'quoted'", "=1+1", "+1", "-1", "@SUM(A1)", "'=1", "''@x", "'plain", "\tx",
        "\rx", "\nx", "line\r\nline\nline\rline", " around ", "<b>&amp;</b>]]>&#13;<!--", "\u{FF1D}1", "=\u{301}1",
        "🍜 北京 Ὀδυσσεύς", "e\u{301}\u{200B}\u{202E}", "\u{1}\u{B}\u{1F}x\u{7F}\u{85}", "\u{FFFE}x\u{FFFF}\u{2028}",
        String(repeating: "long, ", count: 30),
    ]

    /// Drops pins of all that a pin can be, and gives them back, oldest first.
    private func drop(_ app: TestApp, _ ana: Person, circle: JSON) async throws -> [ExportedPin] {
        var generator = SplitMix64(seed: 7)
        var pins: [ExportedPin] = []
        for (index, text) in Self.texts.enumerated() {
            let other = Self.texts[(index * 5 + 3) % Self.texts.count]
            var more: [String: JSON] = ["category": .string(generator.pick(Pin.Category.allCases).rawValue)]
            if index % 2 == 0 { more["rating"] = .number(Double(index % 5 + 1)) }
            if index % 3 == 0 { more["audience"] = "private" }
            if index % 7 == 1 { (more["audience"], more["circleId"]) = ("circle", circle) }
            if index % 4 != 0 { more["comment"] = .string(index % 8 == 1 ? "" : other) }
            if index % 5 != 0 { more["address"] = .string(Self.texts[(index * 3 + 1) % Self.texts.count]) }
            let coordinate = Coordinate.random(using: &generator)
            let pin = try await ana.drop(text, at: coordinate.latitude, coordinate.longitude, .object(more))
            let externalId = index % 2 == 1 ? String(other.prefix(200)) : nil
            try await app.database.write { write in
                try write.run("UPDATE pin SET externalId = \(externalId) WHERE id = \(pin.id)")
            }
            pins.append(ExportedPin(pin: pin, externalId: externalId))
            app.clock.advance(.milliseconds(1501))
        }
        return pins
    }

    private struct ExportedPin {
        let pin: Pin
        let externalId: String?
    }

    /// A service with the pins of Ana, whose friend has some too.
    private func withPins(_ body: (Person, [ExportedPin]) async throws -> Void) async throws {
        try await withApp(TestApp.Setup(hasGazetteer: true)) { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            try await ben.drop("Not Ana's")
            try await ana.drop("Deleted").deleted(by: ana)
            let circle = try await ana.post(
                "/v1/circles", ["name": "Some", "members": ["\(ben.id)"]], expect: .created)
            try await body(ana, try await drop(app, ana, circle: circle.json["id"] ?? .null))
        }
    }

    private func file(_ format: PinFileFormat, of person: Person) async throws -> Answer {
        let answer = try await person.get("/v1/me/pins.\(format.rawValue)", expect: .ok)
        #expect(answer.header("Content-Type") == format.mediaType)
        #expect(answer.header("Content-Disposition") == "attachment; filename=\"pins.\(format.rawValue)\"")
        #expect(answer.header("Cache-Control") == "private, no-cache")
        return answer
    }

    @Test func `GeoJSON has each pin as the API gives it`() async throws {
        try await withPins { ana, pins in
            let file = try await file(.geojson, of: ana).json
            let list = try await ana.get("/v1/pins?f=geojson&owner=\(ana.id)", expect: .ok).json
            let newestFirst = list["features"]?.elements ?? []
            #expect(file["type"] == "FeatureCollection" && file.members.count == 2)
            #expect(file["features"]?.elements.count == pins.count)
            #expect(file["features"]?.elements == newestFirst.reversed())
        }
    }

    @Test func `CSV gives back every text to the byte`() async throws {
        try await withPins { ana, pins in
            var records = try CSVReader.records(try await file(.csv, of: ana).response.body)
            let columns = records.removeFirst().map { $0 ?? "" }
            #expect(
                columns == [
                    "id", "name", "latitude", "longitude", "address", "addressSource", "comment", "rating", "category",
                    "audience", "circleId", "createdAt", "updatedAt", "externalId",
                ])
            #expect(records.count == pins.count)
            for (record, exported) in zip(records, pins) {
                let pin = exported.pin
                #expect(record.count == columns.count)
                let cells = Dictionary(uniqueKeysWithValues: zip(columns, record))
                func cell(_ name: String) -> String? { cells[name] ?? nil }
                func text(_ name: String) -> String? { cell(name).map(SpreadsheetText.unguarded) }
                #expect(cell("id") == pin.id.description)
                #expect(text("name").map(Array.init(utf8:)) == Array(pin.name.utf8))
                #expect(text("comment").map(Array.init(utf8:)) == pin.comment.map(Array.init(utf8:)))
                #expect(text("address").map(Array.init(utf8:)) == pin.address.map(Array.init(utf8:)))
                #expect(cell("addressSource") == pin.addressSource?.rawValue)
                #expect(cell("rating") == pin.rating.map(String.init))
                #expect(cell("category") == pin.category.rawValue && cell("audience") == pin.audience?.kind.rawValue)
                #expect(cell("circleId") == pin.audience?.circle?.description)
                #expect(text("externalId").map(Array.init(utf8:)) == exported.externalId.map(Array.init(utf8:)))
                #expect(cell("createdAt").map(JSON.string) == JSON(timestamp: pin.createdAt.milliseconds))
                #expect(cell("updatedAt").map(JSON.string) == JSON(timestamp: pin.updatedAt.milliseconds))
                #expect(coordinate(cell("latitude"), cell("longitude")) == pin.coordinate)
                for name in ["name", "comment", "address", "externalId"] {
                    let first = cell(name)?.unicodeScalars.first
                    #expect(first.map { !"=+-@\t\r\n\u{FF1D}".unicodeScalars.contains($0) } ?? true)
                }
            }
        }
    }

    @Test func `GPX and KML say all of a pin that XML can hold`() async throws {
        try await withPins { ana, pins in
            let gpx = try XMLNode.parse(try await file(.gpx, of: ana).response.body)
            #expect(gpx.name == "gpx" && gpx.attributes["version"] == "1.1")
            #expect(gpx.namespace == "http://www.topografix.com/GPX/1/1")
            #expect(gpx.children.map(\.name) == pins.map { _ in "wpt" })
            for (node, exported) in zip(gpx.children, pins) {
                let pin = exported.pin
                let extensions = node["extensions"]
                #expect(extensions?.children.allSatisfy { $0.namespace == "urn:pinfold:pin:1" } == true)
                #expect(coordinate(node.attributes["lat"], node.attributes["lon"]) == pin.coordinate)
                #expect(node["name"]?.text == Self.xml(pin.name) && node["desc"]?.text == Self.xml(pin.comment))
                #expect(node["time"]?.text.map(JSON.string) == JSON(timestamp: pin.createdAt.milliseconds))
                #expect(node["type"]?.text == pin.category.rawValue)
                expect(exported) { extensions?[$0]?.text }
                #expect(extensions?["address"]?.text == Self.xml(pin.address))
            }
            let document = try #require(try XMLNode.parse(try await file(.kml, of: ana).response.body)["Document"])
            #expect(document.namespace == "http://www.opengis.net/kml/2.2")
            let placemarks = document.children.filter { $0.name == "Placemark" }
            #expect(placemarks.count == pins.count)
            for (node, exported) in zip(placemarks, pins) {
                let pin = exported.pin
                let parts = node["Point"]?["coordinates"]?.text?.split(separator: ",").map(String.init) ?? []
                #expect(parts.count == 2 && coordinate(parts.last, parts.first) == pin.coordinate)
                #expect(node["name"]?.text == Self.xml(pin.name) && node["description"]?.text == Self.xml(pin.comment))
                #expect(node["address"]?.text == Self.xml(pin.address))
                let when = node["TimeStamp"]?["when"]?.text
                #expect(when.map(JSON.string) == JSON(timestamp: pin.createdAt.milliseconds))
                let data = node["ExtendedData"]?.children ?? []
                expect(exported) { name in data.first { $0.attributes["name"] == name }?["value"]?.text }
                #expect(data.first { $0.attributes["name"] == "category" }?["value"]?.text == pin.category.rawValue)
            }
        }
    }

    private func expect(_ exported: ExportedPin, _ value: (String) -> String?) {
        let pin = exported.pin
        #expect(value("id") == pin.id.description)
        #expect(value("addressSource") == pin.addressSource?.rawValue)
        #expect(value("rating") == pin.rating.map(String.init))
        #expect(value("audience") == pin.audience?.kind.rawValue)
        #expect(value("circleId") == pin.audience?.circle?.description)
        #expect(value("externalId") == Self.xml(exported.externalId))
        #expect(value("updatedAt").map(JSON.string) == JSON(timestamp: pin.updatedAt.milliseconds))
    }

    /// What XML can hold of a text, by the rule of XML 1.0, 2.2.
    private static func xml(_ text: String?) -> String? {
        text.map { text in
            var kept = String.UnicodeScalarView()
            for scalar in text.unicodeScalars {
                let isControl = scalar.value < 0x20 && !["\t", "\n", "\r"].contains(scalar)
                kept.append(isControl || scalar == "\u{FFFE}" || scalar == "\u{FFFF}" ? "\u{FFFD}" : scalar)
            }
            return String(kept)
        }
    }

    /// The coordinate of two texts that have seven decimals and no exponent.
    private func coordinate(_ latitude: String?, _ longitude: String?) -> Coordinate? {
        guard let latitude, let longitude, let north = latitude.wholeMatch(of: /-?[0-9]{1,2}\.[0-9]{7}/)?.output,
            let east = longitude.wholeMatch(of: /-?[0-9]{1,3}\.[0-9]{7}/)?.output,
            let northE7 = Int32(north.replacing(".", with: "")), let eastE7 = Int32(east.replacing(".", with: ""))
        else { return nil }
        return Coordinate(latitudeE7: northE7, longitudeE7: eastE7)
    }

    @Test func `no text is a formula, and every text comes back`() {
        var generator = SplitMix64(seed: 3)
        let alphabet: [Unicode.Scalar] = ["'", "=", "+", "-", "@", "\t", "\r", "\n", "a", " ", "\u{301}", "\u{FF0B}"]
        var cells: [[UInt8]: [UInt8]] = [:]
        for _ in 0..<20_000 {
            var view = String.UnicodeScalarView()
            for _ in 0..<generator.int(0..<6) { view.append(generator.pick(alphabet)) }
            let text = String(view)
            let cell = SpreadsheetText.guarded(text)
            #expect(Array(SpreadsheetText.unguarded(cell).utf8) == Array(text.utf8))
            let isFormula = cell.unicodeScalars.first.map { "=+-@\t\r\n\u{FF0B}".unicodeScalars.contains($0) } ?? false
            #expect(!isFormula)
            let former = cells.updateValue(Array(text.utf8), forKey: Array(cell.utf8))
            #expect(former == nil || former == Array(text.utf8), "two texts are one cell")
        }
    }

    @Test func `many pins come oldest first, those of one moment by id, and each once`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            var generator = SplitMix64(seed: 5)
            let now = app.clock.now
            let pins = (0..<2_345).map { index in
                let owner = index % 7 == 0 ? 1 : ana.id.rawValue
                return ModelPin.random(id: now << 20 + Int64(5_000 - index), owner: owner, now: now, using: &generator)
            }
            try await app.database.write { write in
                try ModelPin.insertPeople([1], in: write)
                try ModelPin.insertFriends([1], of: ana.id.rawValue, in: write)
                try ModelPin.insert(pins, in: write)
            }
            let expected = pins.filter { $0.owner == ana.id.rawValue }
                .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map { String($0.id) }
            let features = try await file(.geojson, of: ana).json["features"]?.elements ?? []
            #expect(features.compactMap { $0["id"]?.text } == expected)
            let records = try CSVReader.records(try await file(.csv, of: ana).response.body)
            #expect(records.dropFirst().map { $0.first ?? nil } == expected)
            for format in [PinFileFormat.gpx, .kml] {
                let text = try await file(format, of: ana).text
                let found = text.matches(of: /(?:<pinfold:id>|<Data name="id"><value>)([0-9]+)</)
                let ids = found.map { String($0.output.1) }
                #expect(ids == expected, "\(format)")
            }
        }
    }

    @Test(arguments: PinFileFormat.allCases)
    func `who has no pins gets an empty file`(format: PinFileFormat) async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            try await ben.drop("Not Ana's")
            let answer = try await file(format, of: ana)
            #expect(!answer.text.contains("Not Ana's"))
            switch format {
            case .geojson: #expect(answer.json == ["type": "FeatureCollection", "features": []])
            case .gpx: #expect(try XMLNode.parse(answer.response.body).children.isEmpty)
            case .kml: #expect(try XMLNode.parse(answer.response.body)["Document"]?["Placemark"] == nil)
            case .csv: #expect(try CSVReader.records(answer.response.body).count == 1)
            }
            let path = "/v1/me/pins.\(format.rawValue)"
            try await client.get(path, expect: .unauthorized)
            #expect(try await ana.get(path + "?limit=1", expect: .badRequest).faults == ["limit"])
            #expect(try await ana.send("HEAD", path, expect: .ok).response.body.isEmpty)
            try await ana.post(path, expect: .methodNotAllowed)
            try await ana.get("/v1/me/pins.shp", expect: .notFound)
        }
    }
}

extension Pin {
    fileprivate func deleted(by owner: Person) async throws {
        try await owner.delete("/v1/pins/\(id)", expect: .noContent)
    }
}

extension [UInt8] {
    fileprivate init(utf8 text: String) { self = Array(text.utf8) }
}
