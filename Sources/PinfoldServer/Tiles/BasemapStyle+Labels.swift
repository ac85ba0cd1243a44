extension BasemapStyle {
    /// The name of a feature: in the language, else in Latin letters for those who read them, else its own.
    var name: String {
        var keys: [String] = []
        if let language {
            keys = ([language] + language.fallbacks).map { "name:\($0.text)" }
            if language.language == "nb" { keys.append("name:no") }
            if (language.script ?? Script(of: language.language)) == .latn { keys.append("name:latin") }
        }
        keys.append("name")
        let once = keys.indices.filter { !keys[..<$0].contains(keys[$0]) }.map { "[\"get\", \"\(keys[$0])\"]" }
        return once.count == 1 ? once[0] : "[\"coalesce\", \(once.joined(separator: ", "))]"
    }

    /// Families of fonts. MapLibre takes the weight from the words of the first. (It takes the slope too, but cuts off
    /// what leans beyond a letter's own width, such as the tail of a j.)
    private static let regular = #"["Noto Sans Regular", "system-ui", "Segoe UI", "Roboto", "Noto Sans"]"#
    private static let medium = #"["Noto Sans Medium", "system-ui", "Segoe UI", "Roboto", "Noto Sans"]"#
    private static let bold = #"["Noto Sans Semibold", "system-ui", "Segoe UI", "Roboto", "Noto Sans"]"#

    private func words(_ color: String, halo: String? = nil, width: Double = 1.4) -> String {
        #"""
        {"text-color": "\#(color)", "text-halo-color": "\#(halo ?? theme.halo)", "text-halo-width": \#(width)}
        """#
    }

    /// All words, the least important first: what is placed is decided from the last.
    var labelLayers: [Layer] { wayLabels + waterLabels + placeLabels }

    private var wayLabels: [Layer] {
        [
            Layer(
                id: "park-name", kind: .symbol, source: "park", zooms: (12, nil),
                filter: #"["all", ["==", ["geometry-type"], "Point"], ["has", "name"]]"#,
                layout: #"""
                    {
                      "text-field": \#(name), "text-font": \#(Self.medium), "text-size": 11.5, "text-max-width": 8,
                      "symbol-sort-key": ["coalesce", ["get", "rank"], 50], "text-padding": 12
                    }
                    """#, paint: words(theme.parkName)),
            Layer(
                id: "street-name", kind: .symbol, source: "transportation_name", zooms: (13, nil),
                filter: #"["match", ["get", "class"], ["path", "track", "service", "ferry"], false, true]"#,
                layout: #"""
                    {
                      "symbol-placement": "line", "text-field": \#(name), "text-font": \#(Self.regular),
                      "text-size": ["interpolate", ["linear"], ["zoom"], 13, 10.5, 18, 14],
                      "symbol-spacing": 320, "text-padding": 6,
                      "symbol-sort-key": ["match", ["get", "class"], ["motorway", "trunk"], 0, "primary", 1,
                        "secondary", 2, "tertiary", 3, 4]
                    }
                    """#, paint: words(theme.street, width: 1.6)),
            Layer(
                id: "waterway-name", kind: .symbol, source: "waterway", zooms: (6, nil),
                filter: #"""
                    ["all", ["has", "name"], ["match", ["get", "class"], ["river", "canal"], true, false],
                      ["<=", ["coalesce", ["get", "rank"], 1], ["+", ["zoom"], 1]]]
                    """#,
                layout: #"""
                    {
                      "symbol-placement": "line", "text-field": \#(name), "text-font": \#(Self.regular),
                      "text-size": ["interpolate", ["linear"], ["zoom"], 6, 10, 14, 13],
                      "symbol-spacing": 450, "text-letter-spacing": 0.06, "text-max-angle": 30, "text-padding": 20
                    }
                    """#, paint: words(theme.waterName)),
        ]
    }

    private var waterLabels: [Layer] {
        let layout = #"""
            "text-field": \#(name), "text-font": \#(Self.regular), "text-max-width": 7, "text-letter-spacing": 0.12,
            "symbol-sort-key": ["match", ["get", "class"], "ocean", 0, "sea", 1, 2]
            """#
        return [
            Layer(
                id: "water-name-line", kind: .symbol, source: "water_name", zooms: (8, nil),
                filter: #"["match", ["geometry-type"], ["LineString", "MultiLineString"], true, false]"#,
                layout: #"{"symbol-placement": "line", "text-size": 12, "symbol-spacing": 600, \#(layout)}"#,
                paint: words(theme.waterName, halo: theme.waterHalo, width: 1)),
            Layer(
                id: "water-name", kind: .symbol, source: "water_name",
                filter: #"["==", ["geometry-type"], "Point"]"#,
                layout: #"""
                    {
                      "text-size": ["interpolate", ["linear"], ["zoom"],
                        0, ["match", ["get", "class"], "ocean", 10, 9],
                        3, ["match", ["get", "class"], "ocean", 15, "sea", 11, 10],
                        6, ["match", ["get", "class"], "ocean", 20, "sea", 14, 12]], \#(layout)
                    }
                    """#, paint: words(theme.waterName, halo: theme.waterHalo, width: 1)),
        ]
    }

    private var countryLayout: String {
        #"""
        {
          "text-field": \#(name), "text-font": \#(Self.bold), "text-max-width": 7, "text-padding": 4,
          "text-letter-spacing": 0.03,
          "text-size": ["interpolate", ["linear"], ["zoom"],
            1, 10.5,
            3, ["interpolate", ["linear"], ["coalesce", ["get", "rank"], 3], 1, 14, 6, 10],
            6, ["interpolate", ["linear"], ["coalesce", ["get", "rank"], 3], 1, 20, 6, 12]],
          "symbol-sort-key": ["coalesce", ["get", "rank"], 6]
        }
        """#
    }

    private var placeLabels: [Layer] {
        // A dot before the name, which is there only where the name finds room.
        let dotted = #"["format", "● ", {"font-scale": 0.55}, \#(name), {}]"#
        return [
            Layer(
                id: "suburb", kind: .symbol, source: "place", zooms: (11, 17),
                filter: #"["match", ["get", "class"], ["suburb", "quarter", "neighbourhood"], true, false]"#,
                layout: #"""
                    {
                      "text-field": \#(name), "text-font": \#(Self.medium), "text-transform": "uppercase",
                      "text-letter-spacing": 0.08, "text-max-width": 8, "text-padding": 6,
                      "text-size": ["interpolate", ["linear"], ["zoom"], 11, 9.5, 16, 12],
                      "symbol-sort-key": ["coalesce", ["get", "rank"], 30]
                    }
                    """#, paint: words(theme.suburb)),
            Layer(
                id: "village", kind: .symbol, source: "place", zooms: (8, 16),
                filter: #"["match", ["get", "class"], ["village", "hamlet", "island"], true, false]"#,
                layout: #"""
                    {
                      "text-field": \#(name), "text-font": \#(Self.regular), "text-max-width": 8, "text-padding": 6,
                      "text-size": ["interpolate", ["linear"], ["zoom"], 8, 10.5, 14, 13.5],
                      "symbol-sort-key": ["coalesce", ["get", "rank"], 30]
                    }
                    """#, paint: words(theme.town)),
            Layer(
                id: "town", kind: .symbol, source: "place", zooms: (6, 16),
                filter: #"""
                    ["all", ["==", ["get", "class"], "town"],
                      ["<=", ["coalesce", ["get", "rank"], 10], ["step", ["zoom"], 8, 7, 12, 8, 20]]]
                    """#,
                layout: #"""
                    {
                      "text-field": ["step", ["zoom"], \#(dotted), 8, \#(name)], "text-font": \#(Self.regular),
                      "text-anchor": ["step", ["zoom"], "left", 8, "center"],
                      "text-offset": ["step", ["zoom"], ["literal", [-0.3, 0]], 8, ["literal", [0, 0]]],
                      "text-max-width": 8, "text-padding": 5,
                      "text-size": ["interpolate", ["linear"], ["zoom"], 6, 10.5, 8, 11.5, 14, 16],
                      "symbol-sort-key": ["coalesce", ["get", "rank"], 20]
                    }
                    """#, paint: words(theme.town)),
            Layer(
                id: "state", kind: .symbol, source: "place", zooms: (3, 8),
                filter: #"""
                    ["all", ["match", ["get", "class"], ["state", "province"], true, false],
                      ["<=", ["coalesce", ["get", "rank"], 1], ["step", ["zoom"], 1, 4, 2, 5, 4, 6, 6]]]
                    """#,
                layout: #"""
                    {
                      "text-field": \#(name), "text-font": \#(Self.medium), "text-transform": "uppercase",
                      "text-letter-spacing": 0.12, "text-max-width": 7, "text-padding": 8,
                      "text-size": ["interpolate", ["linear"], ["zoom"], 3, 9, 7, 13],
                      "symbol-sort-key": ["coalesce", ["get", "rank"], 6]
                    }
                    """#, paint: words(theme.state, width: 1.2)),
            Layer(
                id: "country-small", kind: .symbol, source: "place", zooms: (4, 8),
                filter: #"""
                    ["all", ["==", ["get", "class"], "country"], [">", ["coalesce", ["get", "rank"], 3], 3],
                      ["<=", ["coalesce", ["get", "rank"], 3], ["step", ["zoom"], 4, 5, 5, 6, 6]]]
                    """#, layout: countryLayout, paint: words(theme.country, width: 1.6)),
            Layer(
                id: "city", kind: .symbol, source: "place", zooms: (2, 16),
                filter: #"""
                    ["all", ["==", ["get", "class"], "city"],
                      ["<=", ["coalesce", ["get", "rank"], 5], ["step", ["zoom"], 1, 3, 2, 4, 4, 5, 6, 6, 8, 7, 20]]]
                    """#,
                layout: #"""
                    {
                      "text-field": ["step", ["zoom"], \#(dotted), 8, \#(name)],
                      "text-font": ["case", ["==", ["get", "capital"], 2], ["literal", \#(Self.bold)],
                        ["literal", \#(Self.medium)]],
                      "text-anchor": ["step", ["zoom"], "left", 8, "center"],
                      "text-offset": ["step", ["zoom"], ["literal", [-0.3, 0]], 8, ["literal", [0, 0]]],
                      "text-max-width": 9, "text-padding": 4,
                      "text-size": ["interpolate", ["linear"], ["zoom"],
                        2, 10.5,
                        6, ["interpolate", ["linear"], ["coalesce", ["get", "rank"], 5], 1, 15, 4, 13.5, 8, 11.5],
                        10, ["interpolate", ["linear"], ["coalesce", ["get", "rank"], 5], 1, 21, 4, 18, 8, 14.5],
                        14, ["interpolate", ["linear"], ["coalesce", ["get", "rank"], 5], 1, 26, 8, 20]],
                      "symbol-sort-key": ["-", ["coalesce", ["get", "rank"], 10],
                        ["match", ["coalesce", ["get", "capital"], 0], 2, 3, 4, 0.5, 0]]
                    }
                    """#, paint: words(theme.city, width: 1.5)),
            Layer(
                id: "country", kind: .symbol, source: "place", zooms: (1, 8),
                filter: #"""
                    ["all", ["==", ["get", "class"], "country"],
                      ["<=", ["coalesce", ["get", "rank"], 3], ["step", ["zoom"], 1, 2, 2, 3, 3]]]
                    """#, layout: countryLayout, paint: words(theme.country, width: 1.6)),
        ]
    }
}
