import Foundation
import HTTP
import Storage
import Testing

@testable import PinfoldServer

@Suite struct PlacesRouteTests {
    private func withPlaces(_ body: (App) throws -> Void) throws {
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let gazetteer = try Gazetteer(
            path: folder + "/places.db", bundle: SmallGazetteer.write(to: folder), clock: { 0 })
        defer { gazetteer.close() }
        let database = try DatabasePool(
            Schema.configuration(path: folder + "/pinfold.db", clock: { 0 }), migrations: Schema.migrations)
        defer { database.close() }
        let log = Log(descriptor: nil, clock: { 0 })
        try body(try App(database: database, gazetteer: gazetteer, clock: { 0 }, log: log))
    }

    private func request(_ query: String? = nil, body: String? = nil, id: String? = nil) -> Request {
        Request(
            id: "0", method: body == nil ? "GET" : "POST", path: "/v1/places", queryText: query,
            headers: [Header("Content-Type", "application/json")], body: [UInt8]((body ?? "").utf8),
            parameters: id.map { [Header("placeId", $0)] } ?? [])
    }

    private func text(_ response: Response) -> String { String(decoding: response.body, as: UTF8.self) }

    private static let middle = """
        {"label":"Middle, Here, Testland","locality":"Middle","admin1":"Here","admin2":null,"country":"Testland",\
        "countryCode":"XT","timezone":"Africa/Ndjamena","place":"2","distance":0}
        """
    private static let nowhere = """
        {"label":null,"locality":null,"admin1":null,"admin2":null,"country":null,"countryCode":null,\
        "timezone":"Etc/GMT","place":null,"distance":null}
        """

    /// An object with the credit as its last member.
    private static func withAttribution(_ object: String) -> String {
        """
        \(object.dropLast()),"attribution":"GeoNames (https://www.geonames.org), CC BY 4.0; borders: OpenStreetMap \
        contributors (https://www.openstreetmap.org/copyright), ODbL 1.0, and Natural Earth"}
        """
    }

    @Test func `a position is answered in one piece, also at sea`() throws {
        try withPlaces { app in
            let found = try PlaceRoutes.reverse(request("lat=10&lon=20&lang=en"), app)
            #expect(text(found) == Self.withAttribution(Self.middle))
            #expect(found.header("Cache-Control") == "public, max-age=86400")
            #expect(try text(PlaceRoutes.reverse(request("lon=0&lat=0"), app)) == Self.withAttribution(Self.nowhere))
            // The pole is one point, and the antimeridian no edge.
            #expect(try text(PlaceRoutes.reverse(request("lat=90&lon=33"), app)).contains("Pole"))
            #expect(try text(PlaceRoutes.reverse(request("lat=-16.8&lon=179.9999"), app)).contains("Edge"))
            #expect(try text(PlaceRoutes.reverse(request("lat=-16.8&lon=180"), app)).contains("\"distance\":0,"))
        }
    }

    @Test(arguments: [
        ("lat=91&lon=0", ["lat"]), ("lat=0&lon=-180.1", ["lon"]), ("lat=nan&lon=inf", ["lat", "lon"]),
        ("lon=1", ["lat"]), ("", ["lat", "lon"]), ("lat=1&lon=2&lng=3", ["lng"]), ("lat=1&lat=1&lon=2", ["lat"]),
        ("lat=1&lon=2&lang=e_n", ["lang"]), ("lat=1&lon=2&lang=", ["lang"]), ("lat=1&lon=2&lang=-en", ["lang"]),
        ("lat=0x1&lon=2", ["lat"]), ("lat=1,5&lon=2", ["lat"]),
    ])
    func `a bad query names each field at fault`(query: String, fields: [String]) throws {
        try withPlaces { app in
            let error = #expect(throws: HTTPError.self) { try PlaceRoutes.reverse(request(query), app) }
            #expect(error?.status == 400)
            #expect(error?.faults.map(\.field) == fields)
        }
    }

    @Test func `many points are answered in order`() throws {
        try withPlaces { app in
            let response = try PlaceRoutes.reverseMany(
                request(body: #"{"points": [[0, 0], [10, 20], [0, 0]], "lang": "pt-BR"}"#), app)
            let items = "{\"items\":[\(Self.nowhere),\(Self.middle),\(Self.nowhere)]}"
            #expect(text(response) == Self.withAttribution(items))
            let most = Array(repeating: "[-12.1234567,-123.1234567]", count: PlaceRoutes.pointLimit)
            let body = "{\"points\":[\(most.joined(separator: ","))]}"
            #expect(body.utf8.count < Server.Configuration().bodyLimit)
            #expect(try PlaceRoutes.reverseMany(request(body: body), app).status == 200)
            for bad in [
                "[]", "[[1]]", "[[1,2,3]]", "[[91,0]]", "[[0,181]]", "[[\"1\",2]]", "[[1e999,0]]", "{}", "null",
                "[\((most + ["[0,0]"]).joined(separator: ","))]",
            ] {
                let error = #expect(throws: HTTPError.self) {
                    try PlaceRoutes.reverseMany(request(body: "{\"points\":\(bad)}"), app)
                }
                #expect(error?.status == 400)
                #expect(error?.faults.map(\.field) == ["points"])
            }
        }
    }

    @Test func `a place is shown with names and parents, and no other id exists`() throws {
        try withPlaces { app in
            let response = try PlaceRoutes.show(request(id: "2"), app)
            #expect(
                text(response) == """
                    {"kind":"place","id":"2","name":"Middle","label":"Middle, Here, Testland","latitude":10,"longitude":20,\
                    "population":5000,"featureCode":"PPL","timezone":"Africa/Ndjamena",\
                    "names":{"und-Latn":["Middle","Mitte","Milieu"]},"parents":[\
                    {"kind":"admin1","id":"8","name":"Here","code":"XT.01"},\
                    {"kind":"country","id":"9","name":"Testland","code":"XT"}],\
                    "attribution":"GeoNames (https://www.geonames.org), CC BY 4.0"}
                    """)
            for id in ["4", "0", "-2", "02", "2x", "", "99999999999999999999"] {
                let error = #expect(throws: HTTPError.self) { try PlaceRoutes.show(request(id: id), app) }
                #expect(error?.status == 404)
            }
        }
    }
}
