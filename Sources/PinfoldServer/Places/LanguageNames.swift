/// The names of countries, divisions and places in one language, in memory. It is immutable, so any number of threads
/// use it at once; each lookup is some tens of nanoseconds.
///
/// Nil always means that the gazetteer's own name is to be shown.
package final class LanguageNames: Sendable {
    private let tag: LanguageTag
    private let countries: [String: String]
    private let divisions: NumberedNames
    private let places: NumberedNames

    /// Of names with the same id or number the first counts.
    init(
        _ tag: LanguageTag, countries: [String: String], divisions: [(Int64, String)], places: [(Int64, String)]
    ) {
        self.tag = tag
        self.countries = countries
        self.divisions = NumberedNames(divisions)
        self.places = NumberedNames(places)
    }

    /// The everyday name of a country by its ISO 3166-1 code: `Deutschland`.
    package func country(_ code: String) -> String? { countries[code] }

    /// The name of a division by its number in the gazetteer.
    package func division(_ number: Int) -> String? { divisions[Int64(number)] }

    /// The name of a place by its id.
    package func place(_ id: Int64) -> String? { places[id] }

    /// The name of a place by its id, else that among its alternate names, which tell no language, whose script leaves
    /// no doubt.
    package func place(_ id: Int64, alternates: @autoclosure () -> [String], country: String?) -> String? {
        if let name = places[id] { return name }
        let usual = Script(of: tag.language)
        guard usual != .latn else { return nil }
        // Chinese has two forms of the script, and what is asked for in another script than usual is not looked for.
        guard tag.script == nil || tag.script == usual || usual == .hani else { return nil }
        return ScriptChoice(language: tag.language).name(among: alternates(), country: country)
    }

    /// How many places have names.
    var placeCount: Int { places.count }
}

/// Texts by number: the numbers in order, searched by halves, and the texts in one piece of memory.
private struct NumberedNames: Sendable {
    private let numbers: [UInt32]
    private let texts: StringTable

    /// Of a number that comes more than once the first text stays.
    init(_ names: [(Int64, String)]) {
        var numbers: [UInt32] = []
        var texts = StringTable()
        // The sort is stable, which `sorted` of the standard library is without promising it; so the position decides.
        for (_, name) in names.enumerated().sorted(by: { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }) {
            guard let number = UInt32(exactly: name.0), number != numbers.last else { continue }
            numbers.append(number)
            texts.append(name.1.utf8)
        }
        self.numbers = numbers
        self.texts = texts
    }

    var count: Int { numbers.count }

    subscript(number: Int64) -> String? {
        guard let number = UInt32(exactly: number) else { return nil }
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < numbers.count && numbers[low] == number ? texts[low] : nil
    }
}
