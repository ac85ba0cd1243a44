import Geo

/// Search while typing over the places of the gazetteer.
///
/// A text is read as a whole name, or as a name with qualifiers on either side: names or codes of areas that the place lies
/// in. Where that finds little, it is read with typing errors. All readings are in one order: `PlaceSelection`.
package struct PlaceSearch: Sendable {
    /// What was found.
    struct Result {
        enum Subject: Hashable {
            case place(Int)
            /// A country or one of its first divisions.
            case area(Int)
        }

        let subject: Subject
        let match: PlaceSelection.Match
        let points: Int
        /// The alternate name that matched, nil if it was the main one.
        let alternate: Int?
    }

    let index: PlaceIndex

    /// The most letters of a text that are looked at, and the most words that may be qualifiers.
    static let letterLimit = 200
    static let wordLimit = 8

    /// Points: readings with errors come after all others; an exact name is worth ten times the people of one that only
    /// begins so.
    enum Bonus {
        static let correct = 20_000
        static let exact = 1000
        static let withErrors = 5000
        static let wholeWithErrors = 1000
        static let wellKnown = 5500
        static let pin = 6000
        /// A country or division, which comes after a city with its name.
        static let area = -1700
        static let secondError = -2500
        /// With an abbreviation in full, which comes after what is written as the text.
        static let writtenOut = -300
        static let qualified = -100
        static let prefixQualified = -1200
    }

    /// Finds places.
    ///
    /// - Parameters:
    ///   - text: any text.
    ///   - bias: where what is there comes up.
    /// - Returns: at most `limit`, the best first.
    func results(_ text: String, bias: PlaceBias = PlaceBias(), limit: Int) -> [Result] {
        let forms = PlaceForms(text, index.folding, limit: Self.letterLimit)
        guard !forms.words.isEmpty else { return [] }
        var reading = Reading(index: index, forms: forms, bias: bias, limit: limit)
        reading.readCorrectly()
        if reading.selection.count < min(limit, Self.enough) { reading.readWithErrors() }
        return reading.results(text, limit: limit)
    }

    /// With so many answers nobody needs corrections.
    private static let enough = 5

    /// One search under way.
    private struct Reading {
        let index: PlaceIndex
        let forms: PlaceForms
        let window: PlaceWindow?
        var selection: PlaceSelection
        /// How many nodes of names may still be visited for corrections.
        private var nodes = 0
        /// Countries and divisions that were found.
        private var areas: [Result] = []
        private var resolved: [Range<Int>: PlaceAreas?] = [:]

        init(index: PlaceIndex, forms: PlaceForms, bias: PlaceBias, limit: Int) {
            self.index = index
            self.forms = forms
            window = PlaceWindow(index, bias)
            // Some more than wanted, since the distance and the spelling may still change their order.
            selection = PlaceSelection(index.names, places: index.count, wanted: limit + (window == nil ? 8 : 30))
        }

        private var count: Int { forms.words.count }

        private static let begunLetters = 2

        // MARK: As typed

        mutating func readCorrectly() {
            for (number, form) in forms.forms(0..<count).enumerated() {
                offer(form, bonus: Bonus.correct + (number == 0 ? 0 : Bonus.writtenOut))
                guard form.count > 1, let found = index.areaNames.find(form) else { continue }
                let exact = found.names.lowerBound + (found.isExact ? 1 : 0)
                offerAreas(found.names.lowerBound..<exact, .exact, bonus: Bonus.correct + Bonus.exact)
                if form.count > 2 { offerAreas(exact..<found.names.upperBound, .prefix, bonus: Bonus.correct) }
            }
            forEachSplit { reading, name, sides in
                guard let areas = reading.areas(sides) else { return }
                for form in reading.forms.forms(name) {
                    reading.offer(form, bonus: Bonus.correct + Bonus.qualified, in: areas)
                }
            }
        }

        private mutating func offer(_ form: [UInt8], bonus: Int, in areas: PlaceAreas? = nil) {
            guard let found = index.names.find(form) else { return }
            var longer = found.names
            if found.isExact {
                offer(longer.lowerBound..<(longer.lowerBound + 1), .exact, bonus + Bonus.exact, areas)
                longer = (longer.lowerBound + 1)..<longer.upperBound
            }
            // With what is hardly begun beside it, a name that is hardly begun could be anything.
            if let areas, !areas.isSure || form.count < Self.begunLetters { return }
            let prefixBonus = areas == nil ? bonus : bonus + Bonus.prefixQualified
            if !longer.isEmpty { offer(longer, .prefix, prefixBonus, areas) }
        }

        private mutating func offer(
            _ names: Range<Int>, _ match: PlaceSelection.Match, _ bonus: Int, _ areas: PlaceAreas?
        ) {
            if let areas {
                selection.offer(names, match, bonus: bonus) { areas.contain(index.areas(of: $0)) }
            } else {
                selection.offer(names, match, bonus: bonus) { _ in true }
                if let window { selection.offer(names, match, bonus: bonus, near: window) }
            }
        }

        /// Offers countries and divisions by their names, those with most people of very many.
        private mutating func offerAreas(_ names: Range<Int>, _ match: PlaceSelection.Match, bonus: Int) {
            let range = index.areaNames.postings(of: names)
            let least = range.count > 200 ? PlaceAreas.manyPeople : 0
            for at in range {
                if index.areaNames.best(inBlock: at / PlaceNames.blockSize) < least { continue }
                guard let bits = index.areaNames.postings[at] else { break }
                let posting = PlaceNames.Posting(bits: bits)
                let score = index.areaNames.score(posting)
                guard score >= least, posting.kind != .inner else { continue }
                let unlikely = match == .exact || posting.kind == .primary ? 0 : PlaceSelection.unlikely
                let points = bonus + score + Bonus.area - unlikely
                guard points >= leastPointsOfAreas, index.shownArea(posting.place) != nil else { continue }
                areas.append(Result(subject: .area(posting.place), match: match, points: points, alternate: nil))
            }
        }

        /// Hands out each way to take some neighbouring words as a name and the others, on one side or both, as qualifiers.
        private mutating func forEachSplit(
            _ body: (inout Reading, _ name: Range<Int>, _ sides: [Range<Int>]) -> Void
        ) {
            guard count > 1, count <= PlaceSearch.wordLimit else { return }
            for start in 0..<count {
                for end in (start + 1)...count where end - start < count {
                    body(&self, start..<end, [0..<start, end..<count].filter { !$0.isEmpty })
                }
            }
        }

        // MARK: Qualifiers

        private mutating func areas(_ sides: [Range<Int>]) -> PlaceAreas? {
            var all: PlaceAreas?
            for side in sides {
                guard let areas = areas(side) else { return nil }
                all = all?.and(areas) ?? areas
            }
            return all
        }

        /// The areas that some words name, as one name or two.
        private mutating func areas(_ words: Range<Int>) -> PlaceAreas? {
            if let known = resolved[words] { return known }
            var areas = one(words)
            if areas == nil, words.count > 1 {
                for middle in (words.lowerBound + 1)..<words.upperBound {
                    if let left = self.areas(words.lowerBound..<middle),
                        let right = self.areas(middle..<words.upperBound)
                    {
                        areas = left.and(right)
                        break
                    }
                }
            }
            resolved[words] = areas
            return areas
        }

        private func one(_ words: Range<Int>) -> PlaceAreas? {
            var areas = PlaceAreas(index)
            // What is typed last may be unfinished; elsewhere a beginning of some length will do.
            let isLast = words.upperBound == count
            let mayBeUnfinished = isLast || forms.words[words].count >= 4
            for form in forms.forms(words) {
                guard let found = index.areaNames.find(form) else { continue }
                areas.add(found, letters: form.count, withPrefixes: mayBeUnfinished)
                areas.isSure = areas.isSure || found.isExact && form.count > 1 || isLast && form.count > 2
            }
            return areas.isEmpty ? nil : areas
        }

        // MARK: With errors

        /// One error first: looking for a second costs ten times as much, and is worth it only where nothing that is well
        /// known was found.
        mutating func readWithErrors() {
            let isKnown = selection.count > 0 || !areas.isEmpty
            for errors in 1...2
            where errors == 1 || selection.most < Bonus.withErrors + Bonus.wellKnown && areas.isEmpty {
                nodes += errors == 1 ? 100_000 : 300_000
                for form in forms.forms(0..<count).prefix(errors == 1 ? 4 : 1) { correct(form, errors, in: nil) }
                if errors == 1 { correctArea() }
                if isKnown || errors == 2 && selection.count > 0 { continue }
                forEachSplit { reading, name, sides in
                    guard reading.count <= 4 || sides.count == 1 && reading.count <= 6 else { return }
                    reading.correct(name, sides, errors)
                }
            }
        }

        private mutating func correct(_ name: Range<Int>, _ sides: [Range<Int>], _ errors: Int) {
            if let areas = areas(sides) {
                if areas.isSure { correct([UInt8](forms.words[name]), errors, in: areas) }
            } else if sides.count == 1, let found = index.names.find(forms.words[name]), found.isExact,
                let areas = corrected(sides[0], errors)
            {
                offer(
                    found.names.lowerBound..<(found.names.lowerBound + 1), .fuzzy,
                    Bonus.withErrors + Bonus.wholeWithErrors + Bonus.qualified, areas)
            }
        }

        private mutating func correct(_ form: [UInt8], _ errors: Int, in areas: PlaceAreas?) {
            guard let misspelling = PlaceNames.Misspelling(form, errors: errors), misspelling.errors == errors else {
                return
            }
            var found: [PlaceNames.Correction] = []
            index.names.forEachCorrection(misspelling, budget: &nodes) { found.append($0) }
            for correction in found {
                let bonus =
                    Bonus.withErrors + (correction.isWhole ? Bonus.wholeWithErrors : 0)
                    + (correction.errors > 1 ? Bonus.secondError : 0)
                offer(correction.names, .fuzzy, bonus, areas)
            }
        }

        private mutating func correctArea() {
            guard let misspelling = PlaceNames.Misspelling(forms.words.bytes, errors: 1) else { return }
            var found: [PlaceNames.Correction] = []
            index.areaNames.forEachCorrection(misspelling, budget: &nodes) { if $0.isWhole { found.append($0) } }
            for correction in found {
                offerAreas(correction.names, .fuzzy, bonus: Bonus.withErrors + Bonus.wholeWithErrors)
            }
        }

        private mutating func corrected(_ words: Range<Int>, _ errors: Int) -> PlaceAreas? {
            guard let misspelling = PlaceNames.Misspelling(forms.words[words], errors: errors) else { return nil }
            var areas = PlaceAreas(index)
            index.areaNames.forEachCorrection(misspelling, budget: &nodes) { correction in
                if correction.isWhole { areas.add(correction) }
            }
            return areas.isEmpty ? nil : areas
        }

        // MARK: The order

        func results(_ text: String, limit: Int) -> [Result] {
            let spelling = PlaceSpelling(text, forms)
            var readings: [Result] = []
            readings.reserveCapacity(selection.count * 2)
            for candidate in selection.candidates where candidate.points >= selection.threshold || window != nil {
                let place = candidate.posting.place
                var points = candidate.points
                if let window { points += window.bonus(of: place) }
                let alternate = candidate.posting.isAlternate ? candidate.posting.alternate : nil
                switch candidate.match {
                case .exact, .prefix: points += spelling.bonus(candidate.match, place, alternate, index)
                case .fuzzy: break
                }
                readings.append(
                    Result(subject: .place(place), match: candidate.match, points: points, alternate: alternate))
            }
            let least = leastPointsOfAreas
            for area in areas where area.points >= least { readings.append(area) }
            return Array(Self.merged(readings).sorted(by: Self.comesFirst).prefix(limit))
        }

        /// As many places as are wanted have more points than the threshold. But an area may be found by a name that counts
        /// less and matches better: a thousand less.
        private var leastPointsOfAreas: Int { selection.threshold - 1000 }

        /// Each subject once. Equals stay in their order.
        private static func merged(_ readings: [Result]) -> [Result] {
            let keys = readings.enumerated().map { UInt64($1.order) << 32 | UInt64($0) }.sorted()
            var merged: [Result] = []
            merged.reserveCapacity(keys.count)
            var last: UInt64?
            for key in keys {
                let reading = readings[Int(key & 0xFFFF_FFFF)]
                if key >> 32 == last {
                    merged[merged.count - 1] = merged[merged.count - 1].merged(with: reading)
                } else {
                    merged.append(reading)
                    last = key >> 32
                }
            }
            return merged
        }

        private static func comesFirst(_ a: Result, _ b: Result) -> Bool {
            a.points != b.points ? a.points > b.points : a.order < b.order
        }
    }
}

extension PlaceSearch.Result {
    /// One place by two readings: the points of the one that counts more, and the name that matches better.
    fileprivate func merged(with other: PlaceSearch.Result) -> PlaceSearch.Result {
        func rank(_ match: PlaceSelection.Match) -> Int { match == .exact ? 0 : match == .prefix ? 1 : 2 }
        let isBetter = (rank(match), -points) <= (rank(other.match), -other.points)
        return PlaceSearch.Result(
            subject: subject, match: isBetter ? match : other.match, points: max(points, other.points),
            alternate: isBetter ? alternate : other.alternate)
    }

    /// An order of equals.
    fileprivate var order: Int {
        switch subject {
        case .place(let place): place
        case .area(let area): PlaceNames.Posting.placeLimit + area
        }
    }
}
