import Foundation
import HTTP
import Testing

@testable import PinfoldServer

/// The styles, by the MapLibre Style Specification as far as they use it.
@Suite struct BasemapStyleTests {
    /// Layers of the OpenMapTiles schema, 3.15.
    private static let schema: Set<String> = [
        "aerodrome_label", "aeroway", "boundary", "building", "housenumber", "landcover", "landuse", "mountain_peak",
        "park", "place", "poi", "transportation", "transportation_name", "water", "water_name", "waterway",
    ]

    private static let styles: [(theme: BasemapTheme, language: String?)] =
        BasemapTheme.allCases.flatMap { theme in [nil, "en", "pl", "zh-Hant", "no"].map { (theme, $0) } }

    private func style(
        _ theme: BasemapTheme, _ language: String?, _ location: String = "https://tiles.example.org/{z}/{x}/{y}.mvt"
    ) throws -> JSON {
        let tag = language.flatMap(LanguageTag.init)
        #expect((tag == nil) == (language == nil))
        return try JSON(parsing: BasemapStyle(theme: theme, language: tag).json(of: Basemap(location)))
    }

    @Test(arguments: styles)
    func `each layer is one that MapLibre draws`(theme: BasemapTheme, language: String?) throws {
        let style = try style(theme, language)
        #expect(style["version"]?.number == 8)
        #expect(style["glyphs"] == nil && style["sprite"] == nil)
        let layers = style["layers"]?.elements ?? []
        #expect(layers.count > 40)
        let ids = layers.compactMap { $0["id"]?.text }
        #expect(ids.count == layers.count && Set(ids).count == ids.count)
        for layer in layers {
            let id = layer["id"]?.text ?? ""
            let kind = try #require(layer["type"]?.text, "\(id)")
            let paint = try #require(layer["paint"], "\(id)")
            #expect(!paint.members.isEmpty, "\(id)")
            if kind == "background" {
                #expect(layer["source"] == nil)
            } else {
                #expect(layer["source"]?.text == "basemap")
                #expect(Self.schema.contains(layer["source-layer"]?.text ?? ""), "\(id)")
            }
            let known = try #require(Self.properties[kind], "\(id) \(kind)")
            #expect(known.paint.isSuperset(of: paint.members.keys), "\(id) \(paint.members.keys)")
            let layout = layer["layout"]?.members ?? [:]
            #expect(known.layout.isSuperset(of: layout.keys), "\(id) \(layout.keys)")
            if kind == "symbol" { #expect(layout["text-field"] != nil && layout["text-font"] != nil, "\(id)") }
            let parts = [layer["filter"]].compactMap(\.self) + paint.members.values + layout.values
            for part in parts { #expect(Self.faults(of: part) == [], "\(id)") }
            for (name, value) in paint.members where name.hasSuffix("color") {
                #expect(Self.colors(in: value).isEmpty == false, "\(id) \(name)")
            }
        }
    }

    @Test func `the bundled world is drawn with all its layers and no others`() throws {
        let world = try TileFile(path: MapFile.world)
        let has = Set(world.metadata.layers.map(\.id))
        let style = try style(.light, "en", MapFile.world)
        let drawn = Set(style["layers"]?.elements.compactMap { $0["source-layer"]?.text } ?? [])
        #expect(drawn == has)
        #expect(has.isSubset(of: Self.schema))
        #expect((style["layers"]?.elements.count ?? 0) > 12)
    }

    @Test func `words can be read on what they lie on`() {
        for theme in BasemapTheme.allCases {
            let words = [
                (theme.country, theme.land), (theme.city, theme.land), (theme.town, theme.land),
                (theme.city, theme.halo), (theme.town, theme.halo), (theme.street, theme.halo),
            ]
            for (ink, ground) in words { #expect(Self.contrast(ink, ground) >= 4.5, "\(theme) \(ink) on \(ground)") }
            let faint = [(theme.state, theme.halo), (theme.suburb, theme.halo), (theme.waterName, theme.water)]
            for (ink, ground) in faint {
                #expect(Self.contrast(ink, ground) >= 2.4, "\(theme) \(ink) on \(ground)")
            }
            #expect(Self.contrast(theme.land, theme.water) >= 1.05)
        }
    }

    @Test func `names are asked for in the language, its kin, Latin letters and then as they are`() {
        func name(_ language: String?) -> String {
            BasemapStyle(theme: .light, language: language.flatMap(LanguageTag.init)).name
        }
        #expect(name(nil) == #"["get", "name"]"#)
        #expect(name("pl") == #"["coalesce", ["get", "name:pl"], ["get", "name:latin"], ["get", "name"]]"#)
        #expect(name("ja") == #"["coalesce", ["get", "name:ja"], ["get", "name"]]"#)
        #expect(name("no").contains(#"["get", "name:no"]"#))
        #expect(name("zh-Hant").hasPrefix(#"["coalesce", ["get", "name:zh-Hant"], ["get", "name:zh-TW"]"#))
    }

    // MARK: What the specification has

    private static let properties: [String: (paint: Set<String>, layout: Set<String>)] = [
        "background": (["background-color"], []),
        "fill": (["fill-color", "fill-opacity", "fill-outline-color"], []),
        "line": (["line-color", "line-width", "line-opacity", "line-dasharray"], ["line-cap", "line-join"]),
        "symbol": (
            ["text-color", "text-halo-color", "text-halo-width"],
            [
                "symbol-placement", "symbol-spacing", "symbol-sort-key", "text-field", "text-font", "text-size",
                "text-anchor", "text-offset", "text-max-width", "text-max-angle", "text-padding", "text-transform",
                "text-letter-spacing",
            ]
        ),
    ]

    /// What is wrong with an expression; arrays that begin with no name are lists of values.
    private static func faults(of value: JSON) -> [String] {
        let parts = value.elements
        guard let name = parts.first?.text else { return parts.flatMap(faults) }
        let arguments = Array(parts.dropFirst())
        // A list of fonts or of classes.
        if parts.allSatisfy({ $0.text != nil }), !["get", "has"].contains(name) || parts.count != 2,
            !["zoom", "geometry-type"].contains(name)
        {
            return []
        }
        func stops(_ values: [JSON]) -> Bool {
            let stops = stride(from: 0, to: values.count, by: 2).map { values[$0].number }
            return !stops.isEmpty && values.count.isMultiple(of: 2)
                && zip(stops, stops.dropFirst()).allSatisfy { a, b in a.map { a in b.map { a < $0 } ?? false } ?? false
                }
        }
        let isGood =
            switch name {
            case "literal", "get", "has", "!": arguments.count == 1
            case "zoom", "geometry-type": arguments.isEmpty
            case "==", "!=", "<=", ">", "-", "+": arguments.count == 2
            case "all", "coalesce": arguments.count >= 2
            case "match": arguments.count >= 4 && arguments.count.isMultiple(of: 2)
            case "case": arguments.count >= 3 && !arguments.count.isMultiple(of: 2)
            case "interpolate": arguments.count >= 4 && stops(Array(arguments.dropFirst(2)))
            case "step": arguments.count >= 4 && stops(Array(arguments.dropFirst(2)))
            case "linear": arguments.isEmpty
            case "exponential": arguments.count == 1
            case "format": arguments.count.isMultiple(of: 2)
            default: false
            }
        return (isGood ? [] : ["\(value)"]) + (name == "literal" ? [] : arguments.flatMap(faults))
    }

    /// The colours in a value, of six hexadecimal digits each.
    private static func colors(in value: JSON) -> [String] {
        if let text = value.text { return text.wholeMatch(of: #/#[0-9a-f]{6}/#) == nil ? [] : [text] }
        return value.elements.flatMap(colors)
    }

    /// WCAG 2.2's contrast ratio.
    private static func contrast(_ a: String, _ b: String) -> Double {
        func luminance(_ color: String) -> Double {
            let value = Int(color.dropFirst(), radix: 16) ?? 0
            let parts = [value >> 16, value >> 8 & 255, value & 255].map { part -> Double in
                let part = Double(part) / 255
                if part <= 0.04045 { return part / 12.92 }
                let base = (part + 0.055) / 1.055
                return pow(base, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        let (x, y) = (luminance(a), luminance(b))
        return (max(x, y) + 0.05) / (min(x, y) + 0.05)
    }
}
