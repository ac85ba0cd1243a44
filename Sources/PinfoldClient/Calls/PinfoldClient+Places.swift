import Geo
import SocialModel

extension PinfoldClient {
    /// The names of a position. Needs no sign-in.
    public func address(of coordinate: Coordinate, language: String? = nil) async throws -> Address {
        try await value(
            Call(.get, "/v1/places/reverse", access: .everyone).query("lat", String(coordinate.latitude))
                .query("lon", String(coordinate.longitude)).query("lang", language))
    }

    /// The names of up to 10,000 positions, in order. Needs no sign-in.
    public func addresses(of coordinates: [Coordinate], language: String? = nil) async throws -> [Address] {
        struct Points: Encodable {
            let points: [[Double]]
            let lang: String?
        }
        struct Answers: Decodable {
            let items: [Address]
        }
        let points = Points(points: coordinates.map { [$0.latitude, $0.longitude] }, lang: language)
        let answers: Answers = try await value(
            try Call(.post, "/v1/places/reverse", access: .everyone).sending(points).repeatable)
        return answers.items
    }

    /// A place of the gazetteer. Needs no sign-in.
    public func place(_ id: Identifier<Place>, language: String? = nil) async throws -> Tagged<Place> {
        try await tagged(Call(.get, "/v1/places/\(id)", access: .everyone).query("lang", language))
    }
}
