/// One page of a list.
public struct Items<Item> {
    public var items: [Item]
    /// The cursor of the next page; nil on the last.
    public var next: String?

    public init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }
}

extension Items: Decodable where Item: Decodable {}
extension Items: Encodable where Item: Encodable {}
extension Items: Sendable where Item: Sendable {}
