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

    /// Places, and where signed in one's own and friends' pins, whose names begin with a text or nearly so; the best
    /// first.
    ///
    /// - Parameters:
    ///   - point: what is near to it comes up.
    ///   - box: what is in it comes up.
    ///   - kinds: only these; empty for all.
    public func search(
        _ text: String, near point: Coordinate? = nil, in box: BoundingBox? = nil,
        kinds: [SearchResult.Kind] = [], language: String? = nil, limit: Int = 10
    ) async throws -> [SearchResult] {
        struct Answer: Decodable {
            let items: [SearchResult]
        }
        var call = Call(.get, "/v1/places/search", access: .signedInOrNot).query("q", text)
            .query("near", point?.description).query("bbox", box?.description).query("lang", language)
            .query("limit", String(limit))
        for kind in kinds { call = call.query("kind", kind.rawValue) }
        let answer: Answer = try await value(call)
        return answer.items
    }
}
