import Geo
import HTTP
import SocialModel

/// Gathers landmarks into the parts of a `LandmarkShard`.
struct LandmarkShardBuilder {
    private var names = PlaceNamesBuilder()
    private var words = PlaceNamesBuilder()
    private var importances: [UInt16] = []
    private var numbers: [Int64] = []
    private var positions: [Int64] = []
    private var points: [Int32] = []
    private var categories: [UInt8] = []
    private var updates: [Int64] = []
    /// Names and words that are in it.
    private var entries = 0

    /// A shard of more takes too much memory to be built.
    private static let landmarkLimit = 1 << 15
    private static let entryLimit = 300_000
    /// Later words of a name from which it is found.
    private static let innerLimit = 12

    var isFull: Bool { numbers.count >= Self.landmarkLimit || entries >= Self.entryLimit }

    mutating func add(_ landmark: PublishedLandmark) {
        let place = numbers.count
        numbers.append(landmark.number)
        positions.append(HilbertCurve.position(of: landmark.coordinate))
        points += [landmark.coordinate.latitudeE7, landmark.coordinate.longitudeE7]
        categories.append(UInt8(truncatingIfNeeded: landmark.category.code))
        updates.append(landmark.updatedAt.milliseconds)
        importances.append(landmark.category.importance)

        func addName(_ form: some Collection<UInt8>, _ kind: PlaceNames.Posting.Kind) {
            guard !form.isEmpty else { return }
            names.add(form, PlaceNames.Posting(place: place, kind: kind, alternate: PlaceNames.Posting.unnumbered))
            entries += 1
        }
        var left = LandmarkFolding.wordLimit
        func addWords(of text: PlaceFolding.Words, _ least: Int) {
            LandmarkFolding.forEachBeginning(in: text, ofAtLeast: least, &left) { word in
                words.add(word, PlaceNames.Posting(place: place, kind: .primary, alternate: 0))
                entries += 1
            }
        }
        // Whole names before parts of them: a form counts as what it is first.
        let ownNames = [landmark.name] + LandmarkFolding.names(landmark.names).map(\.name)
        let forms = ownNames.map { PlaceForms($0, LandmarkFolding.folding) }
        for (number, forms) in forms.enumerated() {
            for form in forms.all { addName(form, number == 0 ? .primary : .alternate) }
        }
        if forms[0].words.isEmpty { addName(LandmarkFolding.form(of: landmark.name), .primary) }
        for code in landmark.codes {
            for form in PlaceForms(code, LandmarkFolding.folding).all { addName(form, .alternate) }
        }
        for (name, forms) in zip(ownNames, forms) {
            for rest in Self.parts(of: forms.words, ofAtLeast: 1) { addName(rest, .inner) }
            addWords(of: forms.words, 1)
            guard let parted = LandmarkFolding.parted(name) else { continue }
            for rest in Self.parts(of: parted, ofAtLeast: LandmarkFolding.partLength) { addName(rest, .inner) }
            addWords(of: parted, LandmarkFolding.partLength)
        }
        for text in [landmark.description, landmark.address] {
            guard let text else { continue }
            addWords(of: LandmarkFolding.folding.words(text.unicodeScalars).words, 1)
            if let parted = LandmarkFolding.parted(text) { addWords(of: parted, LandmarkFolding.partLength) }
        }
    }

    /// What a name has behind its start, from where a word begins.
    private static func parts(of words: PlaceFolding.Words, ofAtLeast least: Int) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        for index in 0..<words.count where parts.count < innerLimit {
            let word = words[index]
            if index > 0 { parts.append(words.bytes[word.startIndex...]) }
            if word.contains(where: { $0 >= 0x80 }) {
                parts += LandmarkFolding.innerBeginnings(of: word).map { words.bytes[$0...] }
            }
        }
        return parts.prefix(innerLimit).filter { $0.count >= least }
    }

    /// - Parameter isLast: no other shard follows.
    mutating func parts(isLast: Bool) -> [(name: String, content: [UInt8])] {
        sort()
        return names.parts("names", importances: importances)
            + words.parts("words", importances: [UInt16](repeating: 0, count: numbers.count))
            + [
                ("numbers", numbers.memory), ("positions", positions.memory), ("points", points.memory),
                ("categories", categories), ("updates", updates.memory),
                ("last", [isLast ? 1 : 0]),
            ]
    }

    /// Puts the landmarks in the order of the Hilbert curve.
    private mutating func sort() {
        let order = positions.indices.sorted { (positions[$0], numbers[$0]) < (positions[$1], numbers[$1]) }
        var renumbered = [UInt32](repeating: 0, count: order.count)
        for (new, old) in order.enumerated() { renumbered[old] = UInt32(new) }
        names.renumber(renumbered)
        words.renumber(renumbered)
        importances = order.map { importances[$0] }
        numbers = order.map { numbers[$0] }
        positions = order.map { positions[$0] }
        points = order.flatMap { [points[$0 * 2], points[$0 * 2 + 1]] }
        categories = order.map { categories[$0] }
        updates = order.map { updates[$0] }
    }
}

extension Landmark.Category {
    /// The largest `importance`.
    static let mostImportance: UInt16 = allCases.map(\.importance).max() ?? 0

    /// How likely it is that one is meant, as `PlaceNames` counts: in thousandths of a power of ten of people.
    fileprivate var importance: UInt16 {
        switch self {
        case .airport: 4800
        case .museum, .monument, .stadium, .theatre, .nature: 4200
        case .park, .viewpoint, .station, .harbour, .hospital: 3900
        case .worship, .library, .school, .other: 3500
        case .hotel, .shop, .food: 3200
        }
    }
}

extension PublishedLandmark {
    /// Short codes by which travellers know it.
    fileprivate var codes: [String] {
        guard category == .airport || category == .station, let properties,
            case .object(let members)? = try? JSONValue(parsing: Array(properties.utf8))
        else { return [] }
        return members.compactMap { member in
            guard ["iata", "icao", "ref"].contains(member.name.lowercased()), case .string(let code) = member.value,
                (2...5).contains(code.utf8.count)
            else { return nil }
            return code
        }
    }
}
