/// Why a text is no coordinate or box, as a predicate for the field it came in: `"must be …"`.
public struct CoordinateTextError: Error, Sendable, Hashable {
    /// Made to be shown to the sender; holds nothing of the text itself.
    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }
}
