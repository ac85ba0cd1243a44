/// An error as the API sends it: RFC 9457 `application/problem+json`.
public struct Problem: Codable, Hashable, Sendable, Error {
    /// One field at fault.
    public struct Fault: Codable, Hashable, Sendable {
        public var field: String
        public var message: String
    }

    /// A stable slug: `/problems/<slug>`.
    public var type: String
    public var title: String
    public var status: Int
    public var detail: String?
    /// Each field at fault, when the status is 400 or 409.
    public var errors: [Fault]?
}
