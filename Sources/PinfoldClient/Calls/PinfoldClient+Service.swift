extension PinfoldClient {
    /// Asks whether the server is alive; throws if it is not.
    public func checkHealth() async throws { _ = try await send(Call(.get, "/health", access: .everyone)) }

    /// Asks whether the server can do its work; throws if it cannot.
    public func checkReadiness() async throws { _ = try await send(Call(.get, "/ready", access: .everyone)) }
}
