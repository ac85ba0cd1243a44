import Geo

/// What sorts, draws and counts a visible pin, without its texts.
struct PinEntry: Sendable {
    let id: Int64
    let ownerId: Int64
    let createdAt: Int64
    let coordinate: Coordinate
    /// 0 for none.
    let rating: Int64
    /// A `Pin.Category` code.
    let category: Int64
}

/// A pin that a list keeps, before its wide row is read.
struct RankedPin {
    let id: Int64
    let rank: PinRank
}
