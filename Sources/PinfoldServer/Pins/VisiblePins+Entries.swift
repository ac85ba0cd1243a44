import Geo

/// What draws and counts a pin, without its texts.
struct PinEntry {
    let id: Int64
    let coordinate: Coordinate
    /// 1–5 stars; 0 for none.
    let rating: Int64
    /// `Pin.Category.code`.
    let category: Int64
}

extension VisiblePins {
    /// Hands each visible pin of `query` that lies in `query.area` (a box, or everywhere) to `body`, in no order.
    func forEachEntry(_ query: PinQuery, _ body: (PinEntry) throws -> Void) throws {
        var query = query
        query.sort = .distance  // which leaves the order to the index
        let bounds = SortBounds(query, after: nil, before: nil)
        for chunk in chunks(of: try owners(query.owners)) {
            try read.forEach(statement(query, chunk, bounds, limit: -1), grant: grant) { row in
                if let words = query.words, try !matches(row.int64(0), words) { return true }
                let coordinate = Coordinate(latitudeE7: Int32(row.int64(3)), longitudeE7: Int32(row.int64(2)))
                try body(
                    PinEntry(
                        id: row.int64(0), coordinate: coordinate, rating: row.int64(4), category: row.int64(5)))
                return true
            }
        }
    }
}
