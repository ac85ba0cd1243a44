import SocialModel
import Storage

extension PinFileFormat {
    /// GPX 1.1: a pin is a waypoint, and what has no element there stands in its extensions, under a namespace of ours.
    static func writeGPX(_ pins: VisiblePins<some Transaction>, to output: some ByteOutput) throws {
        var xml = XMLWriter()
        xml.markup(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Pinfold" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:pinfold="urn:pinfold:pin:1">

            """)
        try pins.forEachOwn { pin, externalId in
            xml.markup("<wpt lat=\"")
            xml.text(pin.coordinate.latitudeText)
            xml.markup("\" lon=\"")
            xml.text(pin.coordinate.longitudeText)
            xml.markup("\">")
            // In the order of the schema.
            xml.element("time", pin.createdAt.text)
            xml.element("name", pin.name)
            xml.element("desc", pin.comment)
            xml.element("type", pin.category.rawValue)
            xml.markup("<extensions>")
            xml.element("pinfold:id", pin.id.description)
            xml.element("pinfold:address", pin.address)
            xml.element("pinfold:addressSource", pin.addressSource?.rawValue)
            xml.element("pinfold:rating", pin.rating?.description)
            xml.element("pinfold:audience", pin.audience?.kind.rawValue)
            xml.element("pinfold:circleId", pin.audience?.circle?.description)
            xml.element("pinfold:updatedAt", pin.updatedAt.text)
            xml.element("pinfold:externalId", externalId)
            xml.markup("</extensions></wpt>\n")
            try xml.drain(output.write)
        }
        xml.markup("</gpx>\n")
        try xml.drain(output.write)
    }

    /// OGC KML 2.2: a pin is a placemark, and what has no element there stands in its extended data.
    static func writeKML(_ pins: VisiblePins<some Transaction>, to output: some ByteOutput) throws {
        var xml = XMLWriter()
        xml.markup(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Pins</name>

            """)
        try pins.forEachOwn { pin, externalId in
            xml.markup("<Placemark>")
            // In the order of the schema.
            xml.element("name", pin.name)
            xml.element("address", pin.address)
            xml.element("description", pin.comment)
            xml.markup("<TimeStamp>")
            xml.element("when", pin.createdAt.text)
            xml.markup("</TimeStamp><ExtendedData>")
            xml.data("id", pin.id.description)
            xml.data("addressSource", pin.addressSource?.rawValue)
            xml.data("rating", pin.rating?.description)
            xml.data("category", pin.category.rawValue)
            xml.data("audience", pin.audience?.kind.rawValue)
            xml.data("circleId", pin.audience?.circle?.description)
            xml.data("updatedAt", pin.updatedAt.text)
            xml.data("externalId", externalId)
            xml.markup("</ExtendedData><Point><coordinates>")
            xml.text("\(pin.coordinate.longitudeText),\(pin.coordinate.latitudeText)")
            xml.markup("</coordinates></Point></Placemark>\n")
            try xml.drain(output.write)
        }
        xml.markup("</Document></kml>\n")
        try xml.drain(output.write)
    }
}

extension XMLWriter {
    /// A member of KML's extended data; nothing for nil.
    fileprivate mutating func data(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        markup("<Data name=\"")
        markup(name)
        markup("\">")
        element("value", value)
        markup("</Data>")
    }
}
