import SocialModel

extension Landmark.Category {
    /// What stands for it in the database, as the table `landmarkCategory` names it.
    var code: Int64 {
        switch self {
        case .museum: 0
        case .monument: 1
        case .worship: 2
        case .park: 3
        case .nature: 4
        case .viewpoint: 5
        case .theatre: 6
        case .stadium: 7
        case .school: 8
        case .library: 9
        case .hospital: 10
        case .airport: 11
        case .station: 12
        case .harbour: 13
        case .hotel: 14
        case .shop: 15
        case .food: 16
        case .other: 17
        }
    }

    init(code: Int64) {
        self = Self.allCases.first { $0.code == code } ?? .other
    }
}
