import SocialModel

extension Pin.Category {
    /// The category that a word of another service means: one of ours, or a common kind of place. Of several words the
    /// last one that is known says what a thing is, but a `Coffee Shop` is first of all for coffee.
    init?(word text: String) {
        // A folder of KML gives its name to each of its places, so a long one is not gone through again and again.
        let beginning = String(text.unicodeScalars.prefix(200))
        let known = beginning.lowercased().utf8.prefix(200).split { byte in
            !((UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte >= 0x80)
        }.map { String(decoding: $0, as: UTF8.self) }.compactMap { Self.words[$0] }
        guard let category = known.last(where: { $0 != .shopping }) ?? known.last else { return nil }
        self = category
    }

    private static let words: [String: Pin.Category] = {
        let kinds: [(Pin.Category, String)] = [
            (
                .food,
                "food foods restaurant restaurants cafe café coffee bakery diner eatery pizza burger ramen sushi tea"
            ),
            (.nightlife, "nightlife bar bars pub pubs club nightclub brewery cocktail"),
            (.nature, "nature park parks garden beach lake mountain trail forest waterfall viewpoint outdoors summit"),
            (.shopping, "shopping shop shops store stores market mall boutique supermarket"),
            (.culture, "culture museum museums theater theatre gallery art monument cinema church temple landmark"),
            (.education, "education school university college library"),
            (.other, "other"),
        ]
        var words: [String: Pin.Category] = [:]
        for (category, names) in kinds {
            for name in names.split(separator: " ") { words[String(name)] = category }
        }
        return words
    }()
}
