import HTTP
import SocialModel
import Storage

/// A file format in which one's own pins are handed out; the raw value is the extension of its files.
///
/// CSV holds all of a pin, GeoJSON what the API says of it (all but the id that an import knows it by), GPX and KML all but
/// the characters that XML cannot hold.
enum PinFileFormat: String, CaseIterable, Sendable {
    case geojson, gpx, kml, csv

    var mediaType: String {
        switch self {
        case .geojson: "application/geo+json"
        case .gpx: "application/gpx+xml"
        case .kml: "application/vnd.google-earth.kml+xml"
        case .csv: "text/csv; charset=utf-8"
        }
    }

    /// Hands a file of all of the viewer's own pins to `output`, oldest first, a piece at a time.
    func write(_ pins: VisiblePins<some Transaction>, to output: some ByteOutput) throws {
        switch self {
        case .geojson: try Self.writeGeoJSON(pins, to: output)
        case .gpx: try Self.writeGPX(pins, to: output)
        case .kml: try Self.writeKML(pins, to: output)
        case .csv: try Self.writeCSV(pins, to: output)
        }
    }

    /// RFC 7946.
    private static func writeGeoJSON(
        _ pins: VisiblePins<some Transaction>, to output: some ByteOutput
    ) throws {
        var json = JSONWriter()
        json.beginObject()
        json.key("type")
        json.string("FeatureCollection")
        json.key("features")
        json.beginArray()
        try pins.forEachOwn { pin, _ in
            pin.writeFeature(to: &json)
            try json.drain(output.write)
        }
        json.endArray()
        json.endObject()
        try json.drain(output.write)
    }

    private static func writeCSV(
        _ pins: VisiblePins<some Transaction>, to output: some ByteOutput
    ) throws {
        var csv = CSVWriter()
        for name in [
            "id", "name", "latitude", "longitude", "address", "addressSource", "comment", "rating", "category",
            "audience", "circleId", "createdAt", "updatedAt", "externalId",
        ] { csv.cell(name) }
        csv.endRecord()
        try pins.forEachOwn { pin, externalId in
            csv.cell(pin.id.description)
            csv.textCell(pin.name)
            csv.cell(pin.coordinate.latitudeText)
            csv.cell(pin.coordinate.longitudeText)
            csv.textCell(pin.address)
            csv.cell(pin.addressSource?.rawValue)
            csv.textCell(pin.comment)
            csv.cell(pin.rating?.description)
            csv.cell(pin.category.rawValue)
            csv.cell(pin.audience?.kind.rawValue)
            csv.cell(pin.audience?.circle?.description)
            csv.cell(pin.createdAt.text)
            csv.cell(pin.updatedAt.text)
            csv.textCell(externalId)
            csv.endRecord()
            try csv.drain(output.write)
        }
        try csv.drain(output.write)
    }
}
