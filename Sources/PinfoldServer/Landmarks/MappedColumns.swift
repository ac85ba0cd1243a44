import FeatureFiles

/// The columns of a file by what is taken from them. They may grow.
struct MappedColumns {
    private(set) var names: [String] = []
    /// Of each column, its name as the key of a JSON object, with the colon.
    private(set) var keys: [[UInt8]] = []
    /// The columns in the order of their names.
    private(set) var order: [Int] = []
    /// Columns of names in a language, in the order of the languages.
    private(set) var languages: [(language: String, column: Int)] = []
    /// Columns that are tags of the table of categories, the surest first.
    private(set) var tags: [(key: String, column: Int)] = []
    /// The columns of which a value was taken.
    var wasUsed: [Bool] = []

    private var candidates: [[(rank: Int, column: Int)]] = LandmarkField.allCases.map { _ in [] }
    private var columnsOf: [[Int]] = LandmarkField.allCases.map { _ in [] }
    private var tagRanks: [Int] = []

    /// The columns that a field is taken from, the surest first.
    subscript(field: LandmarkField) -> [Int] { columnsOf[field.index] }

    /// Whether the import names the column of a field.
    func isAsked(_ field: LandmarkField) -> Bool { candidates[field.index].first?.rank == -1 }

    /// The names of the columns that each field was taken from.
    var fieldColumns: [String: String] {
        var found: [String: [String]] = [:]
        for field in LandmarkField.allCases {
            for column in self[field] where wasUsed[column] {
                found[field.reportedAs.rawValue, default: []].append(names[column])
            }
        }
        var joined = found.mapValues { $0.joined(separator: ", ") }
        for (language, column) in languages where wasUsed[column] { joined["name:\(language)"] = names[column] }
        return joined
    }

    /// - Parameters:
    ///   - asked: fields by the columns that the import gives them.
    ///   - languages: the same for names in a language.
    ///   - tagRanks: the keys of the table of categories.
    mutating func append(
        _ name: String, asked: [String: LandmarkField], languages askedLanguages: [String: String],
        tagRanks ranks: [String: Int]
    ) {
        let column = names.count
        names.append(name)
        wasUsed.append(false)
        var key: [UInt8] = []
        LandmarkText.writeJSON(name, to: &key)
        key.append(UInt8(ascii: ":"))
        keys.append(key)
        order.insert(column, at: order.firstIndex { names[$0] > name } ?? order.count)

        if let field = asked[name] {
            add(column, to: field, rank: -1)
            return
        }
        let language = askedLanguages[name] ?? LandmarkField.language(ofColumn: name)
        if let language {
            let place = languages.firstIndex { $0.language > language } ?? languages.count
            languages.insert((language, column), at: place)
        }
        if askedLanguages[name] != nil { return }
        if let (field, rank) = LandmarkField.byColumnName[ColumnName.folded(name)],
            language == nil || field == .name, !asked.values.contains(field)
        {
            add(column, to: field, rank: rank)
        }
        let tag = name.lowercased()
        if let rank = ranks[tag], !asked.values.contains(.category) {
            let place = tagRanks.firstIndex { $0 > rank } ?? tagRanks.count
            tagRanks.insert(rank, at: place)
            tags.insert((tag, column), at: place)
        }
    }

    private mutating func add(_ column: Int, to field: LandmarkField, rank: Int) {
        let place = candidates[field.index].firstIndex { $0.rank > rank } ?? candidates[field.index].count
        candidates[field.index].insert((rank, column), at: place)
        columnsOf[field.index] = candidates[field.index].map(\.column)
    }
}

extension LandmarkField {
    /// Its place among all.
    fileprivate var index: Int {
        switch self {
        case .key: 0
        case .name: 1
        case .category: 2
        case .description: 3
        case .address: 4
        case .website: 5
        case .phone: 6
        case .openingHours: 7
        case .imageURL: 8
        case .houseNumber: 9
        case .street: 10
        case .postcode: 11
        case .city: 12
        case .state: 13
        case .country: 14
        case .reference: 15
        case .wikipedia: 16
        }
    }

    /// The field of a landmark that it goes into.
    fileprivate var reportedAs: LandmarkField {
        switch self {
        case .houseNumber, .street, .postcode, .city, .state, .country: .address
        case .reference: .name
        case .wikipedia: .website
        default: self
        }
    }
}
