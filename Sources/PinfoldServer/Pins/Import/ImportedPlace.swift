import Geo
import HTTP
import SocialModel

/// One place as a file describes it, before anything of it is checked.
struct ImportedPlace: Sendable {
    enum Position: Sendable {
        /// Degrees, in range or not.
        case at(latitude: Double, longitude: Double)
        /// The file does not say where it is.
        case unknown(reason: String)
        /// It is no point, or not a position at all.
        case faulty(field: String, message: String)
    }

    var position = Position.unknown(reason: "has no coordinates")
    /// What the source calls it.
    var id: String?
    var externalId: String?
    var name: String?
    var comments: [String] = []
    var address: String?
    var rating: String?
    /// Words that may tell the category, the surest first.
    var kinds: [String] = []
    var audience: String?
    var circleId: String?
    var createdAt: String?
    /// Texts are the owner's own from this service, and stay to the letter.
    var isExact = false

    /// An id shorter than this is a number within its file; a place of another file may have the same.
    static let shortestId = 8

    /// The place as a pin, or why it is none.
    ///
    /// A place is not lost for a long text, which is cut, nor for a time that is no time or in the future, which is left
    /// out. One without a name is called by its address.
    func row(_ row: Int, at now: Int64) -> ImportedRow {
        var shortened: [String] = []
        func text(_ field: String, _ text: String?, limit: Int) -> String? {
            guard let text, let (kept, isCut) = ImportedText.fitted(text, to: limit, isExact: isExact) else {
                return nil
            }
            if isCut { shortened.append(field) }
            return kept
        }
        let address = text("address", address, limit: 500)
        let name =
            text("name", name, limit: 200)
            ?? address.flatMap { ImportedText.fitted($0, to: 200, isExact: false)?.text } ?? Self.unnamed
        let comment =
            isExact
            ? comments.first.map { ImportedText.cut($0, to: 10_000) }.map { kept, isCut in
                if isCut { shortened.append("comment") }
                return kept
            } : text("comment", ImportedText.joined(comments), limit: 10_000)
        for (field, text) in [("name", name), ("comment", comment), ("address", address)] {
            guard let text, !text.isStreamSafe else { continue }
            return .rejected(
                row: row, field: field, message: "has more than \(String.streamSafeMarks) combining marks in a row")
        }

        let coordinate: Coordinate
        switch position {
        case .faulty(let field, let message): return .rejected(row: row, field: field, message: message)
        case .unknown(let reason): return .notPlaced(row: row, name: name, reason: reason)
        case .at(let latitude, let longitude):
            guard abs(latitude) <= 90 else {
                return .rejected(row: row, field: "latitude", message: "must be a number from -90 to 90")
            }
            guard let found = Coordinate(latitude: latitude, longitude: longitude) else {
                return .rejected(row: row, field: "longitude", message: "must be a number from -180 to 180")
            }
            coordinate = found
        }
        var stars: Int?
        if let rating = rating?.trimmingSpace, !rating.isEmpty, rating != "0" {
            guard let value = Double(decimal: rating), (1...5).contains(value) else {
                return .rejected(row: row, field: "rating", message: "must be a number from 1 to 5")
            }
            stars = Int(value.rounded())
        }
        return .pin(
            ImportedPin(
                row: row, pinId: id.flatMap { Identifier(parsing: $0) },
                externalId: key(name: name, coordinate), isWhole: isExact, coordinate: coordinate, name: name,
                comment: comment,
                address: address, rating: stars,
                category: kinds.lazy.compactMap { Pin.Category(word: $0) }.first,
                audience: checkedAudience, createdAt: time(at: now), shortened: shortened))
    }

    static let unnamed = "Unnamed place"

    private func time(at now: Int64) -> Timestamp? {
        guard let createdAt, let time = ImportedText.milliseconds(createdAt), (0...now).contains(time) else {
            return nil
        }
        return Timestamp(milliseconds: time)
    }

    private var checkedAudience: Pin.Audience? {
        switch audience.flatMap(Pin.Audience.Kind.init(rawValue:)) {
        case .friends: .friends
        case .private: .private
        case .circle: circleId.flatMap { Identifier<Circle>(parsing: $0) }.map { .circle($0) }
        case nil: nil
        }
    }

    private func key(name: String, _ coordinate: Coordinate) -> String {
        for id in [externalId, id?.utf8.count ?? 0 >= Self.shortestId ? id : nil] {
            guard let id = isExact ? id : id?.trimmingSpace, !id.isEmpty, !id.unicodeScalars.contains("\0"),
                id.isStreamSafe
            else {
                continue
            }
            if id.unicodeScalars.count <= 200 { return id }
            return "id:" + base64URL(blake2b(Array(id.utf8), count: 16))
        }
        func rounded(_ e7: Int32) -> Int { Int((Double(e7) / 100).rounded()) }
        let place = "\(name)\n\(rounded(coordinate.latitudeE7)),\(rounded(coordinate.longitudeE7))"
        return "place:" + base64URL(blake2b(Array(place.utf8), count: 16))
    }
}
