import SocialModel

// The codes that stand for these in the database, as the tables `pinCategory` and `pinAudience` name them.

extension Pin.Category {
    var code: Int64 {
        switch self {
        case .food: 0
        case .nightlife: 1
        case .nature: 2
        case .shopping: 3
        case .culture: 4
        case .education: 5
        case .other: 6
        }
    }

    init(code: Int64) {
        self = Self.allCases.first { $0.code == code } ?? .other
    }
}

extension Pin.Audience {
    /// A circle's id is its code, and is above the others.
    var code: Int64 {
        switch self {
        case .private: 0
        case .friends: 1
        case .circle(let circle): circle.rawValue
        }
    }

    init(code: Int64) {
        self = code == 0 ? .private : code == 1 ? .friends : .circle(Identifier(code))
    }
}
