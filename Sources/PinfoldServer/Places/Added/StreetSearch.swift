import Geo
import Storage

/// Search while typing over the streets and addresses of added gazetteers: a street's name, with a number before or behind
/// it and with names of what it lies in on either side.
struct StreetSearch {
    /// What was found.
    struct Result {
        /// Of the address, or of the street.
        let id: Int64
        let street: Street
        /// Empty of a street as a whole.
        let number: String
        let coordinate: Coordinate
        let match: PlaceSelection.Match
        let points: Int
    }

    /// What a street counts, as a village, and an address that is given by its number.
    private static let importance = 2300
    private static let numbered = 500
    /// From a later word of its name on.
    private static let inner = -700

    private static let wordLimit = 8
    /// Rows that one form may take, and all together.
    private static let formLimit = 3000
    private static let rowLimit = 12_000
    /// Streets that are looked at closely.
    private static let streetLimit = 600
    /// What it lies in is written in full.
    private static let inFull = 100

    private let read: ReadTransaction
    private let geocoder: ReverseGeocoder
    private let folding: PlaceFolding
    private let bias: PlaceBias
    private let words: PlaceFolding.Words
    private var rowsLeft = Self.rowLimit
    private var streetsLeft = Self.streetLimit
    private var best: [Int64: Result] = [:]

    init(
        _ text: String, _ geocoder: ReverseGeocoder, _ folding: PlaceFolding, bias: PlaceBias, in read: ReadTransaction
    ) {
        self.read = read
        self.geocoder = geocoder
        self.folding = folding
        self.bias = bias
        words = folding.words(text.unicodeScalars).words
    }

    /// - Returns: at most `limit`, the best first.
    mutating func results(limit: Int) throws -> [Result] {
        guard (1...Self.wordLimit).contains(words.count) else { return [] }
        for start in 0..<words.count {
            for end in (start + 1)...words.count { try look(start..<end, limit) }
        }
        return Array(best.values.sorted { ($0.points, $1.id) > ($1.points, $0.id) }.prefix(limit))
    }

    /// A street that may be meant.
    private struct Candidate {
        let id: Int64
        let isExact: Bool
        let isInner: Bool
        var bonus: Int
    }

    /// Takes some words as the street's name, the others as a number and as names of what it lies in.
    private mutating func look(_ name: Range<Int>, _ limit: Int) throws {
        var around = Array(0..<name.lowerBound) + Array(name.upperBound..<words.count)
        // The number stands beside the street.
        let beside = [name.lowerBound - 1, name.upperBound]
        let number = around.first { beside.contains($0) && words[$0].first.map { (0x30...0x39).contains($0) } == true }
        around.removeAll { $0 == number }
        let letters = words[name].count
        guard letters >= 2, !words[name].allSatisfy({ (0x30...0x39).contains($0) }) else { return }
        // What stands last may be unfinished.
        let mayBeUnfinished = name.upperBound == words.count && letters >= 3
        let qualifiers = around.map { String(decoding: words[$0], as: UTF8.self) }
        var candidates: [Int64: Candidate] = [:]
        for form in StreetForms.texts(words, name) {
            try find(form, mayBeUnfinished, qualifiers, &candidates)
        }
        let likely = candidates.values.sorted { points($0) != points($1) ? points($0) > points($1) : $0.id < $1.id }
        var taken = 0
        for var candidate in likely where taken < limit && streetsLeft > 0 {
            streetsLeft -= 1
            guard let street = try Street.find(candidate.id, in: read) else { continue }
            if !qualifiers.isEmpty {
                guard let isInFull = lies(street, in: qualifiers) else { continue }
                candidate.bonus += isInFull ? Self.inFull : 0
            }
            taken += 1
            if let number {
                try offerNumber(String(decoding: words[number], as: UTF8.self), candidate, street)
            } else {
                offer(
                    Result(
                        id: street.id, street: street, number: "", coordinate: street.coordinate,
                        match: candidate.isExact && !candidate.isInner ? .exact : .prefix, points: points(candidate)))
            }
        }
    }

    private func points(_ candidate: Candidate) -> Int {
        PlaceSearch.Bonus.correct + Self.importance + (candidate.isExact ? PlaceSearch.Bonus.exact : 0)
            + (candidate.isInner ? Self.inner : 0) + candidate.bonus
    }

    /// Gathers the streets of a form: nearest to where the searcher is, or those of a locality that is named, or any.
    private mutating func find(
        _ form: String, _ mayBeUnfinished: Bool, _ qualifiers: [String], _ candidates: inout [Int64: Candidate]
    ) throws {
        func take(_ row: Row) -> Bool {
            let point = Coordinate(
                latitudeE7: Int32(clamping: row.int64(3)), longitudeE7: Int32(clamping: row.int64(4)))
            let candidate = Candidate(
                id: row.int64(1), isExact: row.text(0) == form, isInner: row.int64(2) != 0, bonus: bias.bonus(at: point)
            )
            if let known = candidates[candidate.id], points(known) >= points(candidate) { return true }
            candidates[candidate.id] = candidate
            return true
        }
        let end = mayBeUnfinished ? form + "\u{10FFFF}" : form
        var left = min(Self.formLimit, rowsLeft)
        for locality in Set([qualifiers.joined(), qualifiers.first ?? ""]) where !locality.isEmpty && left > 0 {
            try read.forEach(
                """
                SELECT form, street, isInner, latitude, longitude FROM streetForm
                WHERE form = \(form) AND locality >= \(locality) AND locality < \(locality + "\u{10FFFF}") LIMIT \(left)
                """
            ) {
                left -= 1
                return take($0)
            }
        }
        if left > 0 {
            try read.forEach(
                """
                SELECT form, street, isInner, latitude, longitude FROM streetForm
                WHERE form >= \(form) AND form <= \(end) LIMIT \(left)
                """
            ) {
                left -= 1
                return take($0)
            }
        }
        rowsLeft -= min(Self.formLimit, rowsLeft) - left
    }

    /// Whether each word is a word of what a street lies in; nil if one does not even begin one.
    private func lies(_ street: Street, in qualifiers: [String]) -> Bool? {
        let around = geocoder.reverse(street.coordinate)
        let names = [street.locality, street.region, around.label, around.countryCode].compactMap { $0 }
        let known = folding.words(names.joined(separator: ", ").unicodeScalars).words
        var isInFull = true
        for qualifier in qualifiers {
            let begun = (0..<known.count).filter { known[$0].starts(with: qualifier.utf8) }
            if begun.isEmpty { return nil }
            isInFull = isInFull && begun.contains { known[$0].count == qualifier.utf8.count }
        }
        return isInFull
    }

    private mutating func offerNumber(_ number: String, _ candidate: Candidate, _ street: Street) throws {
        try read.forEach(
            """
            SELECT id, number, latitude, longitude FROM address
            WHERE street = \(street.id) AND number = \(number) COLLATE NOCASE ORDER BY id LIMIT 10
            """
        ) { row in
            let point = Coordinate(
                latitudeE7: Int32(clamping: row.int64(2)), longitudeE7: Int32(clamping: row.int64(3)))
            offer(
                Result(
                    id: row.int64(0), street: street, number: row.text(1), coordinate: point,
                    match: candidate.isExact && !candidate.isInner ? .exact : .prefix,
                    points: points(candidate) + Self.numbered))
            return true
        }
    }

    private mutating func offer(_ result: Result) {
        if let known = best[result.id], known.points >= result.points { return }
        best[result.id] = result
    }
}
