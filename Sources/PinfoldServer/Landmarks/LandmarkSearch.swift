import Geo

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
    /// Postings that are looked at for what is near, landmarks that are asked what they lie in, and those of a reading
    /// with qualifiers.
    private static let nearLimit = 150_000
    private static let lookLimit = 150
    private static let qualifiedLimit = 20

    private let shards: [LandmarkShard]
    private let forms: PlaceForms
    private let bias: PlaceBias
    private let windows: [BoundingBox]
    private let gazetteer: Gazetteer?
    private let wanted: Int
    private var nearLeft = Self.nearLimit
    private var looksLeft = Self.lookLimit
    private var found: [Int64: Result] = [:]

    /// - Parameter limit: about how many results are wanted.
    init(_ text: String, _ shards: [LandmarkShard], bias: PlaceBias, _ gazetteer: Gazetteer?, limit: Int) {
        self.shards = shards
        self.bias = bias
        self.gazetteer = gazetteer
        forms = PlaceForms(text, LandmarkFolding.folding, limit: PlaceSearch.letterLimit)
        windows = [bias.point.map { BoundingBox(around: $0, metres: Self.nearby) }, bias.box].compactMap { $0 }
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
        if count > 1 { for shard in shards { offerScattered(of: shard) } }
        if found.isEmpty, count > 1, count <= PlaceSearch.wordLimit { readWithQualifiers() }
        let isKnown = found.values.contains { $0.match == .exact }
        if found.count < Self.enough, !isKnown { readWithErrors() }
        return Array(
            found.values.sorted { $0.points != $1.points ? $0.points > $1.points : $0.number < $1.number }.prefix(
                wanted))
    }

    // MARK: Readings

    private mutating func offer(_ form: [UInt8], of shard: LandmarkShard, _ bonus: Int) {
        guard let names = shard.names.find(form) else { return }
        var longer = names.names
        if names.isExact {
            let exact = longer.lowerBound..<(longer.lowerBound + 1)
            offer(exact, .exact, bonus + PlaceSearch.Bonus.exact, of: shard)
            longer = (longer.lowerBound + 1)..<longer.upperBound
        }
        if !longer.isEmpty { offer(longer, .prefix, bonus, of: shard) }
    }

    private mutating func offer(
        _ names: Range<Int>, _ match: PlaceSelection.Match, _ bonus: Int, of shard: LandmarkShard
    ) {
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
        guard !windows.isEmpty else { return }
        let range = shard.names.postings(of: names).prefix(nearLeft)
        nearLeft -= range.count
        // What is near counts more the nearer it is.
        var near = LandmarkSelection(wanted: wanted)
        for bits in shard.names.postings.slice(range) {
            let posting = PlaceNames.Posting(bits: bits)
            let coordinate = shard.coordinate(of: posting.place)
            guard isNear(coordinate), !shard.isGone(posting.place) else { continue }
            let own = max(0, shard.names.score(posting) + points(posting.kind))
            guard near.takes(own + Int(PlaceBias.most)) else { continue }
            near.offer(posting.place, isPart: posting.kind == .inner, own + bias.bonus(at: coordinate))
        }
        for candidate in near.candidates {
            let bonus = bias.bonus(at: shard.coordinate(of: candidate.landmark))
            take(
                candidate.landmark, candidate.isPart && match == .exact ? .prefix : match, candidate.points - bonus,
                of: shard)
        }
    }

    private func isNear(_ coordinate: Coordinate) -> Bool {
        for window in windows where window.contains(coordinate) { return true }
        return false
    }

    /// Landmarks that have each word somewhere in their texts.
    private mutating func offerScattered(of shard: LandmarkShard) {
        let bonus = PlaceSearch.Bonus.correct + Self.scattered
        var selection = LandmarkSelection(wanted: wanted)
        let matches = shard.landmarks(having: forms.words)
        var next = matches.next(from: 0)
        while let landmark = next {
            next = matches.next(from: landmark + 1)
            let posting = PlaceNames.Posting(place: landmark, kind: .primary, alternate: 0)
            let coordinate = shard.coordinate(of: landmark)
            let near = isNear(coordinate) ? bias.bonus(at: coordinate) : 0
            selection.offer(landmark, isPart: false, shard.names.score(posting) + bonus + near)
        }
        for candidate in selection.candidates {
            let coordinate = shard.coordinate(of: candidate.landmark)
            let near = isNear(coordinate) ? bias.bonus(at: coordinate) : 0
            take(candidate.landmark, .prefix, candidate.points - near, of: shard)
        }
    }

    /// Each way to take some neighbouring words as a name and the others, on one side or both, as names of what it is in.
    private mutating func readWithQualifiers() {
        guard let gazetteer else { return }
        for start in 0..<count {
            for end in (start + 1)...count where end - start < count {
                let name = [UInt8](forms.words[start..<end])
                guard name.count > 2, looksLeft > 0 else { continue }
                let around = (Array(0..<start) + Array(end..<count)).map { [UInt8](forms.words[$0]) }
                var search = LandmarkSearch(shards, forms, bias, windows, wanted: Self.qualifiedLimit)
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
        _ shards: [LandmarkShard], _ forms: PlaceForms, _ bias: PlaceBias, _ windows: [BoundingBox], wanted: Int
    ) {
        self.shards = shards
        self.forms = forms
        self.bias = bias
        self.windows = windows
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
                shard.names.forEachCorrection(misspelling, budget: &nodes) { corrections.append($0) }
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
