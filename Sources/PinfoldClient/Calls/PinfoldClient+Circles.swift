import SocialModel

extension PinfoldClient {
    /// One's circles, the newest first.
    public func circles(pageSize: Int? = nil) -> Pages<Circle> { pages(Call(.get, "/v1/circles"), limit: pageSize) }

    /// One of one's circles.
    public func circle(_ id: Identifier<Circle>) async throws -> Tagged<Circle> {
        try await tagged(Call(.get, "/v1/circles/\(id)"))
    }

    /// Makes a circle of friends.
    public func createCircle(
        _ name: String, members: [Identifier<User>] = [], key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Tagged<Circle> {
        try await tagged(try Call(.post, "/v1/circles").sending(CircleBody(name: name, members: members)).once(key))
    }

    /// Changes a circle, if it still has this tag. `members` is the whole new list; what is nil stays.
    public func changeCircle(
        _ id: Identifier<Circle>, name: String? = nil, members: [Identifier<User>]? = nil,
        ifUnchangedFrom tag: String? = nil
    ) async throws -> Tagged<Circle> {
        let body = CircleBody(name: name, members: members)
        return try await tagged(try Call(.patch, "/v1/circles/\(id)").sending(body, as: mergePatch).ifMatch(tag))
    }

    /// Deletes a circle, if it still has this tag. Its pins become private.
    public func deleteCircle(_ id: Identifier<Circle>, ifUnchangedFrom tag: String? = nil) async throws {
        _ = try await send(Call(.delete, "/v1/circles/\(id)").ifMatch(tag))
    }

    private struct CircleBody: Encodable {
        var name: String?
        var members: [Identifier<User>]?
    }
}
