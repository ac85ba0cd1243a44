import FeatureFiles
import Geo
import HTTP
import SocialModel

/// Makes landmarks of the records of a file: finds the columns of each field, and keeps what else there is.
///
/// A field whose column was not named takes, record by record, the first of its columns that has a value, see
/// `LandmarkField`. What is too long or of no use for its field stays in `properties`; only a key, a name or a description
/// that is too long costs the record, and more properties than there may be.
struct LandmarkMapping {
    static let maxProperties = 200
    static let maxPropertyBytes = 64 << 10

    /// Whether each landmark so far is known by an identifier of its source. Without one it is known by its name and place,
    /// and is another when they change.
    private(set) var hasKey = true

    private var columns = MappedColumns()
    private let table: CategoryTable
    private let overrides: [String: Landmark.Category]
    private let tagRanks: [String: Int]
    private let asked: [String: LandmarkField]
    private let askedLanguages: [String: String]
    /// Categories of words and tags that were looked up, up to some.
    private var known: [String: Landmark.Category] = [:]
    // Written over for each record, kept for their memory.
    private var used: [Bool] = []
    private var properties: [UInt8] = []

    /// - Parameters:
    ///   - columns: those that are known.
    ///   - mayGrow: whether more come while the file is read, see `missingColumns`.
    ///   - fields: the column of a field, `name:de` among them; parts of a position are passed over.
    ///   - key: the column that a record is known by.
    ///   - categories: those by the source's own, ahead of the table: `museo` or `tourism=museum`.
    ///   - table: nil if there is none.
    init(
        columns: [String], mayGrow: Bool = true, fields given: [String: String] = [:], key: String? = nil,
        categories: [String: String] = [:], table: CategoryTable?
    ) throws(LandmarkMappingError) {
        let table = table ?? CategoryTable()
        self.table = table
        var ranks: [String: Int] = [:]
        for (rank, key) in table.keys.enumerated() { ranks[key] = rank }
        tagRanks = ranks

        var fields: [String: LandmarkField] = [:]
        var languages: [String: String] = [:]
        var named = given
        if let key { named[LandmarkField.key.rawValue] = key }
        for (field, column) in named.sorted(by: { $0.key < $1.key }) {
            if FeatureFile.PositionPart(rawValue: field) != nil { continue }
            if !mayGrow, !columns.contains(column) {
                throw LandmarkMappingError(field: field, "is mapped to “\(column)”, which is no column of the file")
            }
            if let language = LandmarkField.language(ofColumn: field) {
                languages[column] = language
            } else if let known = LandmarkField.mappable.first(where: { $0.rawValue == field }) {
                guard fields[column] == nil else {
                    throw LandmarkMappingError(
                        field: field, "is mapped to “\(column)”, as \(fields[column]?.rawValue ?? "") is")
                }
                fields[column] = known
            } else {
                let known = (LandmarkField.mappable.map(\.rawValue) + FeatureFile.PositionPart.allCases.map(\.rawValue))
                throw LandmarkMappingError(
                    field: field, "is no field of a landmark; those are \(known.joined(separator: ", "))")
            }
        }
        asked = fields
        askedLanguages = languages

        var overrides: [String: Landmark.Category] = [:]
        for (value, name) in categories {
            guard let category = Landmark.Category(rawValue: name) else {
                throw LandmarkMappingError(
                    field: "categories",
                    """
                    has “\(name)” for “\(value)”, which is no category; those are \
                    \(Landmark.Category.allCases.map(\.rawValue).joined(separator: ", "))
                    """)
            }
            overrides[value.lowercased()] = category
        }
        self.overrides = overrides
        grow(to: columns)
    }

    /// The columns that each field was taken from so far.
    var fieldColumns: [String: String] { columns.fieldColumns }

    /// Fields that were given a column which no record had; to be looked at when all were read.
    var missingColumns: [String: String] {
        let seen = Set(columns.names)
        var missing: [String: String] = [:]
        for (column, field) in asked where !seen.contains(column) { missing[field.rawValue] = column }
        for (column, language) in askedLanguages where !seen.contains(column) { missing["name:\(language)"] = column }
        return missing
    }

    private mutating func grow(to names: [String]) {
        for name in names[columns.names.count...] {
            columns.append(name, asked: asked, languages: askedLanguages, tagRanks: tagRanks)
        }
    }

