import Geo
import HTTP

/// A collection of features, as OGC API – Features describes it.
enum OGCCollection {
    case dataset(LandmarkDataset)
    case pins

    /// As it stands in paths.
    var id: String {
        switch self {
        // The name of pins is theirs alone.
        case .dataset(let dataset): dataset.name == OGCRoutes.pins ? "\(dataset.id)" : dataset.name
        case .pins: OGCRoutes.pins
        }
    }

    /// The id, percent-encoded.
    var pathPart: String {
        var part = ""
        for byte in id.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            if byte < 0x80, isPlain || "-._~".unicodeScalars.contains(scalar) {
                part.unicodeScalars.append(scalar)
            } else {
                part += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return part
    }

    func write(to json: inout JSONWriter, at base: String) {
        let address = "\(base)/ogc/collections/\(pathPart)"
        var links = [
            OGCLink("self", address, "application/json", "This collection"),
            OGCLink("items", address + "/items", "application/geo+json", "Its features"),
        ]
        json.object { json in
            json.key("id")
            json.string(id)
            json.key("itemType")
            json.string("feature")
            json.key("crs")
            json.array { $0.string(OGCCollection.crs) }
            switch self {
            case .pins:
                json.key("title")
                json.string("Pins")
                json.key("description")
                json.string("Your own pins and those of your friends that you may see.")
            case .dataset(let dataset):
                json.key("title")
                json.string(dataset.title)
                if let description = dataset.description {
                    json.key("description")
                    json.string(description)
                }
                if let attribution = dataset.attribution {
                    json.key("attribution")
                    json.string(attribution)
                }
                writeExtent(of: dataset, to: &json)
                let page = "\(base)/v1/datasets/\(dataset.id)"
                if let licence = dataset.licence {
                    let isAddress = licence.hasPrefix("https://") || licence.hasPrefix("http://")
                    links.append(
                        OGCLink(
                            "license", isAddress ? licence : page, isAddress ? "text/html" : "application/json", licence
                        ))
                }
                if let source = dataset.sourceURL { links.append(OGCLink("via", source, "text/html", "The source")) }
            }
            json.links(links)
        }
    }

    private func writeExtent(of dataset: LandmarkDataset, to json: inout JSONWriter) {
        guard let extent = dataset.extent else { return }
        json.key("extent")
        json.object { json in
            json.key("spatial")
            json.object { json in
                json.key("bbox")
                json.array { json in
                    json.array { json in
                        for edge in [extent.west, extent.south, extent.east, extent.north] { json.e7(edge) }
                    }
                }
                json.key("crs")
                json.string(OGCCollection.crs)
            }
            json.key("temporal")
            json.object { json in
                json.key("interval")
                json.array { json in
                    json.array { json in
                        json.time(dataset.createdAt.milliseconds)
                        json.null()
                    }
                }
            }
        }
    }

    /// WGS 84, longitude first.
    private static let crs = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
}
