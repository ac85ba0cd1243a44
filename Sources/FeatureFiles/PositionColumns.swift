/// Which columns of a text with delimiters tell the position.
struct PositionColumns {
    enum Kind {
        case pair(latitude: Int, longitude: Int)
        /// Well-known text or binary, GeoJSON, or both coordinates.
        case geometry(Int, longitudeFirst: Bool)
    }

    let kind: Kind

    /// - Parameters:
    ///   - columns: the header.
    ///   - asked: the columns that were named by the one who imports.
    ///   - samples: the values of a column in the first records.
    /// - Throws: `FeatureFileFault`.
    init(
        _ columns: [String], asked: [FeatureFile.PositionPart: String], samples: (Int) -> [String]
    ) throws {
        func place(_ part: FeatureFile.PositionPart) throws -> Int? {
            guard let name = asked[part] else { return nil }
            guard
                let index = columns.firstIndex(of: name)
                    ?? columns.firstIndex(where: { $0.lowercased() == name.lowercased() })
            else {
                throw FeatureFileFault(
                    "has no column “\(name)” for the \(part.rawValue). \(Self.list(columns))", columns: columns)
            }
            return index
        }
        let (latitude, longitude, geometry) = (try place(.latitude), try place(.longitude), try place(.geometry))
        guard latitude == nil && longitude == nil || geometry == nil else {
            throw FeatureFileFault(
                "is given columns for latitude or longitude and one for the geometry; only one way can be")
        }
        if let geometry {
            kind = .geometry(geometry, longitudeFirst: Self.isLongitudeFirst(columns[geometry]))
            return
        }
        let folded = columns.map(ColumnName.folded)
        let geometries = Self.geometryNames.compactMap { folded.firstIndex(of: $0) }
        if latitude == nil && longitude == nil {
            for index in geometries where Self.isWellKnown(samples(index)) {
                kind = .geometry(index, longitudeFirst: true)
                return
            }
        }
        if let y = latitude ?? ColumnName.first(of: Self.latitudeNames, in: folded),
            let x = longitude ?? ColumnName.first(of: Self.longitudeNames, in: folded)
        {
            guard x != y else {
                throw FeatureFileFault("is given one column for latitude and longitude", columns: columns)
            }
            kind = .pair(latitude: y, longitude: x)
            return
        }
        if latitude == nil && longitude == nil {
            for index in geometries {
                let isTurned = Self.isLongitudeFirst(columns[index])
                let values = samples(index)
                if !values.isEmpty, values.allSatisfy({ (try? PositionText.pair($0, longitudeFirst: isTurned)) != nil })
                {
                    kind = .geometry(index, longitudeFirst: isTurned)
                    return
                }
            }
        }
        throw FeatureFileFault(
            """
            has no columns of a position that are known by name: say which are latitude and longitude, or geometry. \
            \(Self.list(columns))
            """, columns: columns)
    }

    private static func list(_ columns: [String]) -> String {
        let shown = columns.prefix(30).map { String($0.prefix(40)) }.joined(separator: ", ")
        return "Its columns: \(shown)\(columns.count > 30 ? ", …" : "")"
    }

    private static func isLongitudeFirst(_ name: String) -> Bool {
        let folded = ColumnName.folded(name)
        return folded.hasPrefix("lon") || folded.hasPrefix("lng")
    }

    /// Whether the first value is a geometry rather than two numbers.
    private static func isWellKnown(_ values: [String]) -> Bool {
        guard let first = values.first else { return false }
        return (try? GeometryText.wellKnown(first)) != nil
    }

    private static let latitudeNames = [
        "latitude", "lat", "latitud", "latitudine", "breitengrad", "breite", "geographischebreite", "geobreite",
        "szerokoscgeograficzna", "szerokosc", "szerokoscgeogr", "szergeogr", "breedtegraad", "breddgrad", "breddegrad",
        "leveysaste", "zemepisnasirka", "sirka", "foldrajziszelesseg", "szelesseg", "enlem", "platos", "широта", "纬度",
        "緯度",
        "위도", "latdeg", "latitudedeg", "latdd", "latitudedd", "decimallatitude", "latdecimal", "latwgs84",
        "latitudewgs84",
        "wgs84lat", "gpslat", "gpslatitude", "geolat", "geolatitude", "stoplat", "pointy", "coordy", "ycoord",
        "ycoordinate",
        "coordinatey", "y", "northing", "northings", "hochwert", "nord", "north",
    ].map(ColumnName.folded)

