import Foundation
import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

/// The description against itself, the routes and the types; `OpenAPIAnswerTests` holds it against the answers.
@Suite struct OpenAPITests {
    private let description = OpenAPIDescription()

    @Test func `the document is OpenAPI 3.1 with the licence and version`() throws {
        #expect(description.root["openapi"]?.text?.hasPrefix("3.1.") == true)
        #expect(description.root["info"]?["title"]?.text == "Pinfold")
        #expect(description.root["info"]?["version"]?.text != nil)
        #expect(description.root["info"]?["license"]?["identifier"]?.text == "MIT")
    }

    @Test func `it has the routes, all and no others`() throws {
        let service = try DescribedService()
        let routes = service.router.routes.map { route in
            let path = route.pattern.split(separator: "/", omittingEmptySubsequences: false)
                .map { $0.replacing(#/^[:*]([^.]*)/#) { "{\($0.1)}" } }.joined(separator: "/")
            return "\(route.method) \(path)"
        }
        #expect(Set(description.operations.map { "\($0.method) \($0.path)" }) == Set(routes))
    }

    @Test func `every reference leads somewhere, and every component is used`() {
        let references = Set(description.root.all("$ref").compactMap(\.text))
        for reference in references { #expect(description.find(reference) != nil, "\(reference)") }
        for (kind, components) in description.root["components"]?.members ?? [] where kind != "securitySchemes" {
            for (name, _) in components.members {
                #expect(references.contains("#/components/\(kind)/\(name)"), "\(kind)/\(name) is not used")
            }
        }
    }

    @Test func `every operation is complete`() {
        let tags = Set(description.root["tags"]?.elements.compactMap { $0["name"]?.text } ?? [])
        let ids = description.operations.compactMap { $0.json["operationId"]?.text }
        #expect(Set(ids).count == description.operations.count)
        for operation in description.operations {
            let name = "\(operation.method) \(operation.path)"
            #expect(operation.json["summary"]?.text?.isEmpty == false, "\(name)")
            #expect(operation.json["tags"]?.elements.compactMap(\.text).allSatisfy(tags.contains) == true, "\(name)")
            #expect(operation.json["tags"]?.elements.isEmpty == false, "\(name)")
            let statuses = operation.responses.map(\.name)
            #expect(statuses.contains { $0.hasPrefix("2") || $0 == "101" }, "\(name)")
            for (status, answer) in operation.responses {
                #expect(description.resolved(answer)["description"]?.text?.isEmpty == false, "\(name) \(status)")
            }
            if operation.needsToken { #expect(statuses.contains("401"), "\(name)") }
            let template = operation.path.split(separator: "/").filter { $0.hasPrefix("{") }
                .map { String($0.dropFirst().prefix { $0 != "}" }) }
            let parameters = operation.parameters
            #expect(
                parameters.filter { $0["in"]?.text == "path" }.compactMap { $0["name"]?.text } == template, "\(name)")
            for parameter in parameters {
                #expect(parameter["schema"] != nil && parameter["example"] != nil, "\(name) \(parameter)")
            }
            #expect(statuses.contains("304") == parameters.contains { $0["name"]?.text == "If-None-Match" }, "\(name)")
        }
    }

    @Test func `a schema requires only what it has`() {
        for schema in description.root.all("required") where !schema.elements.isEmpty {
            #expect(Set(schema.elements.compactMap(\.text)).count == schema.elements.count)
        }
        for object in description.root.objects where !(object["required"]?.elements.isEmpty ?? true) {
            for name in object["required"]?.elements.compactMap(\.text) ?? [] {
                #expect(
                    object["properties"]?[name] != nil, "\(name) of \(object["properties"]?.members.map(\.name) ?? [])")
            }
        }
    }

    @Test func `the examples are what the schemas say`() {
        for (name, schema) in description.root["components"]?["schemas"]?.members ?? [] {
            for example in schema["examples"]?.elements ?? [] {
                #expect(description.faults(of: example, in: schema) == [], "\(name)")
            }
        }
        for parameter in description.root["components"]?["parameters"]?.members.map(\.value) ?? [] {
            let faults = description.faults(of: parameter["example"] ?? .null, in: parameter["schema"] ?? .null)
            #expect(faults == [], "\(parameter["name"]?.text ?? "")")
        }
        for (name, answer) in description.root["components"]?["responses"]?.members ?? [] {
            guard let media = answer["content"]?["application/problem+json"] else { continue }
            #expect(description.faults(of: media["example"] ?? .null, in: media["schema"] ?? .null) == [], "\(name)")
        }
    }

    @Test func `the enumerations are those of the types`() {
        func values<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) -> [String]
        where Value.RawValue == String { type.allCases.map(\.rawValue) }
        func schema(_ name: String, _ property: String? = nil) -> [String] {
            let schema = description.root["components"]?["schemas"]?[name]
            return (property.flatMap { schema?["properties"]?[$0] } ?? schema)?["enum"]?.elements.compactMap(\.text)
                ?? []
        }
        func parameter(_ name: String) -> [String] {
            description.root["components"]?["parameters"]?[name]?["schema"]?["enum"]?.elements.compactMap(\.text) ?? []
        }
        #expect(schema("PinCategory") == values(Pin.Category.self))
        #expect(schema("PinAudience") == values(Pin.Audience.Kind.self))
        #expect(schema("PinDetails", "addressSource") == values(Pin.AddressSource.self))
        #expect(schema("Me", "role") == values(Role.self))
        for name in ["Privacy", "PrivacyChange"] {
            #expect(schema(name, "discoverable") == values(Privacy.Discoverability.self))
            #expect(schema(name, "requestsFrom") == values(Privacy.RequestSource.self))
            #expect(schema(name, "defaultAudience") == values(Privacy.DefaultAudience.self))
        }
        for name in ["NewAPIToken", "APIToken"] {
            let scopes = description.root["components"]?["schemas"]?[name]?["properties"]?["scopes"]?["items"]?["enum"]
            #expect(scopes?.elements.compactMap(\.text) == values(APIToken.Scope.self))
        }
        #expect(schema("Profile", "relationship") == values(Relationship.self))
        #expect(schema("FriendRequestStatus") == values(FriendRequest.Status.self))
        #expect(parameter("direction") == values(FriendRequest.Direction.self))
        #expect(parameter("sort") == values(PinQuery.Sort.self))
        #expect(parameter("format") == values(PinRoutes.Format.self))
        #expect(parameter("importFormat") == values(ImportFormat.self))
        #expect(schema("ImportReport", "format") == values(ImportFormat.self))
    }
}