    /// The landmark that a record describes.
    ///
    /// - Parameters:
    ///   - columns: the names of its values; may only have grown since the last record.
    ///   - coordinate: where it is.
    ///   - shape: anything but a point, in longitude and latitude.
    mutating func draft(
        of feature: Feature, columns names: [String], coordinate: Coordinate, shape: [UInt8]? = nil
    ) throws(FeatureFault) -> LandmarkDraft {
        if names.count > columns.names.count { grow(to: names) }
        used.removeAll(keepingCapacity: true)
        used.append(contentsOf: repeatElement(false, count: max(columns.names.count, feature.values.count)))

        let (category, sourceCategory) = category(of: feature)
        let translations = try self.names(of: feature)
        let name = try name(of: feature, names: translations, sourceCategory)
        var draft = LandmarkDraft(
            row: feature.row, key: try key(of: feature, name: name, coordinate), coordinate: coordinate, shape: shape,
            category: category, name: name, sourceCategory: sourceCategory)
        if !translations.isEmpty { draft.names = json(translations) }
        draft.description = try description(of: feature)
        draft.address = take(.address, feature) { LandmarkText.fitted($0, to: 500) } ?? composedAddress(feature)
        draft.website =
            take(.website, feature) { LandmarkText.webAddress($0) }
            ?? take(.wikipedia, feature) { LandmarkText.wikipediaAddress($0) }
        draft.phone = take(.phone, feature) { LandmarkText.fitted($0, to: 200) }
        draft.openingHours = take(.openingHours, feature) { LandmarkText.fitted($0, to: 1000) }
        draft.imageURL = take(.imageURL, feature) { LandmarkText.webAddress($0) }
        draft.properties = try properties(of: feature)
        return draft
    }

    // MARK: Fields

    /// The text of a value, if it is a text or a number.
    @inline(__always)
    private func text(_ feature: Feature, _ column: Int) -> String? {
        guard column < feature.values.count else { return nil }
        switch feature.values[column] {
        case .null: return nil
        case .text(let text): return LandmarkText.cleaned(text)
        case .json(let json):
            guard let first = json.utf8.first, first != UInt8(ascii: "["), first != UInt8(ascii: "{") else {
                return nil
            }
            return json
        }
    }

    /// The value of the first of a field's columns that `accept` makes something of.
    @inline(__always)
    private mutating func take(_ field: LandmarkField, _ feature: Feature, _ accept: (String) -> String?) -> String? {
        for column in columns[field] {
            guard let text = text(feature, column), let value = accept(text) else { continue }
            use(column)
            return value
        }
        return nil
    }

    @inline(__always)
    private mutating func use(_ column: Int) {
        used[column] = true
        columns.wasUsed[column] = true
    }

    private mutating func key(of feature: Feature, name: String, _ coordinate: Coordinate) throws(FeatureFault)
        -> String
    {
        func checked(_ key: String, _ field: String) throws(FeatureFault) -> String {
            guard let key = LandmarkText.fitted(key, to: 200) else {
                throw FeatureFault(row: feature.row, field: field, message: "is longer than 200 characters")
            }
            return key
        }
        if columns.isAsked(.key) || asked.values.contains(.key) {
            guard let column = columns[.key].first, let key = text(feature, column) else {
                let name = asked.first { $0.value == .key }?.key ?? "key"
                throw FeatureFault(row: feature.row, field: name, message: "is missing, which the key is taken from")
            }
            use(column)
            return try checked(key, columns.names[column])
        }
        if let id = feature.id.flatMap(LandmarkText.cleaned) { return try checked(id, "id") }
        for column in columns[.key] {
            guard let key = text(feature, column) else { continue }
            use(column)
            return try checked(key, columns.names[column])
        }
        hasKey = false
        func rounded(_ e7: Int32) -> Int { Int((Double(e7) / 100).rounded()) }
        let place = "\(name)\n\(rounded(coordinate.latitudeE7)),\(rounded(coordinate.longitudeE7))"
        return "place:" + base64URL(blake2b(Array(place.utf8), count: 16))
    }

    /// Names by language, in the order of the languages.
    private mutating func names(of feature: Feature) throws(FeatureFault) -> [(language: String, name: String)] {
        var names: [(language: String, name: String)] = []
        for (language, column) in columns.languages {
            guard names.last?.language != language, let name = text(feature, column),
                let fitted = LandmarkText.fitted(name, to: 200), fitted.utf8.contains(where: { $0 > UInt8(ascii: "9") })
            else { continue }
            use(column)
            names.append((language, fitted))
        }
        return names
    }

    private mutating func name(
        of feature: Feature, names: [(language: String, name: String)], _ sourceCategory: String?
    ) throws(FeatureFault) -> String {
        for column in columns[.name] {
            guard let name = text(feature, column) else { continue }
            guard let fitted = LandmarkText.fitted(LandmarkText.oneLine(name), to: 200) else {
                throw FeatureFault(
                    row: feature.row, field: columns.names[column], message: "is longer than 200 characters")
            }
            guard fitted.isStreamSafe else { throw unsafe(feature, column) }
            use(column)
            return fitted
        }
        if let name = (names.first { $0.language == "en" } ?? names.first)?.name { return name }
        let kind = sourceCategory.map { $0.split(separator: "=").last.map(String.init) ?? $0 }
        if let kind, let reference = take(.reference, feature, { $0 }),
            let name = LandmarkText.fitted("\(kind.replacing("_", with: " ")) \(reference)", to: 200)
        {
            return name
        }
        throw FeatureFault(row: feature.row, field: "name", message: "is missing")
    }

    private func unsafe(_ feature: Feature, _ column: Int) -> FeatureFault {
        FeatureFault(
            row: feature.row, field: columns.names[column],
            message: "has more than \(String.streamSafeMarks) combining marks in a row")
    }

