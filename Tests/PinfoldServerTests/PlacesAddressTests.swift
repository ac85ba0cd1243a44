import Foundation
import Geo
import HTTP
import Storage
import Testing

@testable import PinfoldServer

/// Gazetteers of addresses that admins add.
@Suite struct PlacesAddressTests {
    private static let addresses = """
        \u{FEFF}Hash,LON,lat,Number,STREET,unit,City,District,Region,Postcode,ID\r
        h1,20.0001,10.0001,12,"Main Street, North",,Middle,,Here,55101,1\r
        h2,20.0010,10.0010,7a,Oak Lane,,,Old District,Here,,2\r
        ,20.0020,10.0020,,Harbour,,Middle,,,,\r
        ,1000,10,1,Nowhere,,,,,,\r
        h5,20.01,10.01,5,,,Middle,,,,\r
        """

    @Test func `addresses come before the town, and are places`() throws {
        try AddedFolder.with { folder, added in
            let file = try AddedFolder.write("xt.csv", Self.addresses.utf8, folder)
            let report = try added.add(file, as: "xt")
            #expect(report.addresses == 3 && report.bad == 2)
            #expect(report.badRows.map(\.line) == [5, 6])
            let gazetteer = try AddedFolder.open(folder)
            defer { gazetteer.close() }
            func label(_ position: String) throws -> String? {
                try gazetteer.reverse(Coordinate(parsing: position)).label
            }
            #expect(try label("10.0001,20.0001") == "Main Street, North 12, Middle, Here, Testland")
            #expect(try label("10.0011,20.0010") == "Oak Lane 7a, Middle, Here, Testland")
            #expect(try label("10.0020,20.0021") == "Harbour, Middle, Here, Testland")
            #expect(try label("10.01,20.01") == "Middle, Here, Testland")
            #expect(try gazetteer.reverse(Coordinate(parsing: "10.0001,20.0001")).placeID == 2)

            let ids = try rows(folder)
            #expect(ids.count == 3 && Set(ids).count == 3 && ids.allSatisfy { $0 >= AddressRows.firstID })
            let places = try ids.map { try #require(try gazetteer.place($0)) }
            #expect(Set(places.map(\.name)) == ["Main Street, North 12", "Oak Lane 7a", "Harbour"])
            let oak = try #require(places.first { $0.name == "Oak Lane 7a" })
            #expect(oak.label == "Oak Lane 7a, Old District, Here, Testland")
            #expect(oak.timezone == "Africa/Ndjamena" && oak.featureCode == "address")
            #expect(oak.parents.map(\.kind) == [.place, .admin1, .country])
            #expect(try gazetteer.place(AddressRows.firstID) == nil)

            // Added again, even in another order, they keep their ids.
            let lines = Self.addresses.split(separator: "\r\n")
            let shuffled = [lines[0], lines[3], lines[1], lines[2]].joined(separator: "\n")
            _ = try added.add(AddedFolder.write("other.csv", shuffled.utf8, folder), as: "xt")
            #expect(try Set(rows(folder)) == Set(ids))
        }
    }

    /// The ids of the addresses that are stored.
    private func rows(_ folder: String) throws -> [Int64] {
        var ids: [Int64] = []
        for file in AddedGazetteers(beside: folder + "/places.db").files {
            try file.forEachRow(progress: { _ in }) { if $0.equals(0, "address") { ids.append(try $0.identifier(1)) } }
        }
        return ids
    }

    @Test func `the nearest address is the one that comparing with all of them finds`() throws {
        var generator = SystemRandomNumberGenerator()
        try AddedFolder.with { folder, added in
            // Around the antimeridian, a pole and a place in between.
            let centres = [(-16.8, 179.9999), (89.9995, 10), (10, 20), (60, -180)]
            var points: [Coordinate] = []
            for _ in 0..<600 {
                let centre = centres.randomElement(using: &generator) ?? (0, 0)
                let latitude = min(90, centre.0 + .random(in: -0.002...0.002, using: &generator))
                var longitude = centre.1 + .random(in: -0.002...0.002, using: &generator)
                if longitude >= 180 { longitude -= 360 }
                if longitude < -180 { longitude += 360 }
                points.append(try #require(Coordinate(latitude: latitude, longitude: longitude)))
            }
            let rows = points.enumerated().map { "\($1.longitude),\($1.latitude),\($0),Street" }
            let file = try AddedFolder.write(
                "xt.csv", (["lon,lat,number,street"] + rows).joined(separator: "\n").utf8, folder)
            #expect(try added.add(file, as: "xt").addresses == points.count)
            try AddedFolder.open(folder).close()
            let database = try DatabasePool(
                DatabasePool.Configuration(path: folder + "/places.db", clock: { 0 }),
                migrations: GazetteerSchema.migrations)
            defer { database.close() }
            var found = 0
            for point in points {
                let position = Coordinate(
                    latitudeE7: min(900_000_000, point.latitudeE7 + .random(in: -5000...5000, using: &generator)),
                    longitudeE7: point.longitudeE7)
                let nearest = try database.read { try Address.nearest(to: position, in: $0) }
                let best = points.enumerated().map { (Geodesic.distance(position, $1), $0) }
                    .filter { $0.0 <= Address.reach }.min { $0 < $1 }
                #expect(nearest.map { Geodesic.distance(position, $0.coordinate) } == best?.0)
                if nearest != nil { found += 1 }
            }
            #expect(found > 500)
        }
    }

    @Test func `a number comes before or behind the street as the country has it`() throws {
        try AddedFolder.with { folder, added in
            let file = try AddedFolder.write("xt.csv", Self.addresses.utf8, folder)
            _ = try added.add(file, as: "xt")
            let gazetteer = try AddedFolder.open(folder)
            defer { gazetteer.close() }
            let address = try #require(
                try gazetteer.address(near: Coordinate(parsing: "10.0010,20.0010")))
            #expect(address.line(in: "US") == "7a Oak Lane")
            #expect(address.line(in: "DE") == "Oak Lane 7a")
            #expect(address.line(in: nil) == "Oak Lane 7a")
        }
    }

    // MARK: Searching

    @Test func `streets and addresses are found as they are typed, and are places`() throws {
        try AddedFolder.with { folder, added in
            let file = try AddedFolder.write("xt.csv", Self.addresses.utf8, folder)
            _ = try added.add(file, as: "xt")
            let gazetteer = try AddedFolder.open(folder)
            defer { gazetteer.close() }
            for (text, name, match) in [
                ("12 main st", "Main Street, North 12", "prefix"),
                ("Main Street North 12", "Main Street, North 12", "exact"),
                ("main st north 12 middle", "Main Street, North 12", "exact"), ("oak ln 7A", "Oak Lane 7a", "exact"),
                ("7a oak lane, old district", "Oak Lane 7a", "exact"), ("oak l", "Oak Lane", "prefix"),
                ("middle harbour", "Harbour", "exact"), ("HARBOUR testland", "Harbour", "exact"),
                ("harb", "Harbour", "prefix"), ("street north", "Main Street, North", "prefix"),
            ] {
                let found = gazetteer.streets(text, bias: PlaceBias(), limit: 5)
                let items = found.map { StreetSearchItem($0, gazetteer.geocoder, near: nil, in: nil) }
                var json = JSONWriter()
                json.array { json in for item in items { item.write(to: &json) } }
                let first = try #require(try JSON(parsing: json.bytes).elements.first, "\(text)")
                #expect(first["name"]?.text == name && first["match"]?.text == match, "\(text)")
                let place = try #require(try gazetteer.place(found[0].id))
                #expect(place.name == name && place.label == first["label"]?.text, "\(text)")
                #expect(place.featureCode == first["featureCode"]?.text)
                #expect(place.featureCode == (found[0].number.isEmpty ? "street" : "address"))
            }
            for text in ["13 main st", "ha", "q harbour", "12", "12 middle", "harbour elsewhere", "st", "%", "'"] {
                #expect(gazetteer.streets(text, bias: PlaceBias(), limit: 5).isEmpty, "\(text)")
            }
            #expect(try gazetteer.place(Street.firstID) == nil)
        }
    }

    @Test func `of towns that begin so the one that is written in full comes first`() throws {
        try AddedFolder.with { folder, added in
            let towns = ["Town71", "Town7", "Town72", "Elsewhere"]
            let rows = towns.enumerated().map { "20,10.\($0),1,Main St,\($1)" }
            let file = try AddedFolder.write(
                "xt.csv", (["lon,lat,number,street,city"] + rows).joined(separator: "\n").utf8, folder)
            _ = try added.add(file, as: "xt")
            let gazetteer = try AddedFolder.open(folder)
            defer { gazetteer.close() }
            for text in ["1 main st town7", "town7 main street 1", "main st, town7"] {
                let found = gazetteer.streets(text, bias: PlaceBias(), limit: 5).map(\.street.locality)
                #expect(found.first == "Town7" && found.count == 3, "\(text)")
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `each address is found by its street, number and town, the nearest first`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        try AddedFolder.with { folder, added in
            let names = [
                "Elm St", "Elm Street", "N Elm Ave", "Rue de l'Été", "Hauptstr.", "5th Ave", "Ring", "Am Ring",
            ]
            let towns = ["Middle", "Elmdale", "Old Ring", ""]
            var rows: [(number: Int, street: String, town: String, latitude: Double)] = []
            for number in 0..<200 {
                rows.append(
                    (number, generator.pick(names), generator.pick(towns), 9 + Double(generator.int(0..<20000)) / 1e4))
            }
            let lines = rows.map { "20,\($0.latitude),\($0.number),\"\($0.street)\",\($0.town)" }
            let file = try AddedFolder.write(
                "xt.csv", (["lon,lat,number,street,city"] + lines).joined(separator: "\n").utf8, folder)
            #expect(try added.add(file, as: "xt").addresses == rows.count)
            let gazetteer = try AddedFolder.open(folder)
            defer { gazetteer.close() }
            for row in rows {
                for text in [
                    "\(row.number) \(row.street) \(row.town)", "\(row.town) \(row.street) \(row.number)",
                    "\(row.street.uppercased()) \(row.number), \(row.town)",
                ] {
                    let found = gazetteer.streets(text, bias: PlaceBias(), limit: 500)
                    #expect(
                        found.contains {
                            $0.number == "\(row.number)" && $0.street.name == row.street
                                && $0.street.locality ?? "" == row.town
                        }, "\(text)")
                }
                let near = PlaceBias(point: Coordinate(latitude: row.latitude, longitude: 20))
                let street = gazetteer.streets(row.street, bias: near, limit: 500)
                #expect(street.contains { $0.street.name == row.street && $0.number.isEmpty }, "\(row.street)")
                #expect(street.map(\.points) == street.map(\.points).sorted(by: >))
            }
        }
    }
}
