import SocialModel

extension PinfoldClient {
    /// One's friends, by username.
    public func friends(pageSize: Int? = nil) -> Pages<Friend> { pages(Call(.get, "/v1/friends"), limit: pageSize) }

    /// Ends a friendship: from then on neither sees the other's pins.
    public func endFriendship(with user: Identifier<User>) async throws {
        _ = try await send(Call(.delete, "/v1/friends/\(user)"))
    }

    /// Friend requests from and to oneself, the newest first.
    public func friendRequests(
        _ direction: FriendRequest.Direction? = nil, status: FriendRequest.Status? = nil, pageSize: Int? = nil
    ) -> Pages<FriendRequest> {
        pages(
            Call(.get, "/v1/friend-requests").query("direction", direction?.rawValue)
                .query("status", status?.rawValue), limit: pageSize)
    }

    /// One friend request from or to oneself.
    public func friendRequest(_ id: Identifier<FriendRequest>) async throws -> Tagged<FriendRequest> {
        try await tagged(Call(.get, "/v1/friend-requests/\(id)"))
    }

    /// Asks somebody to be friends; accepts at once if they have asked already, which the status tells.
    public func befriend(_ user: Identifier<User>, key: IdempotencyKey = IdempotencyKey()) async throws -> FriendRequest
    {
        try await value(try Call(.post, "/v1/friend-requests").sending(["to": user]).once(key))
    }

    /// Accepts a request that one was sent. Again it changes nothing.
    @discardableResult
    public func accept(_ request: Identifier<FriendRequest>) async throws -> FriendRequest {
        try await value(Call(.post, "/v1/friend-requests/\(request)/accept").once(IdempotencyKey()))
    }

    /// Rejects a request that one was sent. Again it changes nothing.
    @discardableResult
    public func reject(_ request: Identifier<FriendRequest>) async throws -> FriendRequest {
        try await value(Call(.post, "/v1/friend-requests/\(request)/reject").once(IdempotencyKey()))
    }

    /// Takes back a request that one has sent. Again it changes nothing.
    public func cancel(_ request: Identifier<FriendRequest>) async throws {
        _ = try await send(Call(.delete, "/v1/friend-requests/\(request)"))
    }

    /// Whom one has blocked, by username.
    public func blocks(pageSize: Int? = nil) -> Pages<User> { pages(Call(.get, "/v1/blocks"), limit: pageSize) }

    /// Blocks somebody: ends friendship and requests, both ways, and they are not told.
    public func block(_ user: Identifier<User>) async throws { _ = try await send(Call(.put, "/v1/blocks/\(user)")) }

    /// Lifts a block.
    public func unblock(_ user: Identifier<User>) async throws {
        _ = try await send(Call(.delete, "/v1/blocks/\(user)"))
    }
}