    private static let longitudeNames = [
        "longitude", "lon", "lng", "long", "longitud", "longitudine", "langengrad", "laengengrad", "lange", "laenge",
        "geographischelange", "geolange", "dlugoscgeograficzna", "dlugosc", "dlugoscgeogr", "dlgeogr", "lengtegraad",
        "langdgrad", "lengdegrad", "laengdegrad", "pituusaste", "zemepisnadelka", "delka", "foldrajzihosszusag",
        "hosszusag",
        "boylam", "mikos", "долгота", "经度", "經度", "経度", "경도", "londeg", "longdeg", "longitudedeg", "londd",
        "longitudedd", "decimallongitude", "londecimal", "lonwgs84", "longitudewgs84", "wgs84lon", "gpslon", "gpslong",
        "gpslongitude", "geolon", "geolng", "geolong", "geolongitude", "stoplon", "pointx", "coordx", "xcoord",
        "xcoordinate", "coordinatex", "x", "easting", "eastings", "rechtswert", "ost", "east",
    ].map(ColumnName.folded)

    private static let geometryNames = [
        "wkt", "geometry", "geom", "thegeom", "wkbgeometry", "wktgeometry", "geometrywkt", "geomwkt", "wktgeom", "wkb",
        "shape", "geojson", "geopoint", "geopoint2d", "geoshape", "point", "latlon", "latlng", "latlong",
        "latitudelongitude",
        "lonlat", "lnglat", "longlat", "longitudelatitude", "coordinates", "coordinate", "coords", "coord", "position",
        "location", "geo", "geolocation", "gps", "koordinaten", "koordinate", "lage", "coordenadas", "coordenada",
        "ubicacion", "wspolrzedne", "polozenie", "coordonnees", "coordinate", "координаты", "坐标", "座標",
    ].map(ColumnName.folded)
}

/// Reads the geometry in a column of text, in whichever form it is.
enum GeometryText {
    /// Well-known text, hexadecimal well-known binary or GeoJSON.
    ///
    /// - Returns: Nil for an empty geometry; the SRID if it names one.
    static func wellKnown(_ text: String) throws(GeometryTextFault) -> (geometry: Feature.Geometry?, srid: Int?) {
        var text = text
        do {
            return try text.withUTF8 { try wellKnown($0) }
        } catch let fault as GeometryTextFault {
            throw fault
        } catch {
            throw GeometryTextFault("is no geometry")
        }
    }

    static func wellKnown(
        _ text: UnsafeBufferPointer<UInt8>
    ) throws(GeometryTextFault) -> (geometry: Feature.Geometry?, srid: Int?) {
        if let first = text.first, let start = text.baseAddress, first == UInt8(ascii: "{") {
            var cursor = JSONCursor(bytes: start, index: 0, end: text.count)
            do throws(JSONFault) {
                return (try cursor.geometry(), nil)
            } catch {
                switch error {
                case .ends: throw GeometryTextFault("ends too early: it was cut off")
                case .syntax(_, let message): throw GeometryTextFault("is no JSON: \(message)")
                case .wrong(_, let message): throw GeometryTextFault(message)
                }
            }
        }
        if text.count >= 10, text[0] == UInt8(ascii: "0"), text[1] < UInt8(ascii: "2"),
            let bytes = WellKnownBinary.hexadecimal(text)
        {
            do {
                return try bytes.withUnsafeBytes { bytes in
                    var binary = WellKnownBinary(bytes)
                    let geometry = try binary.geometry()
                    return (geometry.ofFeature, binary.srid)
                }
            } catch let fault as GeometryTextFault {
                throw fault
            } catch {
                throw GeometryTextFault("is no geometry")
            }
        }
        var words = WellKnownText(text)
        let geometry = try words.geometry()
        return (geometry, words.srid)
    }
}
