import Geo
import HTTP
import SocialModel
import Storage

/// A place, country or division as a search shows it, written straight from the bytes of the index.
struct PlaceSearchItem {
    private let result: PlaceSearch.Result
    private let index: PlaceIndex
    private let point: Coordinate?
    private let names: LanguageNames?

    /// - Parameter names: the language of names, where they are known in it.
    init(
        _ result: PlaceSearch.Result, of index: PlaceIndex, near point: Coordinate?, in names: LanguageNames? = nil
    ) {
        self.result = result
        self.index = index
        self.point = point
        self.names = names
    }

    private func write(place: Int, to json: inout JSONWriter) {
        let (admin1, _, country) = index.areas(of: place)
        let id = index.id(of: place)
        let mainName = index.nameBytes(of: place)
        let localName = names?.place(
            id, alternates: index.alternateNames(of: place), country: index.code(ofCountry: country))
        withBytes(of: localName, or: mainName) { name in
            json.key("kind")
            json.string("place")
            json.key("id")
            json.decimalString(id)
            json.key("name")
            json.string(utf8: name)
            withName(ofArea: admin1) { admin1 in
                withName(ofArea: country) { json.labelMember(nil, name, admin1, $0) }
            }
            json.position(index.coordinate(of: place), from: point, result.match)
            let matched = result.alternate.flatMap { index.alternateNameBytes($0, of: place) } ?? mainName
            if !Self.isSame(matched, name) {
                json.key("matchedName")
                json.string(utf8: matched)
            }
        }
        writeEnd(index.population(of: place), index.featureCodeBytes(of: place), country, to: &json)
    }

    private func write(area: Int, to json: inout JSONWriter) {
        // Only areas that can be shown are found.
        let shown =
            index.shownArea(area)
            ?? (id: 0, point: Coordinate(latitudeE7: 0, longitudeE7: 0), population: 0, country: 0)
        json.key("kind")
        json.string("place")
        json.key("id")
        json.decimalString(shown.id)
        withName(ofArea: area) { name in
            json.key("name")
            json.optionalString(utf8: name)
            withName(ofArea: shown.country) { json.labelMember(nil, name, nil, $0) }
        }
        json.position(shown.point, from: point, result.match)
        let code: StaticString = area == shown.country ? "PCLI" : "ADM1"
        writeEnd(
            shown.population, UnsafeBufferPointer(start: code.utf8Start, count: code.utf8CodeUnitCount), shown.country,
            to: &json)
    }

    private func writeEnd(
        _ population: Int, _ featureCode: UnsafeBufferPointer<UInt8>?, _ country: Int, to json: inout JSONWriter
    ) {
        json.key("population")
        if population > 0 { json.integer(Int64(population)) } else { json.null() }
        json.key("featureCode")
        json.optionalString(utf8: featureCode)
        json.key("countryCode")
        json.string(utf8: index.codeBytes(ofCountry: country))
    }

    /// Hands out the name of a country or division, nil for none.
    private func withName(ofArea area: Int?, _ body: (UnsafeBufferPointer<UInt8>?) -> Void) {
        guard let area else { return body(nil) }
        let known =
            area < index.countries
            ? names?.country(index.code(ofCountry: area)) : names?.division(area - index.countries + 1)
        withBytes(of: known, or: index.nameBytes(ofArea: area)) { body($0) }
    }

    private func withBytes(
        of text: String?, or bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        guard var text else { return body(bytes) }
        text.withUTF8(body)
    }

    /// Whether two names are one, in whatever way their marks are encoded.
    private static func isSame(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
        if a.count == b.count, a.elementsEqual(b) { return true }
        guard a.contains(where: { $0 >= 0x80 }), b.contains(where: { $0 >= 0x80 }) else { return false }
        return String(decoding: a, as: UTF8.self) == String(decoding: b, as: UTF8.self)
    }
}

extension PlaceSearchItem: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        switch result.subject {
        case .place(let place): write(place: place, to: &json)
        case .area(let area): write(area: area, to: &json)
        }
        json.endObject()
    }
}

/// A pin as a search shows it.
struct PinSearchItem: JSONWritable {
    private let pin: Pin
    private let match: PlaceSelection.Match
    private let point: Coordinate?

    init(_ named: VisiblePins<ReadTransaction>.Named, near point: Coordinate?) {
        pin = named.pin
        match =
            switch named.match {
            case .whole: .exact
            case .beginning, .words: .prefix
            case .misspelt: .fuzzy
            }
        self.point = point
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("kind")
            json.string("pin")
            json.key("id")
            json.identifier(pin.id)
            json.key("name")
            json.string(pin.name)
            json.key("label")
            json.string(pin.address.map { "\(pin.name), \($0)" } ?? pin.name)
            json.position(pin.coordinate, from: point, match)
            json.key("ownerId")
            json.identifier(pin.ownerId)
            json.key("ownerUsername")
            json.string(pin.ownerUsername)
            json.key("category")
            json.string(pin.category.rawValue)
            json.key("rating")
            if let rating = pin.rating { json.integer(Int64(rating)) } else { json.null() }
        }
    }
}

extension JSONWriter {
    /// The members `latitude`, `longitude`, `distance` and `match`.
    mutating func position(
        _ coordinate: Coordinate, from point: Coordinate?, _ match: PlaceSelection.Match
    ) {
        key("latitude")
        e7(coordinate.latitudeE7)
        key("longitude")
        e7(coordinate.longitudeE7)
        if let point {
            key("distance")
            tenths(Geodesic.distance(point, coordinate))
        }
        key("match")
        string(match.rawValue)
    }
}
