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
    /// Names and words that are in it.
    private var entries = 0

    /// A shard of more takes too much memory to be built.
    private static let landmarkLimit = 1 << 16
    private static let entryLimit = 800_000
    /// Later words of a name from which it is found.
    private static let innerLimit = 12

    var isFull: Bool { numbers.count >= Self.landmarkLimit || entries >= Self.entryLimit }

    mutating func add(_ landmark: PublishedLandmark) {
        let place = numbers.count
        numbers.append(landmark.number)
        positions.append(HilbertCurve.position(of: landmark.coordinate))
        points += [landmark.coordinate.latitudeE7, landmark.coordinate.longitudeE7]
        categories.append(UInt8(truncatingIfNeeded: landmark.category.code))
        importances.append(landmark.category.importance)

        var known: Set<[UInt8]> = []
        func add(_ form: [UInt8], _ kind: PlaceNames.Posting.Kind) {
            guard !form.isEmpty, known.insert(form).inserted else { return }
            names.add(
                form, PlaceNames.Posting(place: place, kind: kind, alternate: PlaceNames.Posting.unnumbered))
            entries += 1
        }
        let others = LandmarkFolding.names(landmark.names).map(\.name)
        for form in PlaceForms(landmark.name, LandmarkFolding.folding).all { add(form, .primary) }
        for name in others + landmark.codes {
            for form in PlaceForms(name, LandmarkFolding.folding).all { add(form, .alternate) }
        }
        for (name, least) in ([landmark.name] + others).flatMap(LandmarkFolding.readings) {
            let folded = LandmarkFolding.folding.words(name.unicodeScalars).words
            for begin in Self.innerBeginnings(of: folded).prefix(Self.innerLimit) {
                let rest = folded.bytes[begin...]
                if rest.count >= least { add([UInt8](rest), .inner) }
            }
        }
        var seen: Set<ArraySlice<UInt8>> = []
        LandmarkFolding.forEachBeginning(of: landmark.searchedTexts) { word in
            guard seen.insert(word).inserted else { return }
            words.add(word, PlaceNames.Posting(place: place, kind: .primary, alternate: 0))
            entries += 1
        }
    }

    private static func innerBeginnings(of words: PlaceFolding.Words) -> [Int] {
        var beginnings: [Int] = []
        for index in 0..<words.count {
            let word = words[index]
            if index > 0 { beginnings.append(word.startIndex) }
            if word.contains(where: { $0 >= 0x80 }) { beginnings += LandmarkFolding.innerBeginnings(of: word) }
        }
        return beginnings
    }

    func parts(isLast: Bool) -> [(name: String, content: [UInt8])] {
        names.parts("names", importances: importances)
            + words.parts("words", importances: [UInt16](repeating: 0, count: numbers.count))
            + [
                ("numbers", numbers.memory), ("positions", positions.memory), ("points", points.memory),
                ("categories", categories),
                ("last", [isLast ? 1 : 0]),
            ]
    }
}

extension Landmark.Category {
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
