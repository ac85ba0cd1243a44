import Testing

@testable import PinfoldServer

/// The index of names against going through all names.
@Suite struct PlaceNamesTests {
    private struct Model {
        /// Folded names with the places that have them, sorted.
        let names: [(name: [UInt8], places: [Int])]
        let importances: [UInt16]
        let index: PlaceNames
        let placeCount: Int

        init(seed: UInt64, letters: [String], count: Int) {
            var generator = SplitMix64(seed: seed)
            placeCount = count
            importances = (0..<count).map { _ in UInt16(generator.int(0..<9000)) }
            var known: [[UInt8]: [Int]] = [:]
            var builder = PlaceNamesBuilder()
            for place in 0..<count {
                var own: Set<[UInt8]> = []
                for _ in 0..<generator.int(1..<4) {
                    let length = generator.int(1..<(generator.chance(3) ? 90 : 11))
                    let name = Array((0..<length).map { _ in generator.pick(letters) }.joined().utf8)
                    guard own.insert(name).inserted else { continue }
                    builder.add(name, PlaceNames.Posting(place: place, kind: .primary, alternate: 3))
                    known[name, default: []].append(place)
                }
            }
            names = known.map { ($0.key, $0.value) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
            index = PlaceNames(MappedParts(builder.parts("names", importances: importances)), "names")
        }

        func places(_ range: Range<Int>) -> [Int] {
            index.postings.slice(index.postings(of: range)).map { PlaceNames.Posting(bits: $0).place }
        }
    }

