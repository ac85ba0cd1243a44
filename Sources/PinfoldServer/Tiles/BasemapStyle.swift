import HTTP

/// How MapLibre draws the map (https://maplibre.org/maplibre-style-spec/, version 8): one style for the layers of
/// OpenMapTiles (https://openmaptiles.org/schema/), which the bundled world has the first of and a street map all.
///
/// It has no glyphs and no sprite: words are drawn with the fonts of the device, and nothing is asked of anybody else.
struct BasemapStyle: Sendable {
    let theme: BasemapTheme
    let language: LanguageTag?

    /// One layer of the style; the parts are JSON.
    struct Layer: Sendable {
        enum Kind: String, Sendable {
            case background, fill, line, symbol, raster
        }

        let id: String
        let kind: Kind
        /// The layer of the tiles that it draws.
        var source: String?
        var zooms: (least: Double?, most: Double?) = (nil, nil)
        var filter: String?
        var layout: String?
        let paint: String
    }

    /// The style of a map; nil has land alone.
    func json(of basemap: Basemap?) -> [UInt8] {
        var json = JSONWriter(capacity: 24 << 10)
        json.object { json in
            json.key("version")
            json.integer(8)
            json.key("name")
            json.string("Pinfold \(theme.rawValue)")
            json.key("sources")
            json.object { json in
                guard let basemap else { return }
                json.key("basemap")
                json.object { Self.writeSource(of: basemap, to: &$0) }
            }
            json.key("layers")
            json.array { json in
                for layer in layers(of: basemap) { Self.write(layer, to: &json) }
            }
        }
        return json.bytes
    }

    func layers(of basemap: Basemap?) -> [Layer] {
        let ground = Layer(id: "background", kind: .background, paint: #"{"background-color": "\#(theme.land)"}"#)
        switch basemap?.source {
        case nil: return [ground]
        case .file(let file) where file.content == .vector:
            let known = Set(file.metadata.layers.map(\.id))
            // Layers that the tiles do not have would only be faults in the log of the page.
            let layers = vectorLayers.filter { known.isEmpty || known.contains($0.source ?? "") }
            guard file.metadata.zooms.upperBound <= Self.coarse else { return [ground] + layers }
            return [ground]
                + layers.map { layer in
                    var layer = layer
                    // A river of few points would run through the middle of a town that it passes by.
                    if layer.source == "waterway" { layer.zooms.most = Self.lastZoomOfCoarseRivers }
                    return layer
                }
        case .address(let address) where address.kind != .image: return [ground] + vectorLayers
        case .file, .address:
            // Images are as bright as they are; in the dark theme they are dimmed.
            let brightness = theme == .dark ? #"{"raster-brightness-max": 0.6, "raster-saturation": -0.4}"# : "{}"
            return [ground, Layer(id: "images", kind: .raster, paint: brightness)]
        }
    }

    /// The last zoom of tiles of a map of the world, not of streets.
    private static let coarse = 8
    private static let lastZoomOfCoarseRivers = 11.0

    /// In the order in which they are drawn.
    private var vectorLayers: [Layer] { groundLayers + roadLayers + borderLayers + labelLayers }

    private static func writeSource(of basemap: Basemap, to json: inout JSONWriter) {
        switch basemap.source {
        case .file(let file):
            json.key("type")
            json.string(file.content == .vector ? "vector" : "raster")
            if file.content != .vector {
                json.key("tileSize")
                json.integer(256)
            }
            file.writeAccess(to: &json)
        case .address(let address) where address.kind == .description:
            json.key("type")
            json.string("vector")
            json.key("url")
            json.string(address.text)
        case .address(let address):
            json.key("type")
            json.string(address.kind == .image ? "raster" : "vector")
            json.key("tiles")
            json.array { $0.string(address.text) }
            json.key("maxzoom")
            json.integer(address.kind == .image ? 19 : 14)
            if address.kind == .image {
                json.key("tileSize")
                json.integer(256)
            }
        }
    }

    private static func write(_ layer: Layer, to json: inout JSONWriter) {
        json.object { json in
            json.key("id")
            json.string(layer.id)
            json.key("type")
            json.string(layer.kind.rawValue)
            if layer.kind != .background {
                json.key("source")
                json.string("basemap")
            }
            if let source = layer.source {
                json.key("source-layer")
                json.string(source)
            }
            if let least = layer.zooms.least {
                json.key("minzoom")
                json.number(least)
            }
            if let most = layer.zooms.most {
                json.key("maxzoom")
                json.number(most)
            }
            let parts: [(StaticString, String?)] = [
                ("filter", layer.filter), ("layout", layer.layout), ("paint", layer.paint),
            ]
            for case (let name, let text?) in parts {
                json.key(name)
                json.raw(Array(text.utf8))
            }
        }
    }
}
