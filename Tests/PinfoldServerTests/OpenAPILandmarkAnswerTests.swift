import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

/// What the server answers about landmarks is what it says of itself.
@Suite struct OpenAPILandmarkAnswerTests {
    private func service() async throws -> (service: DescribedService, landmark: Int64) {
        let service = try DescribedService()
        var random = SplitMix64(seed: 41)
        let world = LandmarkWorld(datasets: 2, landmarks: 60, &random)
        try await world.store(in: service.app.database)
        service.app.landmarkNames.refresh()
        await service.app.landmarkNames.refreshed()
        let shape = try #require(world.current.first { $0.content.shape != nil })
        return (service, shape.id)
    }

    @Test func `landmarks, datasets and tiles`() async throws {
        let (service, landmark) = try await service()
        for path in [
            "/v1/landmarks?geometry=true", "/v1/landmarks?f=geojson&limit=3", "/v1/landmarks?near=10,20&radius=5000000",
            "/v1/landmarks?bbox=-94,44,-93,45&dataset=set-0&category=museum&q=como", "/v1/landmarks/\(landmark)",
            "/v1/landmarks/\(landmark)?f=geojson", "/v1/datasets?limit=1", "/v1/datasets/set-0",
            "/v1/tiles/landmarks.json", "/v1/tiles/landmarks/0/0/0.mvt", "/v1/places/search?q=como&kind=landmark",
        ] {
            let answer = try await service.call("GET", path, expect: 200)
            guard let tag = answer.response.header("ETag") else { continue }
            try await service.call("GET", path, expect: 304, headers: [Header("If-None-Match", tag)])
        }
        for path in [
            "/v1/landmarks?x=1", "/v1/landmarks?cursor=x", "/v1/landmarks/\(landmark)?x=1", "/v1/datasets?x=1",
            "/v1/datasets/set-0?x=1", "/v1/tiles/landmarks.json?x=1", "/v1/tiles/landmarks/0/0/1.mvt",
        ] { try await service.call("GET", path, expect: 400) }
        for path in ["/v1/landmarks/1", "/v1/landmarks/x", "/v1/datasets/none"] {
            try await service.call("GET", path, expect: 404)
        }
        try await service.call("GET", "/v1/tiles/landmarks/0/0/0.mvt?dataset=none", expect: 204)
    }

    @Test func `OGC API - Features`() async throws {
        let (service, landmark) = try await service()
        let (_, token, _) = try await service.signUp("marisol")
        let pin = try await service.call(
            "POST", "/v1/pins", as: token, #"{"latitude": 10, "longitude": 20, "name": "Middle"}"#, expect: 201)
        let dataset = try service.app.database.read {
            try CurrentLandmarks(in: $0).landmark(Identifier(landmark))?.datasetId
        }
        let collection = "/ogc/collections/\(try #require(dataset))"
        for path in [
            "/ogc", "/ogc/conformance", "/ogc/api", "/ogc/collections", collection, collection + "/items?limit=5000",
            collection + "/items/\(landmark)",
        ] {
            let answer = try await service.call("GET", path, expect: 200)
            let tag = Header("If-None-Match", answer.response.header("ETag") ?? "")
            try await service.call("GET", path, expect: 304, headers: [tag])
            try await service.call("GET", path.split(separator: "?")[0] + "?x=1", expect: 400)
        }
        for path in ["", "/items", "/items/\(pin.text("id"))"] {
            try await service.call("GET", "/ogc/collections/pins\(path)", as: token, expect: 200)
            try await service.call("GET", "/ogc/collections/pins\(path)", expect: 404)
            try await service.call("GET", "/ogc/collections/pins\(path)", as: "nonsense", expect: 401)
        }
        try await service.call("GET", "/ogc", as: "nonsense", expect: 401)
        try await service.call("GET", "/ogc/collections", as: "nonsense", expect: 401)
    }
}