    private mutating func description(of feature: Feature) throws(FeatureFault) -> String? {
        for column in columns[.description] {
            guard let text = text(feature, column) else { continue }
            let plain = PlainText.ofHTML(text)
            guard !plain.isEmpty else { continue }
            guard let fitted = LandmarkText.fitted(plain, to: 10_000) else {
                throw FeatureFault(
                    row: feature.row, field: columns.names[column], message: "is longer than 10,000 characters")
            }
            use(column)
            return fitted
        }
        return nil
    }

    private mutating func composedAddress(_ feature: Feature) -> String? {
        guard !columns[.street].isEmpty || !columns[.city].isEmpty else { return nil }
        let street = take(.street, feature) { LandmarkText.fitted($0, to: 200) }
        let city = take(.city, feature) { LandmarkText.fitted($0, to: 200) }
        guard street != nil || city != nil else { return nil }
        let number = street == nil ? nil : take(.houseNumber, feature) { LandmarkText.fitted($0, to: 50) }
        let postcode = take(.postcode, feature) { LandmarkText.fitted($0, to: 50) }
        let state = take(.state, feature) { LandmarkText.fitted($0, to: 100) }
        let country = take(.country, feature) { LandmarkText.fitted($0, to: 100) }
        return LandmarkText.address(
            number: number, street: street, postcode: postcode, city: city, state: state, country: country)
    }

    // MARK: Category

    private mutating func category(of feature: Feature) -> (Landmark.Category, source: String?) {
        var source: String?
        for column in columns[.category] {
            guard let text = text(feature, column), let fitted = LandmarkText.fitted(text, to: 200) else { continue }
            let found = lookUp(fitted, column: columns.names[column])
            if let found {
                use(column)
                return (found, fitted)
            }
            if source == nil || columns.isAsked(.category) {
                use(column)
                source = fitted
            }
        }
        for (key, column) in columns.tags {
            guard let text = text(feature, column), let value = LandmarkText.fitted(text, to: 200) else { continue }
            let tag = "\(key)=\(value)"
            if let category = known[tag] ?? overrides[tag.lowercased()] ?? table.category(ofTag: key, value: value) {
                remember(tag, category)
                return (category, tag)
            }
        }
        return (.other, source)
    }

    private mutating func lookUp(_ text: String, column: String) -> Landmark.Category? {
        if let category = known[text] { return category }
        let found =
            overrides[text.lowercased()] ?? overrides["\(column)=\(text)".lowercased()]
            ?? table.category(ofTag: column.lowercased(), value: text) ?? table.category(ofWords: text)
        if let found { remember(text, found) }
        return found
    }

    private mutating func remember(_ text: String, _ category: Landmark.Category) {
        if known.count < 4096 { known[text] = category }
    }

    // MARK: Properties

    /// What no field has taken, in the order of the names, so that it is the same however the file is ordered.
    private mutating func properties(of feature: Feature) throws(FeatureFault) -> String? {
        properties.removeAll(keepingCapacity: true)
        var count = 0
        for column in columns.order {
            guard column < feature.values.count, !used[column] else { continue }
            switch feature.values[column] {
            case .null: continue
            case .text(let text):
                guard let text = LandmarkText.cleaned(text) else { continue }
                guard text.isStreamSafe else { throw unsafe(feature, column) }
                begin(column)
                LandmarkText.writeJSON(text, to: &properties)
            case .json(let json):
                guard json.isStreamSafe else { throw unsafe(feature, column) }
                begin(column)
                LandmarkText.writeCompact(json, to: &properties)
            }
            count += 1
            guard count <= Self.maxProperties else {
                throw FeatureFault(
                    row: feature.row, field: "properties", message: "are more than \(Self.maxProperties)")
            }
            guard properties.count <= Self.maxPropertyBytes else {
                throw FeatureFault(
                    row: feature.row, field: "properties",
                    message: "are longer than \(Self.maxPropertyBytes >> 10) KB together")
            }
        }
        guard count > 0 else { return nil }
        properties.append(UInt8(ascii: "}"))
        return String(decoding: properties, as: UTF8.self)
    }

    private mutating func begin(_ column: Int) {
        properties.append(UInt8(ascii: properties.isEmpty ? "{" : ","))
        properties.append(contentsOf: columns.keys[column])
    }

    private func json(_ names: [(language: String, name: String)]) -> String {
        var text: [UInt8] = []
        for (language, name) in names {
            text.append(UInt8(ascii: text.isEmpty ? "{" : ","))
            LandmarkText.writeJSON(language, to: &text)
            text.append(UInt8(ascii: ":"))
            LandmarkText.writeJSON(name, to: &text)
        }
        text.append(UInt8(ascii: "}"))
        return String(decoding: text, as: UTF8.self)
    }
}

/// What an import asks of the columns that cannot be done.
struct LandmarkMappingError: Error, CustomStringConvertible {
    /// As the mapping calls it.
    let field: String
    /// What is wrong with it: goes behind the field's name.
    let message: String

    init(field: String, _ message: String) {
        self.field = field
        self.message = message
    }

    var description: String { "\(field) \(message)" }
}
