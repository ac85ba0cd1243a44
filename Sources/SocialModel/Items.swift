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

extension Items: Codable where Item: Codable {}
extension Items: Sendable where Item: Sendable {}
