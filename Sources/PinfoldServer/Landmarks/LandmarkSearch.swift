import Geo
import SocialModel

/// Search while typing over the names of landmarks: a name, a later part of one, some words of a landmark's texts, or a name
/// with names of what it lies in on either side. Where that finds little, it is read with typing errors. The points are
/// those of `PlaceSearch`, so that what is found joins its ranking.
struct LandmarkSearch {
    /// What was found. The row may no longer be current.
    struct Result {
        /// Of the row.
        let number: Int64
        let coordinate: Coordinate
        var match: PlaceSelection.Match
        var points: Int
    }

    /// What a text that has all words counts, wherever they are.
    private static let scattered = -1500
    /// With so many answers nobody needs corrections.
    private static let enough = 5
    /// How far around the searcher what is there is read whatever else counts more, in metres.
    private static let nearby = 200_000.0
    /// Postings of which is asked whether they are near, and that are; landmarks whose words are anywhere, those that are
    /// asked what they lie in, and those of a reading with qualifiers.
    private static let postingLimit = 2_000_000
    private static let nearLimit = 100_000
    private static let scatteredLimit = 30_000
    private static let lookLimit = 150
    private static let qualifiedLimit = 20

    /// A shard, and which of its landmarks are near the searcher.
    private struct Part {
        let shard: LandmarkShard
        let near: LandmarkBits?
    }

    private let shards: [Part]
    private let forms: PlaceForms
    private let bias: PlaceBias
    private let gazetteer: Gazetteer?
    private let wanted: Int
    private var postingsLeft = Self.postingLimit
    private var nearLeft = Self.nearLimit
    private var scatteredLeft = Self.scatteredLimit
    private var looksLeft = Self.lookLimit
    private var found: [Int64: Result] = [:]

    /// - Parameter limit: about how many results are wanted.
    init(_ text: String, _ shards: [LandmarkShard], bias: PlaceBias, _ gazetteer: Gazetteer?, limit: Int) {
        self.bias = bias
        self.gazetteer = gazetteer
        forms = PlaceForms(text, LandmarkFolding.folding, limit: PlaceSearch.letterLimit)
        let windows = [bias.point.map { BoundingBox(around: $0, metres: Self.nearby) }, bias.box].compactMap { $0 }
        let ranges = windows.flatMap { HilbertCurve.ranges(covering: $0, limit: PinWay.rangeLimit) }
        self.shards = shards.map { shard in
            guard !ranges.isEmpty else { return Part(shard: shard, near: nil) }
            var near = LandmarkBits(count: shard.count)
            for range in ranges { near.insert(shard.landmarks(inPlaces: range)) }
            near.subtract(shard.gone)
            return Part(shard: shard, near: near.isEmpty ? nil : near)
        }
        wanted = limit + (windows.isEmpty ? 8 : 30)
    }

    private var count: Int { forms.words.count }

    /// - Returns: the best first; some more than wanted, since some may be gone.
    mutating func results() -> [Result] {
        guard count > 0 else { return [] }
        for (number, form) in forms.forms(0..<count).enumerated() {
            let bonus = PlaceSearch.Bonus.correct + (number == 0 ? 0 : PlaceSearch.Bonus.writtenOut)
            for shard in shards { offer(form, of: shard, bonus) }
        }
        if count > 1, mayBeBetter(Self.scattered) { for shard in shards { offerScattered(of: shard) } }
        if found.isEmpty, count > 1, count <= PlaceSearch.wordLimit { readWithQualifiers() }
        let isKnown = found.values.contains { $0.match == .exact }
        if found.count < Self.enough, !isKnown { readWithErrors() }
        return Array(
            found.values.sorted { $0.points != $1.points ? $0.points > $1.points : $0.number < $1.number }.prefix(
                wanted))
    }

    /// Whether something that counts so much besides its importance may be among the best.
    private func mayBeBetter(_ bonus: Int) -> Bool {
        let near = shards.contains { $0.near != nil } ? Int(PlaceBias.most) : 0
        let most = PlaceSearch.Bonus.correct + bonus + Int(Landmark.Category.mostImportance) + near
        return found.values.count { $0.points >= most } < wanted
    }

    // MARK: Readings

    private mutating func offer(_ form: [UInt8], of part: Part, _ bonus: Int) {
        let shard = part.shard
        guard let names = shard.names.find(form) else { return }
        var longer = names.names
        if names.isExact {
            let exact = longer.lowerBound..<(longer.lowerBound + 1)
            offer(exact, .exact, bonus + PlaceSearch.Bonus.exact, of: part)
            longer = (longer.lowerBound + 1)..<longer.upperBound
        }
        if !longer.isEmpty { offer(longer, .prefix, bonus, of: part) }
    }

    private mutating func offer(
        _ names: Range<Int>, _ match: PlaceSelection.Match, _ bonus: Int, of part: Part
    ) {
        let shard = part.shard
        func points(_ kind: PlaceNames.Posting.Kind) -> Int {
            switch (match, kind) {
            // A later part of a name is not the name.
            case (.exact, .inner): bonus - PlaceSearch.Bonus.exact
            case (.exact, _), (_, .primary): bonus
            default: bonus - PlaceSelection.unlikely
            }
        }
        var selection = LandmarkSelection(wanted: wanted)
        selection.offer(names, of: shard, points)
        for candidate in selection.candidates {
            take(candidate.landmark, candidate.isPart && match == .exact ? .prefix : match, candidate.points, of: shard)
        }
        guard let near = part.near else { return }
        let range = shard.names.postings(of: names).prefix(postingsLeft)
        postingsLeft -= range.count
        // What is near counts more the nearer it is.
        var nearest = LandmarkSelection(wanted: wanted)
        for bits in shard.names.postings.slice(range) {
            let posting = PlaceNames.Posting(bits: bits)
            guard near.contains(posting.place), nearLeft > 0 else { continue }
            nearLeft -= 1
            let own = max(0, shard.names.score(posting) + points(posting.kind))
            guard nearest.takes(own + Int(PlaceBias.most)) else { continue }
            let bonus = bias.bonus(at: shard.coordinate(of: posting.place))
            nearest.offer(posting.place, isPart: posting.kind == .inner, own + bonus)
        }
        for candidate in nearest.candidates {
            let bonus = bias.bonus(at: shard.coordinate(of: candidate.landmark))
            take(
                candidate.landmark, candidate.isPart && match == .exact ? .prefix : match, candidate.points - bonus,
                of: shard)
        }
    }

