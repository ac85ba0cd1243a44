import HTTP
import SocialModel

/// The venues of a list of Swarm check-ins, each with what was said there: somebody who checked in a hundred times marks
/// one place.
///
/// A check-in of the data export is `{id, createdAt: "2020-01-01 10:00:00.000000" (UTC), venue: {id, name, url}, lat, lng,
/// shout?}`; one of the API has seconds for `createdAt`, and the position in `venue.location`.
struct SwarmVenues {
    private struct Venue {
        let row: Int
        var place: ImportedPlace
        var firstAt: Int64
    }

    private var venues: [Venue] = []
    private var byId: [String: Int] = [:]
    private var others: [ImportedRow] = []

    mutating func add(_ checkin: JSONValue, row: Int) {
        guard case .object = checkin else {
            return reject(row: row, field: "checkin", message: "must be an object of at most 256 KiB")
        }
        guard let venue = checkin["venue"], let name = venue["name"]?.text else {
            let reason = "names no venue"
            let said = checkin["shout"]?.text ?? ImportedPlace.unnamed
            others.append(.notPlaced(row: row, name: ImportedText.cut(said, to: 200).text, reason: reason))
            return
        }
        let id = venue["id"]?.written ?? name
        let at = time(checkin["createdAt"])
        let index: Int
        if let known = byId[id] {
            index = known
        } else {
            index = venues.count
            byId[id] = index
            venues.append(Venue(row: row, place: place(checkin, venue, name: name, id: id), firstAt: .max))
        }
        if let shout = checkin["shout"]?.text { venues[index].place.comments.append(shout) }
        if let at, at.milliseconds < venues[index].firstAt {
            venues[index].firstAt = at.milliseconds
            venues[index].place.createdAt = at.text
        }
    }

    mutating func reject(row: Int, field: String, message: String) {
        others.append(.rejected(row: row, field: field, message: message))
    }

    /// In the order of the rows.
    func rows(at now: Int64) -> [ImportedRow] {
        (others + venues.map { $0.place.row($0.row, at: now) }).sorted { $0.number < $1.number }
    }

    private func place(_ checkin: JSONValue, _ venue: JSONValue, name: String, id: String) -> ImportedPlace {
        var place = ImportedPlace(name: name)
        place.externalId = "swarm:" + id
        let location = venue["location"]
        place.address = location?["address"]?.text
        place.kinds = (venue["categories"] ?? .null).elements.compactMap { $0["name"]?.text }
        if let latitude = location?["lat"]?.number ?? checkin["lat"]?.number,
            let longitude = location?["lng"]?.number ?? checkin["lng"]?.number
        {
            place.position = .at(latitude: latitude, longitude: longitude)
        }
        return place
    }

    private func time(_ value: JSONValue?) -> (milliseconds: Int64, text: String)? {
        var text = value?.text
        if let seconds = value?.number, (0..<1e11).contains(seconds) {
            text = Timestamp(milliseconds: Int64(seconds) * 1000).text
        }
        guard let text, let milliseconds = ImportedText.milliseconds(text) else { return nil }
        return (milliseconds, text)
    }
}
