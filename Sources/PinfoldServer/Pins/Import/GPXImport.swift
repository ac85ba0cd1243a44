import FeatureFiles

/// The waypoints of a GPX file (GPX 1.0 and 1.1, topografix.com). Routes and tracks are no places. Extensions are read where
/// their names are those of our fields, as in a file of this service.
struct GPXImport {
    private let now: Int64
    private var rows = ImportedRows()
    private var path: [String] = []
    private var place: ImportedPlace?
    private var isOwn = false
    private var addressSource: String?
    /// What goes ahead of the rest of a place, the last one first. A file may have a million of them in one place, so
    /// nothing is put in front of a list, and `place` is changed where it is.
    private var descriptions: [String] = []
    private var types: [String] = []
    private var text = ""

    /// - Throws: `ImportFault`.
    static func read(_ bytes: [UInt8], at now: Int64) throws -> [ImportedRow] {
        var reader = GPXImport(now: now)
        try XMLReader.forEach(in: bytes) { try reader.take($0) }
        return reader.rows.all
    }

    private init(now: Int64) {
        self.now = now
    }

    private mutating func take(_ event: XMLStream.Event) throws {
        switch event {
        case .start(let name, let attributes):
            path.append(name)
            text = ""
            try start(name, attributes)
        case .text(let piece): if place != nil { text += String(decoding: piece, as: UTF8.self) }
        case .end(let name):
            try end(name)
            path.removeLast()
        }
    }

    private mutating func start(_ name: String, _ attributes: XMLStream.Attributes) throws {
        if path.count == 1 {
            isOwn = attributes["xmlns:pinfold"] == "urn:pinfold:pin:1"
        } else if path.count == 2 {
            switch name {
            case "wpt":
                addressSource = nil
                descriptions = []
                types = []
                var place = ImportedPlace()
                place.isExact = isOwn
                place.position = Self.position(attributes["lat"], attributes["lon"])
                self.place = place
            case "trk", "rte":
                let kind = name == "trk" ? "track" : "route"
                try rows.append(
                    .rejected(row: rows.next, field: "geometry", message: "is a \(kind); only points become pins"))
            default: break
            }
        } else if path.count == 3, name == "link", let target = attributes["href"] {
            place?.comments.append(target)
        }
    }

    private static func position(_ latitude: String?, _ longitude: String?) -> ImportedPlace.Position {
        guard let latitude = latitude.flatMap({ Double(decimal: $0.trimmingSpace) }) else {
            return .faulty(field: "latitude", message: "must be a number from -90 to 90")
        }
        guard let longitude = longitude.flatMap({ Double(decimal: $0.trimmingSpace) }) else {
            return .faulty(field: "longitude", message: "must be a number from -180 to 180")
        }
        return .at(latitude: latitude, longitude: longitude)
    }

    private mutating func end(_ name: String) throws {
        guard place != nil else { return }
        if path.count == 2 {
            try finish()
        } else if path.count == 4, path[2] == "extensions", let field = ImportedField(header: name) {
            if field == .addressSource { addressSource = text }
            place?.set(field, text)
        } else if path.count == 3 {
            switch name {
            case "name": place?.name = text
            case "desc", "cmt": descriptions.append(isOwn ? text : PlainText.ofHTML(text))
            case "url": place?.comments.append(text)
            case "time": place?.createdAt = text
            case "type": types.append(text)
            case "sym": place?.kinds.append(text)
            default: break
            }
        }
    }

    private mutating func finish() throws {
        guard var place else { return }
        self.place = nil
        if isOwn, addressSource != "owner" { place.address = nil }
        place.comments = descriptions.reversed() + place.comments
        place.kinds = types.reversed() + place.kinds
        try rows.append(place.row(rows.next, at: now))
    }
}
