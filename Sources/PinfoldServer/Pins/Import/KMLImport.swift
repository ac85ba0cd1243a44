import FeatureFiles

/// The placemarks of a KML file (OGC KML 2.2) that are points.
struct KMLImport {
    private let now: Int64
    private var rows = ImportedRows()
    private var path: [String] = []
    private var folders: [String] = []
    private var place: ImportedPlace?
    /// The first geometry that is no point.
    private var other: String?
    private var description: String?
    /// The extended data that are fields of ours; a file of this service has all of them.
    private var own: [ImportedField: String] = [:]
    /// The name of the datum of ExtendedData that is being read.
    private var datum: String?
    private var text = ""

    /// - Throws: `ImportFault`.
    static func read(_ bytes: [UInt8], at now: Int64) throws -> [ImportedRow] {
        var reader = KMLImport(now: now)
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
            start(name, attributes)
        case .text(let piece): text += String(decoding: piece, as: UTF8.self)
        case .end(let name):
            path.removeLast()
            try end(name)
            text = ""
        }
    }

    private mutating func start(_ name: String, _ attributes: XMLStream.Attributes) {
        switch name {
        case "Folder": folders.append("")
        case "Placemark":
            place = ImportedPlace()
            place?.id = attributes["id"]
            other = nil
            description = nil
            own = [:]
        case "Data", "SimpleData": datum = attributes["name"]
        case "LineString", "LinearRing", "Polygon", "Model", "Track", "MultiTrack": other = other ?? name
        default: break
        }
    }

    private mutating func end(_ name: String) throws {
        let parent = path.last
        if name == "Folder" {
            folders.removeLast()
        } else if name == "name", parent == "Folder", !folders.isEmpty {
            folders[folders.count - 1] = text
        } else if name == "Placemark", let place {
            try rows.append(finished(place).row(rows.next, at: now))
            self.place = nil
        } else if place != nil {
            endDetail(name, parent)
        }
    }

    private func finished(_ place: ImportedPlace) -> ImportedPlace {
        var place = place
        place.kinds += folders.reversed()
        place.isExact = own[.audience] != nil && own[.updatedAt] != nil
        if let description {
            place.comments.insert(place.isExact ? description : PlainText.ofHTML(description), at: 0)
        }
        if place.isExact, own[.addressSource] != "owner" { place.address = nil }
        if case .unknown = place.position {
            place.position =
                other.map { .faulty(field: "geometry", message: "is a \($0); only points become pins") }
                ?? .unknown(reason: "has no coordinates")
        }
        return place
    }

    private mutating func endDetail(_ name: String, _ parent: String?) {
        switch (name, parent) {
        case ("name", "Placemark"?): place?.name = text
        case ("description", "Placemark"?): description = text
        case ("address", "Placemark"?): place?.address = text
        case ("when", "TimeStamp"?), ("begin", "TimeSpan"?):
            if place?.createdAt == nil { place?.createdAt = text }
        case ("coordinates", "Point"?): readPoint()
        case ("value", "Data"?), ("SimpleData", _):
            guard let datum, let field = ImportedField(header: datum) else { break }
            own[field] = text
            place?.set(field, text)
        default: break
        }
    }

    /// `LON,LAT[,ALT]`; of several points the first one counts.
    private mutating func readPoint() {
        guard case .unknown? = place?.position else { return }
        let parts = text.trimmingSpace.split(separator: ",", omittingEmptySubsequences: false).map {
            String($0).trimmingSpace
        }
        if parts.count >= 2, let longitude = Double(decimal: parts[0]), let latitude = Double(decimal: parts[1]) {
            place?.position = .at(latitude: latitude, longitude: longitude)
        } else {
            place?.position = .faulty(field: "coordinates", message: "must be longitude,latitude in degrees")
        }
    }
}
