import Geo
import HTTP

/// A landmark as a search shows it.
struct LandmarkSearchItem: JSONWritable {
    let landmark: PublishedLandmark
    private let match: PlaceSelection.Match
    private let point: Coordinate?
    private let name: String
    private let matchedName: String?
    private let label: String

    /// - Parameters:
    ///   - language: of the name, where there is one in it.
    ///   - address: what the gazetteer calls the position.
    init(
        _ landmark: PublishedLandmark, _ match: PlaceSelection.Match, text: String, near point: Coordinate?,
        in language: LanguageTag?, address: String?
    ) {
        self.landmark = landmark
        self.match = match
        self.point = point
        let others = LandmarkFolding.names(landmark.names)
        let tags = language.map { [$0.text] + $0.fallbacks.map(\.text) } ?? []
        let local = tags.lazy.compactMap { tag in others.first { LanguageTag($0.language)?.text == tag }?.name }.first
        let name = local ?? landmark.name
        self.name = name
        let place = landmark.address ?? address
        label = place.map { "\(name), \($0)" } ?? name
        matchedName = Self.matched(text, [name] + [landmark.name] + others.map(\.name)).flatMap {
            $0 == name ? nil : $0
        }
    }

    /// The first of some names that begins with a text; nil if none does.
    private static func matched(_ text: String, _ names: [String]) -> String? {
        let wanted = PlaceForms(text, LandmarkFolding.folding, limit: PlaceSearch.letterLimit).all
        return names.first { name in
            let forms = PlaceForms(name, LandmarkFolding.folding).all
            return wanted.contains { wanted in forms.contains { $0.starts(with: wanted) } }
        }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("kind")
            json.string("landmark")
            json.key("id")
            json.identifier(landmark.id)
            json.key("name")
            json.string(name)
            json.key("label")
            json.string(label)
            json.position(landmark.coordinate, from: point, match)
            if let matchedName {
                json.key("matchedName")
                json.string(matchedName)
            }
            json.key("datasetId")
            json.identifier(landmark.datasetId)
            json.key("category")
            json.string(landmark.category.rawValue)
        }
    }
}
