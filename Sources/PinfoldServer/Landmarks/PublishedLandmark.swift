import Geo
import HTTP
import SocialModel
import Storage

/// A landmark as it is shown.
struct PublishedLandmark: Sendable {
    let id: Identifier<Landmark>
    /// Of the row that has this content.
    let number: Int64
    let datasetId: Identifier<Dataset>
    let key: String
    let name: String
    /// A JSON object: names by language.
    let names: String?
    let category: Landmark.Category
    let sourceCategory: String?
    let description: String?
    let address: String?
    let website: String?
    let phone: String?
    let openingHours: String?
    let imageURL: String?
    let coordinate: Coordinate
    /// A JSON object: what else the source says.
    let properties: String?
    let updatedAt: Timestamp
    /// Of a line or an area, as GeoJSON, if it was asked for.
    var geometry: String?
    /// Metres from the point that a list is near to.
    var distance: Double?

    /// Bytes of its texts, about.
    var textBytes: Int {
        [names, sourceCategory, description, address, website, phone, openingHours, imageURL, properties, geometry]
            .reduce(name.utf8.count + key.utf8.count) { $0 + ($1?.utf8.count ?? 0) }
    }

    static let columns: StaticString = """
        landmark.number, landmark.landmarkId, landmark.datasetId, landmark.key, landmark.longitude, landmark.latitude,
        landmark.category, landmark.name, landmark.updatedAt, landmark.sourceCategory, landmark.names,
        landmark.description, landmark.address, landmark.website, landmark.phone, landmark.openingHours,
        landmark.imageURL, landmark.properties
        """

    static let columnCount = 18

    /// From `columns`.
    init(_ row: Row) {
        number = row.int64(0)
        id = row.identifier(1)
        datasetId = row.identifier(2)
        key = row.text(3)
        coordinate = Coordinate(
            latitudeE7: Int32(truncatingIfNeeded: row.int64(5)), longitudeE7: Int32(truncatingIfNeeded: row.int64(4)))
        category = Landmark.Category(code: row.int64(6))
        name = row.text(7)
        updatedAt = row.timestamp(8)
        sourceCategory = row.optionalText(9)
        names = row.optionalText(10)
        description = row.optionalText(11)
        address = row.optionalText(12)
        website = row.optionalText(13)
        phone = row.optionalText(14)
        openingHours = row.optionalText(15)
        imageURL = row.optionalText(16)
        properties = row.optionalText(17)
    }
}

extension PublishedLandmark: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("id")
            json.identifier(id)
            writeDataset(to: &json)
            writeTexts(to: &json)
            json.key("latitude")
            json.e7(coordinate.latitudeE7)
            json.key("longitude")
            json.e7(coordinate.longitudeE7)
            if let geometry {
                json.key("geometry")
                json.raw(Array(geometry.utf8))
            }
            writeEnd(to: &json)
        }
    }

    /// As a GeoJSON feature (RFC 7946, 3.2), whose id is the landmark's.
    ///
    /// - Parameter more: writes further members of the feature.
    func writeFeature(to json: inout JSONWriter, more: (inout JSONWriter) -> Void = { _ in }) {
        json.object { json in
            json.key("type")
            json.string("Feature")
            json.key("id")
            json.identifier(id)
            json.key("geometry")
            if let geometry {
                json.raw(Array(geometry.utf8))
            } else {
                json.point(coordinate)
            }
            json.key("properties")
            json.object { json in
                writeDataset(to: &json)
                writeTexts(to: &json)
                writeEnd(to: &json)
            }
            more(&json)
        }
    }

    private func writeDataset(to json: inout JSONWriter) {
        json.key("datasetId")
        json.identifier(datasetId)
        json.key("key")
        json.string(key)
    }

    private func writeTexts(to json: inout JSONWriter) {
        json.key("name")
        json.string(name)
        json.key("names")
        json.raw(Array((names ?? "{}").utf8))
        json.key("category")
        json.string(category.rawValue)
        let texts: KeyValuePairs<StaticString, String?> = [
            "sourceCategory": sourceCategory, "description": description, "address": address, "website": website,
            "phone": phone, "openingHours": openingHours, "imageURL": imageURL,
        ]
        for (name, text) in texts {
            json.key(name)
            json.optionalString(text)
        }
    }

    private func writeEnd(to json: inout JSONWriter) {
        json.key("properties")
        json.raw(Array((properties ?? "{}").utf8))
        json.key("updatedAt")
        json.time(updatedAt.milliseconds)
        if let distance {
            json.key("distance")
            json.number(distance)
        }
    }
}