    /// Landmarks that have each word somewhere in their texts.
    private mutating func offerScattered(of part: Part) {
        let shard = part.shard
        let bonus = PlaceSearch.Bonus.correct + Self.scattered
        func points(_ landmark: Int) -> Int {
            shard.names.score(PlaceNames.Posting(place: landmark, kind: .primary, alternate: 0)) + bonus
        }
        let matches = shard.landmarks(having: forms.words)
        if var near = part.near {
            near.formIntersection(matches)
            var nearest = LandmarkSelection(wanted: wanted)
            near.forEach(atMost: &nearLeft) { landmark in
                let bonus = bias.bonus(at: shard.coordinate(of: landmark))
                nearest.offer(landmark, isPart: false, points(landmark) + bonus)
            }
            for candidate in nearest.candidates {
                let bonus = bias.bonus(at: shard.coordinate(of: candidate.landmark))
                take(candidate.landmark, .prefix, candidate.points - bonus, of: shard)
            }
        }
        var selection = LandmarkSelection(wanted: wanted)
        matches.forEach(atMost: &scatteredLeft) { selection.offer($0, isPart: false, points($0)) }
        for candidate in selection.candidates { take(candidate.landmark, .prefix, candidate.points, of: shard) }
    }

    /// Each way to take some neighbouring words as a name and the others, on one side or both, as names of what it is in.
    private mutating func readWithQualifiers() {
        guard let gazetteer else { return }
        for start in 0..<count {
            for end in (start + 1)...count where end - start < count {
                let name = [UInt8](forms.words[start..<end])
                guard name.count > 2, looksLeft > 0 else { continue }
                let around = (Array(0..<start) + Array(end..<count)).map { [UInt8](forms.words[$0]) }
                var search = LandmarkSearch(shards, forms, bias, wanted: Self.qualifiedLimit)
                for shard in shards { search.offer(name, of: shard, PlaceSearch.Bonus.correct) }
                let likely = search.found.values.sorted { ($0.points, $1.number) > ($1.points, $0.number) }
                for var result in likely.prefix(Self.qualifiedLimit) where looksLeft > 0 {
                    looksLeft -= 1
                    guard Self.lies(result.coordinate, in: around, gazetteer) else { continue }
                    result.points +=
                        result.match == .exact ? PlaceSearch.Bonus.qualified : PlaceSearch.Bonus.prefixQualified
                    take(result)
                }
            }
        }
    }

    private init(
        _ shards: [Part], _ forms: PlaceForms, _ bias: PlaceBias, wanted: Int
    ) {
        self.shards = shards
        self.forms = forms
        self.bias = bias
        gazetteer = nil
        self.wanted = wanted
    }

    /// Whether each word begins a word of the names of what a position lies in.
    private static func lies(_ coordinate: Coordinate, in words: [[UInt8]], _ gazetteer: Gazetteer) -> Bool {
        let around = gazetteer.reverse(coordinate)
        let names = [around.label, around.admin2, around.countryCode].compactMap { $0 }
        let known = LandmarkFolding.folding.words(names.joined(separator: ", ").unicodeScalars).words
        return words.allSatisfy { word in (0..<known.count).contains { known[$0].starts(with: word) } }
    }

    /// One error first: looking for a second costs ten times as much.
    private mutating func readWithErrors() {
        var nodes = 0
        for errors in 1...2 where errors == 1 || found.isEmpty {
            nodes += errors == 1 ? 150_000 : 300_000
            guard let misspelling = PlaceNames.Misspelling(forms.words.bytes, errors: errors),
                misspelling.errors == errors
            else { return }
            for shard in shards {
                var corrections: [PlaceNames.Correction] = []
                shard.shard.names.forEachCorrection(misspelling, budget: &nodes) { corrections.append($0) }
                for correction in corrections {
                    let bonus =
                        PlaceSearch.Bonus.withErrors
                        + (correction.isWhole ? PlaceSearch.Bonus.wholeWithErrors : 0)
                        + (correction.errors > 1 ? PlaceSearch.Bonus.secondError : 0)
                    offer(correction.names, .fuzzy, bonus, of: shard)
                }
            }
        }
    }

    // MARK: What was found

    private mutating func take(
        _ landmark: Int, _ match: PlaceSelection.Match, _ points: Int, of shard: LandmarkShard
    ) {
        let coordinate = shard.coordinate(of: landmark)
        take(
            Result(
                number: shard.number(of: landmark), coordinate: coordinate, match: match,
                points: max(0, points) + bias.bonus(at: coordinate)))
    }

    private mutating func take(_ result: Result) {
        guard var known = found[result.number] else {
            found[result.number] = result
            return
        }
        if rank(result.match) < rank(known.match) { known.match = result.match }
        known.points = max(known.points, result.points)
        found[result.number] = known
    }

    private func rank(_ match: PlaceSelection.Match) -> Int { match == .exact ? 0 : match == .prefix ? 1 : 2 }
}
