import FeatureFiles
import Foundation
import Geo
import SocialModel
import Testing

@testable import PinfoldServer

@Suite struct LandmarkMappingTests {
    private static let table = Result {
        try CategoryTable(path: packageFolder.appendingPathComponent("data/landmarks/categories.tsv").path)
    }

    private static let packageFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Texts by column as a record; what begins with `json:` is JSON.
    private func record(_ values: [(String, String?)], id: String? = nil) -> (feature: Feature, columns: [String]) {
        let kept: [Feature.Value] = values.map { _, value in
            guard let value else { return .null }
            return value.hasPrefix("json:") ? .json(String(value.dropFirst(5))) : .text(value)
        }
        return (Feature(row: 7, id: id, values: kept, geometry: nil), values.map(\.0))
    }

    private func draft(
        _ values: [(String, String?)], id: String? = nil, fields: [String: String] = [:], key: String? = nil,
        categories: [String: String] = [:]
    ) throws -> LandmarkDraft {
        let (feature, columns) = record(values, id: id)
        var mapping = try LandmarkMapping(
            columns: columns, mayGrow: false, fields: fields, key: key, categories: categories,
            table: try Self.table.get())
        let coordinate = Coordinate(latitudeE7: 449_469_000, longitudeE7: -931_090_000)
        return try mapping.draft(of: feature, columns: columns, coordinate: coordinate)
    }