    private static let alphabets = [
        ["a", "b", "c", "d"], ["a", "b", "ж", "з", "é"], ["東", "京", "都", "市", "ب", "x"],
    ]

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `what begins with a text is found, and nothing else`(seed: UInt64) {
        for (number, letters) in Self.alphabets.enumerated() {
            let model = Model(seed: seed * 10 + UInt64(number), letters: letters, count: 400)
            var generator = SplitMix64(seed: seed)
            #expect(model.index.nameCount == model.names.count)
            for _ in 0..<500 {
                let text: [UInt8] =
                    generator.chance(70)
                    ? Array(
                        String(decoding: generator.pick(model.names).name, as: UTF8.self)
                            .prefix(generator.int(1..<12)).utf8)
                    : Array((0..<generator.int(1..<6)).map { _ in generator.pick(letters) }.joined().utf8)
                let expected = model.names.indices.filter { model.names[$0].name.starts(with: text) }
                let found = model.index.find(text)
                #expect(found.map { Array($0.names) } ?? [] == expected, "\(String(decoding: text, as: UTF8.self))")
                #expect(found?.isExact ?? false == expected.contains { model.names[$0].name == text })
                if let found { #expect(model.places(found.names) == expected.flatMap { model.names[$0].places }) }
            }
        }
    }

    /// The least distance of a text to a prefix of a name, and to the name: optimal string alignment.
    private func distances(_ text: [UInt32], _ name: [UInt32]) -> (prefix: Int, whole: Int) {
        var rows = [Array(0...text.count)]
        for (row, letter) in name.enumerated() {
            var next = [row + 1]
            for column in 1...text.count {
                var best = min(rows[row][column], next[column - 1]) + 1
                best = min(best, rows[row][column - 1] + (text[column - 1] == letter ? 0 : 1))
                if row > 0, column > 1, text[column - 1] == name[row - 1], text[column - 2] == letter {
                    best = min(best, rows[row - 1][column - 2] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return (rows.map { $0[text.count] }.min() ?? 0, rows[name.count][text.count])
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `corrections are those of going through all names`(seed: UInt64) throws {
        for (number, letters) in Self.alphabets.enumerated() {
            let model = Model(seed: seed * 10 + UInt64(number), letters: letters, count: 250)
            var generator = SplitMix64(seed: seed)
            for _ in 0..<60 {
                var text = Array(String(decoding: generator.pick(model.names).name, as: UTF8.self).prefix(14))
                for _ in 0..<generator.int(0..<3) where !text.isEmpty {
                    let place = generator.int(0..<text.count)
                    switch generator.int(0..<4) {
                    case 0: text.remove(at: place)
                    case 1: text.insert(Character(generator.pick(letters)), at: place)
                    case 2: text[place] = Character(generator.pick(letters))
                    default: text.swapAt(place, generator.int(0..<text.count))
                    }
                }
                let query = Array(String(text).utf8)
                let scalars = String(text).unicodeScalars.map(\.value)
                guard let misspelling = PlaceNames.Misspelling(query) else {
                    #expect(scalars.count < 4)
                    continue
                }
                #expect(misspelling.errors == (scalars.count < 8 ? 1 : 2))
                var prefixes: [Int: Int] = [:]
                var wholes: [Int: Int] = [:]
                var budget = Int.max
                model.index.forEachCorrection(misspelling, budget: &budget) { found in
                    for name in found.names {
                        if found.isWhole {
                            wholes[name] = found.errors
                        } else {
                            prefixes[name] = min(prefixes[name] ?? 9, found.errors)
                        }
                    }
                }
                let scripts = Set(scalars.map { PlaceNames.Misspelling.script(of: $0) })
                for (number, entry) in model.names.enumerated() {
                    let name = String(decoding: entry.name, as: UTF8.self).unicodeScalars.map(\.value)
                    // What is beyond a letter of another script is not reached.
                    let reached = name.prefix { scripts.contains(PlaceNames.Misspelling.script(of: $0)) }
                    let (prefix, _) = distances(scalars, Array(reached))
                    let whole = reached.count == name.count ? distances(scalars, name).whole : 9
                    let hasPrefix = name.starts(with: scalars)
                    let limit = misspelling.errors
                    // What begins with the text itself is found without corrections.
                    if !hasPrefix {
                        let alone = misspelling.correction(of: entry.name)
                        #expect(alone?.errors == ((1...limit).contains(prefix) ? prefix : nil), "\(text) \(entry)")
                        if let alone { #expect(alone.isWhole == (whole == alone.errors), "\(text) \(entry)") }
                        #expect(prefixes[number] == ((1...limit).contains(prefix) ? prefix : nil), "\(text) \(entry)")
                        #expect(wholes[number] == ((1...limit).contains(whole) ? whole : nil), "\(text) \(entry)")
                    }
                }
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `the best of a prefix are those of sorting all`(seed: UInt64) throws {
        let model = Model(seed: seed, letters: ["a", "b"], count: 3000)
        var generator = SplitMix64(seed: seed)
        for _ in 0..<100 {
            let text = Array((0..<generator.int(1..<6)).map { _ in generator.pick(["a", "b"]) }.joined().utf8)
            guard let found = model.index.find(text) else { continue }
            let wanted = generator.int(1..<40)
            var selection = PlaceSelection(model.index, places: model.placeCount, wanted: wanted)
            let keptModulus = generator.int(1..<4)
            selection.offer(found.names, .prefix, bonus: 500) { $0 % keptModulus == 0 }
            let expected = Set(model.places(found.names)).filter { $0 % keptModulus == 0 }
                .map { Int(model.importances[$0]) }.sorted(by: >).prefix(wanted)
            var points: [Int: Int] = [:]
            for candidate in selection.candidates { points[candidate.posting.place] = candidate.points - 500 }
            #expect(Array(points.values.sorted(by: >).prefix(wanted)) == Array(expected))
        }
    }

    @Test func `no content of an index leads astray`() {
        let model = Model(seed: 9, letters: ["a", "b", "c", "ж", "東"], count: 60)
        var builder = PlaceNamesBuilder()
        for (number, entry) in model.names.enumerated() {
            builder.add(entry.name, PlaceNames.Posting(place: number % 60, kind: .alternate, alternate: 0))
        }
        let parts = builder.parts("names", importances: model.importances)
        var generator = SplitMix64(seed: 5)
        var found = 0
        for _ in 0..<600 {
            let damaged = parts.map { part in
                var content = part.content
                for _ in 0..<generator.int(0..<4) where !content.isEmpty {
                    content[generator.int(0..<content.count)] = UInt8(truncatingIfNeeded: generator.next())
                }
                if generator.chance(10) { content.removeLast(generator.int(0..<(content.count + 1))) }
                return (part.name, content)
            }
            let index = PlaceNames(MappedParts(damaged), "names")
            var selection = PlaceSelection(index, places: 60, wanted: 10)
            for text in ["a", "ab", "ж", "東", "abcab", "жabжab", "abcabcabc"] {
                let bytes = Array(text.utf8)
                if let names = index.find(bytes)?.names {
                    selection.offer(names, .prefix, bonus: 0) { _ in true }
                    found += 1
                }
                guard let misspelling = PlaceNames.Misspelling(bytes) else { continue }
                var budget = 10_000
                index.forEachCorrection(misspelling, budget: &budget) { found += $0.errors }
            }
        }
        #expect(found > 600)
    }
}
