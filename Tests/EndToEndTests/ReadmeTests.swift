import Foundation
import Testing

@Suite(.ownThreads) struct ReadmeTests {
    @Test func `the README's first five minutes work as typed`() throws {
        let server = try RunningServer(DataFolder())
        // What the demo has of landmarks, and a reader of the README therefore sees.
        let landmarks = Pinfold.sources.appending(path: "data/landmarks/saint-paul.geojson").path
        let imported = try Pinfold.start(
            ["import", landmarks, "--dataset", "saint-paul", "--data", server.folder.path])
        #expect(try imported.wait(within: .seconds(60)) == .exit(0), "\(imported.error)")
        let script = try Self.script().replacing(":8080", with: ":\(server.port)")
        let bash = try ChildProcess(["bash", "-euo", "pipefail", "-c", script])
        #expect(try bash.wait() == .exit(0), "\(bash.error)")
        #expect(bash.error == "")

        let answers = Self.documents(bash.output)
        guard answers.count == 18 else { throw Failure("the README prints other answers than these: \(answers)") }
        func decoded<T: Decodable>(_ index: Int, _ type: T.Type) throws -> T {
            try JSONDecoder().decode(type, from: Data(answers[index].utf8))
        }
        let pin = try decoded(0, PinBody.self)
        #expect(pin.name == "State Capitol")
        #expect(pin.address?.contains("Saint Paul") == true)
        #expect(pin.rating == 5)
        #expect(try decoded(1, Page<PinBody>.self).items.isEmpty)
        struct Request: Decodable {
            let status: String
        }
        #expect(try decoded(2, Request.self).status == "accepted")
        let seen = try decoded(3, Page<PinBody>.self).items
        #expect(seen.map(\.id) == [pin.id])
        #expect(seen.first?.audience == nil)
        let near = try decoded(4, Page<PinBody>.self).items
        #expect(near.map(\.id) == [pin.id])
        #expect((near.first?.distance).map { (13_000...13_200).contains($0) } == true, "\(near)")
        struct Collection: Decodable {
            struct Feature: Decodable {
                struct Geometry: Decodable {
                    let coordinates: [Double]
                }
                let id: String
                let geometry: Geometry
            }
            let type: String
            let features: [Feature]
        }
        let collection = try decoded(5, Collection.self)
        #expect(collection.type == "FeatureCollection")
        #expect(collection.features.map(\.id) == [pin.id])
        #expect(collection.features.first?.geometry.coordinates == [-93.1022, 44.9551])
        let crag = try decoded(6, PinBody.self)
        #expect(crag.name == "The quiet crag" && crag.audience == "circle")
        #expect(bash.output.contains(/[1-9][0-9]* bytes/), "the tile has something in it")
        struct Cluster: Decodable {
            let count: Int
        }
        #expect(try decoded(7, Page<Cluster>.self).items.map(\.count) == [2], "both pins of Ana's")
        struct Imported: Decodable {
            let created: Int
        }
        #expect(try decoded(8, Imported.self).created == 1)
        let problem = try decoded(9, ProblemBody.self)
        #expect(problem.status == 404)
        struct Event: Decodable {
            struct User: Decodable {
                let username: String
            }
            let type: String
            let user: User
        }
        let event = try decoded(10, Event.self)
        #expect(event.type == "friend.removed" && event.user.username == "ana")
        struct Changes: Decodable {
            let changed: [PinBody]
            let more: Bool
        }
        let changes = try decoded(11, Changes.self)
        #expect(changes.changed.map(\.name) == ["Minnehaha Falls"] && !changes.more, "his own is left")
        struct Place: Decodable {
            let locality: String
        }
        #expect(try decoded(12, Collection.self).features.count == 1, "by his script")
        #expect(try decoded(13, Place.self).locality == "Saint Paul")
        struct Found: Decodable {
            let label: String
        }
        #expect(try decoded(14, Page<Found>.self).items.first?.label == "Saint Paul, Minnesota, United States")
        struct Dataset: Decodable {
            let name: String
            let count: Int
        }
        #expect(try decoded(15, Page<Dataset>.self).items.first?.name == "saint-paul")
        struct Landmark: Decodable {
            let name: String
            let distance: Double
        }
        let sights = try decoded(16, Page<Landmark>.self).items
        #expect(sights.count == 3 && sights.allSatisfy { !$0.name.isEmpty && $0.distance < 3_000 }, "\(sights)")
        struct Collections: Decodable {
            struct Collection: Decodable { let id: String }
            let collections: [Collection]
        }
        #expect(try decoded(17, Collections.self).collections.map(\.id) == ["saint-paul"])
        try server.stop()
    }

    /// The shell blocks between the marks.
    private static func script() throws -> String {
        let text = try String(contentsOf: Pinfold.sources.appending(path: "README.md"), encoding: .utf8)
        let marked = text.matches(of: /(?s)<!-- tested: begin -->(.*?)<!-- tested: end -->/).map { String($0.1) }
        let blocks = marked.flatMap { part in part.matches(of: /(?s)```sh\n(.*?)```/).map { String($0.1) } }
        guard !blocks.isEmpty else { throw Failure("the README has no marked commands") }
        return blocks.joined(separator: "\n")
    }

    /// The JSON objects that stand in `text` one after another.
    private static func documents(_ text: String) -> [String] {
        var documents: [String] = []
        var current = ""
        var depth = 0
        var isString = false
        var isEscaped = false
        for character in text {
            if isString {
                if !isEscaped, character == "\"" { isString = false }
                isEscaped = !isEscaped && character == "\\"
            } else if character == "\"" {
                isString = true
            } else if character == "{" {
                depth += 1
            } else if character == "}" {
                depth -= 1
            }
            if depth > 0 || character == "}" { current.append(character) }
            if depth == 0, !current.isEmpty {
                documents.append(current)
                current = ""
            }
        }
        return documents
    }
}
