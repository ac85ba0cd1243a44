import HTTP
import SocialModel

extension Pin: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("id")
        json.identifier(id)
        writeOwner(to: &json)
        json.key("latitude")
        json.e7(coordinate.latitudeE7)
        json.key("longitude")
        json.e7(coordinate.longitudeE7)
        writeDetails(to: &json)
        json.endObject()
    }

    /// As a GeoJSON feature (RFC 7946, 3.2), whose id is the pin's.
    ///
    /// - Parameter more: writes further members of the feature.
    func writeFeature(to json: inout JSONWriter, more: (inout JSONWriter) -> Void = { _ in }) {
        json.beginObject()
        json.key("type")
        json.string("Feature")
        json.key("id")
        json.identifier(id)
        json.key("geometry")
        json.point(coordinate)
        json.key("properties")
        json.object { json in
            writeOwner(to: &json)
            writeDetails(to: &json)
        }
        more(&json)
        json.endObject()
    }

    private func writeOwner(to json: inout JSONWriter) {
        json.key("ownerId")
        json.identifier(ownerId)
        json.key("ownerUsername")
        json.string(ownerUsername)
    }

    private func writeDetails(to json: inout JSONWriter) {
        json.key("name")
        json.string(name)
        json.key("address")
        json.optionalString(address)
        json.key("addressSource")
        json.optionalString(addressSource?.rawValue)
        json.key("comment")
        json.optionalString(comment)
        json.key("rating")
        if let rating { json.integer(Int64(rating)) } else { json.null() }
        json.key("category")
        json.string(category.rawValue)
        if let audience {
            json.key("audience")
            json.string(audience.kind.rawValue)
            json.key("circleId")
            if let circle = audience.circle { json.identifier(circle) } else { json.null() }
        }
        json.key("photos")
        json.array { _ in }
        json.key("createdAt")
        json.time(createdAt.milliseconds)
        json.key("updatedAt")
        json.time(updatedAt.milliseconds)
        if let distance {
            json.key("distance")
            json.number(distance)
        }
    }
}
