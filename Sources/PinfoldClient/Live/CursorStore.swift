/// Where the position in the live events outlives the process. `PinCache` is one, which keeps it with its pins.
public protocol CursorStore: Sendable {
    /// The cursor that was kept last; nil to begin from now on.
    func cursor() async throws -> String?
    /// Keeps the cursor of an event that has been dealt with.
    func keep(_ cursor: String) async throws
}

/// A position that ends with the process.
public actor MemoryCursorStore: CursorStore {
    private var last: String?

    /// Begins behind `cursor`; nil for from now on.
    public init(_ cursor: String? = nil) {
        last = cursor
    }

    /// What was kept last.
    public func cursor() -> String? { last }

    /// Takes the place of what was kept before.
    public func keep(_ cursor: String) { last = cursor }
}
