import Geo
import HTTP

extension TileFile {
    /// Where a client finds the tiles, relative to this server, whatever it is called outside.
    private var template: String { "/tiles/{z}/{x}/{y}\(content == .vector ? ".mvt" : "")?v=\(version)" }

    /// The members that TileJSON and a source of a style have in common.
    func writeAccess(to json: inout JSONWriter) {
        json.key("tiles")
        json.array { $0.string(template) }
        json.key("minzoom")
        json.integer(Int64(metadata.zooms.lowerBound))
        json.key("maxzoom")
        json.integer(Int64(metadata.zooms.upperBound))
        if let bounds = metadata.bounds {
            json.key("bounds")
            json.array { json in
                for bound in bounds { json.number(bound) }
            }
        }
        if let attribution = metadata.attribution {
            json.key("attribution")
            json.string(attribution)
        }
    }

    /// The file as TileJSON 3.0 (https://github.com/mapbox/tilejson-spec/tree/master/3.0.0).
    var tileJSON: [UInt8] {
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.key("tilejson")
            json.string("3.0.0")
            let texts: [(StaticString, String?)] = [
                ("name", metadata.name), ("description", metadata.description), ("version", metadata.version),
            ]
            for case (let name, let text?) in texts {
                json.key(name)
                json.string(text)
            }
            json.key("scheme")
            json.string("xyz")
            writeAccess(to: &json)
            if let center = metadata.center {
                json.key("center")
                json.array { json in
                    for part in center { json.number(part) }
                }
            }
            if content == .vector {
                json.key("vector_layers")
                json.array { json in
                    for layer in metadata.layers { layer.write(to: &json) }
                }
            }
        }
        return json.bytes
    }
}

extension TileMetadata.Layer: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("id")
            json.string(id)
            json.key("fields")
            json.object { json in
                for field in fields {
                    json.key(escaping: field.name)
                    json.string(field.content)
                }
            }
            if !description.isEmpty {
                json.key("description")
                json.string(description)
            }
            if let zooms {
                json.key("minzoom")
                json.integer(Int64(zooms.lowerBound))
                json.key("maxzoom")
                json.integer(Int64(zooms.upperBound))
            }
        }
    }
}
