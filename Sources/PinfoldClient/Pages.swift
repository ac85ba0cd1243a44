import SocialModel

/// The items of a list, asked for page by page as they are read. Each that stays in place comes exactly once, whatever
/// is written meanwhile.
///
/// ```swift
/// for try await pin in client.pins(PinFilter(area: .box(box))) { … }
/// ```
public struct Pages<Item: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Item

    private let load: @Sendable (_ cursor: String?) async throws -> Items<Item>

    init(_ load: @escaping @Sendable (_ cursor: String?) async throws -> Items<Item>) {
        self.load = load
    }

    /// One page: that behind `cursor`, which is the `next` of the page before, or the first.
    public func page(after cursor: String? = nil) async throws -> Items<Item> { try await load(cursor) }

    /// All items, or the first `limit`.
    public func all(limit: Int = .max) async throws -> [Item] {
        var items: [Item] = []
        for try await item in self {
            if items.count >= limit { break }
            items.append(item)
        }
        return items
    }

    /// Begins with the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(load: load) }

    /// Reads the pages one after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let load: @Sendable (_ cursor: String?) async throws -> Items<Item>
        private var page: ArraySlice<Item> = []
        private var cursor: String?
        private var isLast = false

        init(load: @escaping @Sendable (_ cursor: String?) async throws -> Items<Item>) {
            self.load = load
        }

        /// The next item, of the next page if need be; nil behind the last.
        public mutating func next() async throws -> Item? {
            while page.isEmpty {
                if isLast { return nil }
                let loaded = try await load(cursor)
                page = loaded.items[...]
                cursor = loaded.next
                isLast = loaded.next == nil
            }
            return page.removeFirst()
        }
    }
}