    @Test func `the tags of OpenStreetMap become fields`() throws {
        let landmark = try draft(
            [
                ("tourism", "museum"), ("name", "Muzeum"), ("name:de", "Museum "), ("name:etymology", "x"),
                ("name:zh_hant", "博"),
                ("contact:website", "https://example.org/a"), ("website", "example.org"), ("contact:phone", "+1 651"),
                ("opening_hours", "Mo-Fr 09:00-17:00"), ("image", "https://example.org/i.jpg"),
                ("addr:street", "Main Street"),
                ("addr:housenumber", "5"), ("addr:city", "Saint Paul"), ("addr:state", "MN"),
                ("addr:postcode", "55102"),
                ("wheelchair", "yes"), ("wikipedia", "en:Museum"),
            ], id: "node/5")
        #expect(landmark.row == 7 && landmark.key == "node/5" && landmark.name == "Muzeum")
        #expect(landmark.category == .museum && landmark.sourceCategory == "tourism=museum")
        #expect(landmark.names == #"{"de":"Museum","zh-Hant":"博"}"#)
        #expect(landmark.website == "https://example.org/a" && landmark.phone == "+1 651")
        #expect(landmark.openingHours == "Mo-Fr 09:00-17:00" && landmark.imageURL == "https://example.org/i.jpg")
        #expect(landmark.address == "5 Main Street, Saint Paul, MN 55102")
        #expect(
            landmark.properties
                == #"{"name:etymology":"x","tourism":"museum","website":"example.org","wheelchair":"yes","wikipedia":"en:Museum"}"#
        )
    }

    @Test func `columns in other languages become fields`() throws {
        let german = try draft([
            ("ID", "1"), ("Bezeichnung", "Dom"), ("Kategorie", "Kirche"), ("Beschreibung", "<p>Groß &amp; alt</p>"),
            ("Webseite", "http://dom.de"), ("Telefon", "1"), ("Straße", "Domplatz"), ("Hausnr", "3"), ("PLZ", "50667"),
            ("Ort", "Köln"), ("Höhe", "157"),
        ])
        #expect(german.key == "1" && german.name == "Dom" && german.category == .worship)
        #expect(german.description == "Groß & alt" && german.website == "http://dom.de" && german.phone == "1")
        #expect(german.address == "Domplatz 3, 50667 Köln" && german.properties == #"{"Höhe":"157"}"#)
        let polish = try draft(
            [("nazwa", "Wawel"), ("rodzaj", "Zamek"), ("opis", "a"), ("strona www", "https://w.pl")], id: "w")
        #expect(polish.name == "Wawel" && polish.category == .monument && polish.website == "https://w.pl")
        let spanish = try draft([("Nombre", "Prado"), ("tipo", "Museo de Arte"), ("Dirección", "Paseo 1")], id: "p")
        #expect(spanish.name == "Prado" && spanish.category == .museum && spanish.address == "Paseo 1")
    }

    private static let categories: [(String, String, Landmark.Category)] = [
        ("category", "park", .park), ("type", "large_airport", .airport), ("featurecla", "Port", .harbour),
        ("aeroway", "aerodrome", .airport), ("historic", "anything", .monument), ("shop", "no", .other),
        ("amenity", "place_of_worship", .worship), ("category", "Kościół", .worship),
        ("category", "Art Museum", .museum),
        ("category", "Train Station", .station), ("natural", "peak", .nature), ("category", "Zzz", .other),
        ("category", "tourism=museum", .museum), ("amenity", "cafe;bar", .food), ("railway", "station", .station),
        ("type", "Bibliothèque", .library), ("category", "THEATRE", .theatre),
    ]

    @Test(arguments: categories)
    func `categories come from the table`(_ column: String, _ value: String, _ category: Landmark.Category) throws {
        #expect(try draft([("name", "A"), (column, value)], id: "a").category == category)
    }

    @Test func `an import's own categories come first`() throws {
        let own = ["Park": "stadium", "tourism=museum": "library"]
        #expect(try draft([("name", "A"), ("category", "park")], id: "a", categories: own).category == .stadium)
        #expect(try draft([("name", "A"), ("tourism", "museum")], id: "a", categories: own).category == .library)
        let error = #expect(throws: LandmarkMappingError.self) { try draft([("name", "A")], categories: ["x": "y"]) }
        #expect(error?.field == "categories")
        #expect(error?.message.contains("has “y” for “x”") == true)
    }

    @Test func `a field takes the column it is given`() throws {
        let values = [("name", "A"), ("b", "B"), ("c", "museum"), ("category", "park"), ("k", "9")]
        let landmark = try draft(
            values, id: "a", fields: ["name": "b", "category": "c", "name:pl": "name", "latitude": "x"], key: "k")
        #expect(landmark.name == "B" && landmark.category == .museum && landmark.key == "9")
        #expect(landmark.names == #"{"pl":"A"}"# && landmark.properties == #"{"category":"park"}"#)
        for (fields, field) in [(["title": "b"], "title"), (["name": "nowhere"], "name"), (["street": "b"], "street")] {
            let error = #expect(throws: LandmarkMappingError.self) { try draft(values, fields: fields) }
            #expect(error?.field == field)
        }
        #expect(throws: LandmarkMappingError.self) { try draft(values, fields: ["name": "b", "phone": "b"]) }
        #expect(throws: LandmarkMappingError.self) { try draft(values, key: "nowhere") }
    }

    @Test func `a column that never came is told at the end`() throws {
        var mapping = try LandmarkMapping(
            columns: [], fields: ["name": "n", "phone": "p", "name:pl": "q"], key: "k", table: nil)
        let coordinate = Coordinate(latitudeE7: 0, longitudeE7: 0)
        let (feature, columns) = record([("n", "A"), ("k", "1")])
        #expect(try mapping.draft(of: feature, columns: columns, coordinate: coordinate).name == "A")
        #expect(mapping.missingColumns == ["phone": "p", "name:pl": "q"])
        let (other, more) = record([("n", "B"), ("k", "2"), ("p", "3")])
        #expect(try mapping.draft(of: other, columns: more, coordinate: coordinate).phone == "3")
        #expect(mapping.missingColumns == ["name:pl": "q"])
        #expect(mapping.fieldColumns == ["name": "n", "key": "k", "phone": "p"])
    }

    @Test func `without an identifier the key is name and place, and stays`() throws {
        let values = [("name", "A"), ("x", "1")]
        #expect(try draft(values).key == draft(values + [("z", "2")]).key)
        #expect(try draft(values).key != draft([("name", "B")]).key)
        var mapping = try LandmarkMapping(columns: ["name", "id"], table: nil)
        for (id, hasKey) in [("1", true), ("", false)] {
            let (feature, columns) = record([("name", "A"), ("id", id)])
            _ = try mapping.draft(
                of: feature, columns: columns, coordinate: Coordinate(latitudeE7: 1, longitudeE7: 1))
            #expect(mapping.hasKey == hasKey)
        }
    }

    @Test func `a name is found, or the record is refused`() throws {
        #expect(try draft([("name", ""), ("name:de", "D"), ("name:en", "E")]).name == "E")
        #expect(
            try draft([("amenity", "fire_station"), ("amenity", "x")], id: "a", fields: ["name": "amenity"]).name
                == "fire_station")
        #expect(try draft([("tourism", "alpine_hut"), ("ref", "12")], id: "a").name == "alpine hut 12")
        #expect(try draft([("name", "json:42")]).name == "42")
        #expect(try draft([("name", " A\u{0}\u{7}\nB\t ")]).name == "A B")
        for (values, field) in [
            ([("x", "1")], "name"), ([("name", String(repeating: "é", count: 201))], "name"),
            ([("name", "A"), ("description", String(repeating: "x", count: 10_001))], "description"),
            ([("name", "A"), ("id", String(repeating: "x", count: 201))], "id"),
            ([("name", "A" + String(repeating: "\u{301}", count: 40))], "name"),
            ([("name", "A"), ("x", "A" + String(repeating: "\u{301}", count: 40))], "x"),
        ] {
            let fault = #expect(throws: FeatureFault.self) { try draft(values) }
            #expect(fault?.field == field && fault?.row == 7)
        }
        #expect(try draft([("name", String(repeating: "é", count: 200))]).name.count == 200)
        let fault = #expect(throws: FeatureFault.self) { try draft([("name", "A"), ("k", "")], key: "k") }
        #expect(fault?.field == "k")
    }

    @Test(arguments: [
        "javascript:alert(1)", "example.org", "ftp://example.org", "https://", "https:///x", "http://a b",
        "https://a\"b",
        "https://user:word@example.org/",
    ])
    func `what is no address of the web stays a property`(_ text: String) throws {
        let landmark = try draft([("name", "A"), ("website", text), ("image", text)])
        #expect(landmark.website == nil && landmark.imageURL == nil)
        let properties =
            try JSONSerialization.jsonObject(with: Data((landmark.properties ?? "").utf8)) as? [String: String]
        #expect(properties == ["website": text, "image": text])
    }

    @Test func `properties are the rest, in the order of their names, and JSON whatever is in them`() throws {
        let landmark = try draft([
            ("z", "1\"\\\n\u{1}"), ("name", "A"), ("b\"", "json:[1, {\"x y\": \" \\\" \"}]"), ("a", nil),
            ("c", "json:1.50"), ("d", " "),
        ])
        #expect(landmark.properties == #"{"b\"":[1,{"x y":" \" "}],"c":1.50,"z":"1\"\\"}"#)
        let many = (0..<201).map { ("p\($0)", Optional("1")) }
        #expect(throws: FeatureFault.self) { try draft([("name", "A")] + many) }
        #expect(try draft([("name", "A")] + many.dropLast()).properties != nil)
        let fault = #expect(throws: FeatureFault.self) {
            try draft([("name", "A"), ("x", String(repeating: "x", count: 70_000))])
        }
        #expect(fault?.field == "properties")
    }

    @Test func `random records give drafts within their limits or a fault`() throws {
        var random = SplitMix64(seed: 99)
        let pieces = [
            "a", "é", "\u{301}", "😀", "\0", "\n", "\"", "\\", " ", "<b>", "&amp;", "https://x.y/", "\u{202E}", "1",
        ]
        let names =
            LandmarkField.allCases.flatMap { $0.columnNames.prefix(2) } + [
                "name:de", "name_pl", "tourism", "ele", "x:y",
            ]
        var drafts = 0
        var mapping = try LandmarkMapping(columns: names, table: try Self.table.get())
        for _ in 0..<2000 {
            let values: [(String, String?)] = names.map { name in
                guard Bool.random(using: &random) else { return (name, nil) }
                let count = Int.random(in: 0...(Int.random(in: 0..<20, using: &random) == 0 ? 300 : 6), using: &random)
                return (name, (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined())
            }
            let (feature, columns) = record(values)
            do {
                let draft = try mapping.draft(
                    of: feature, columns: columns, coordinate: Coordinate(latitudeE7: 5, longitudeE7: 6))
                drafts += 1
                #expect(
                    (1...200).contains(draft.name.unicodeScalars.count)
                        && (1...200).contains(draft.key.unicodeScalars.count))
                for text in [draft.name, draft.key, draft.address, draft.website, draft.phone, draft.description] {
                    #expect(text?.unicodeScalars.contains { $0.value < 32 && $0 != "\n" && $0 != "\t" } != true)
                }
                for json in [draft.names, draft.properties].compactMap({ $0 }) {
                    #expect(
                        (try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]) != nil, "\(json)")
                }
            } catch {
                #expect(!error.field.isEmpty && !error.message.isEmpty)
            }
        }
        #expect(drafts > 500)
    }

    @Test func `each line of the bundled table is a category`() throws {
        let table = try Self.table.get()
        #expect(table.keys.prefix(2) == ["tourism", "aeroway"])
        #expect(table.category(ofTag: "tourism", value: "museum") == .museum)
        for category in Landmark.Category.allCases { #expect(table.category(ofWords: category.rawValue) == category) }
        #expect(throws: CategoryTableError.self) { try CategoryTable(text: "tourism\tmuseum\tcastle") }
        #expect(throws: CategoryTableError.self) { try CategoryTable(text: "tourism museum museum") }
    }

    @Test func `the bundled datasets are whole`() throws {
        let folder = Self.packageFolder.appendingPathComponent("data/landmarks")
        for (name, count) in [("airports.csv.zst", 28_298), ("saint-paul.geojson", 42)] {
            let file = try FeatureFile(path: folder.appendingPathComponent(name).path, FeatureFile.Options())
            var mapping = try LandmarkMapping(
                columns: file.columns, mayGrow: file.format.columnsMayGrow, table: try Self.table.get())
            var keys: Set<String> = []
            try file.read { item in
                guard case .feature(let feature) = item else {
                    Issue.record("\(item)")
                    return
                }
                let draft = try mapping.draft(
                    of: feature, columns: file.columns, coordinate: Coordinate(latitudeE7: 0, longitudeE7: 0))
                #expect(keys.insert(draft.key).inserted)
                #expect(draft.category != .other || draft.sourceCategory == "other")
            }
            #expect(keys.count == count && mapping.hasKey)
        }
    }
}
