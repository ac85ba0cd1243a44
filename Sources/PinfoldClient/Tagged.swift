import Foundation

/// A resource and the tag of the state that it was read in.
///
/// Members of the value can be read through it: `tagged.name` is `tagged.value.name`.
@dynamicMemberLookup
public struct Tagged<Value> {
    /// The resource.
    public var value: Value
    /// The `ETag`: hand it to a change to have it refused (412) if the resource has changed since, or to a read to
    /// transfer it only then. Nil where the server gave none.
    public var tag: String?

    /// A value with its tag.
    public init(_ value: Value, tag: String?) {
        self.value = value
        self.tag = tag
    }

    /// A member of the value.
    public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member { value[keyPath: member] }
}

extension Tagged: Sendable where Value: Sendable {}
extension Tagged: Equatable where Value: Equatable {}
