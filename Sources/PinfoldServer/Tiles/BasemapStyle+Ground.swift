extension BasemapStyle {
    /// Land and water.
    var groundLayers: [Layer] {
        [
            Layer(
                id: "land-cover", kind: .fill, source: "landcover", zooms: (nil, 14),
                filter: #"["match", ["get", "class"], ["farmland", "grass", "wood", "wetland"], true, false]"#,
                paint: #"""
                    {
                      "fill-color": ["match", ["get", "class"], "wood", "\#(theme.wood)", "farmland",
                        "\#(theme.farmland)", "\#(theme.grass)"],
                      "fill-opacity": ["interpolate", ["linear"], ["zoom"], 6, 0.7, 12, 1]
                    }
                    """#),
            Layer(
                id: "land-use", kind: .fill, source: "landuse", zooms: (6, nil),
                paint: #"""
                    {
                      "fill-color": ["match", ["get", "class"],
                        ["residential", "suburb", "quarter", "neighbourhood"], "\#(theme.built)",
                        ["commercial", "retail", "industrial", "railway", "garages", "bus_station", "quarry", "dam",
                          "military"], "\#(theme.works)",
                        ["cemetery", "pitch", "playground", "stadium", "track", "theme_park", "zoo"], "\#(theme.grass)",
                        ["hospital", "school", "university", "college", "kindergarten", "library"], "\#(theme.civic)",
                        "\#(theme.built)"],
                      "fill-opacity": ["interpolate", ["linear"], ["zoom"], 6, 0.5, 10, 0.8, 13, 1]
                    }
                    """#),
            Layer(
                id: "park", kind: .fill, source: "park", zooms: (7, nil),
                filter: #"["match", ["geometry-type"], ["Polygon", "MultiPolygon"], true, false]"#,
                paint: #"""
                    {
                      "fill-color": "\#(theme.park)",
                      "fill-opacity": ["interpolate", ["linear"], ["zoom"], 7, 0.5, 12, 0.8]
                    }
                    """#),
            Layer(
                id: "land-cover-near", kind: .fill, source: "landcover", zooms: (14, nil),
                filter: #"["match", ["get", "class"], ["grass", "wood", "wetland", "sand", "rock"], true, false]"#,
                paint: #"""
                    {
                      "fill-color": ["match", ["get", "class"], "wood", "\#(theme.wood)", "sand", "\#(theme.sand)",
                        "rock", "\#(theme.built)", "\#(theme.grass)"]
                    }
                    """#),
            Layer(
                id: "ice", kind: .fill, source: "landcover", filter: #"["==", ["get", "class"], "ice"]"#,
                paint: #"{"fill-color": "\#(theme.ice)"}"#),
            Layer(
                id: "waterway", kind: .line, source: "waterway", zooms: (2, nil),
                filter: #"["!=", ["get", "brunnel"], "tunnel"]"#,
                layout: #"{"line-cap": "round", "line-join": "round"}"#,
                paint: #"""
                    {
                      "line-color": ["interpolate", ["linear"], ["zoom"], 6, "\#(theme.waterway)", 10, "\#(theme.wideWaterway)"],
                      "line-width": ["interpolate", ["exponential", 1.3], ["zoom"],
                        2, 0.5,
                        6, ["match", ["get", "class"], "river",
                          ["interpolate", ["linear"], ["coalesce", ["get", "rank"], 6], 1, 1.7, 6, 1, 10, 0.6], 0.5],
                        13, ["match", ["get", "class"], "river", 2.5, "canal", 2, 1],
                        18, ["match", ["get", "class"], "river", 10, "canal", 7, 3]]
                    }
                    """#),
            Layer(
                id: "water", kind: .fill, source: "water", filter: #"["!=", ["get", "brunnel"], "tunnel"]"#,
                paint: #"{"fill-color": "\#(theme.water)"}"#),
            Layer(
                id: "apron", kind: .fill, source: "aeroway", zooms: (11, nil),
                filter: #"["match", ["geometry-type"], ["Polygon", "MultiPolygon"], true, false]"#,
                paint: #"{"fill-color": "\#(theme.works)"}"#),
            Layer(
                id: "runway", kind: .line, source: "aeroway", zooms: (11, nil),
                filter: #"["match", ["get", "class"], ["runway", "taxiway"], true, false]"#,
                paint: #"""
                    {
                      "line-color": "\#(theme.runway)",
                      "line-width": ["interpolate", ["exponential", 1.6], ["zoom"],
                        11, ["match", ["get", "class"], "runway", 2, 0.5],
                        17, ["match", ["get", "class"], "runway", 50, 14]]
                    }
                    """#),
            Layer(
                id: "building", kind: .fill, source: "building", zooms: (14, nil),
                paint: #"""
                    {
                      "fill-color": "\#(theme.building)", "fill-outline-color": "\#(theme.buildingEdge)",
                      "fill-opacity": ["interpolate", ["linear"], ["zoom"], 14, 0, 15, 1]
                    }
                    """#),
        ]
    }

    /// Borders of countries and of their first divisions.
    var borderLayers: [Layer] {
        let onLand = #"["!=", ["get", "maritime"], 1]"#
        return [
            Layer(
                id: "border-inner", kind: .line, source: "boundary", zooms: (3, nil),
                filter: #"["all", ["==", ["get", "admin_level"], 4], \#(onLand)]"#,
                layout: #"{"line-join": "round"}"#,
                paint: #"""
                    {
                      "line-color": "\#(theme.innerBorder)", "line-dasharray": [3, 2],
                      "line-width": ["interpolate", ["linear"], ["zoom"], 3, 0.5, 6, 0.9, 12, 1.4]
                    }
                    """#),
            Layer(
                id: "border-glow", kind: .line, source: "boundary", zooms: (4, nil),
                filter: #"["all", ["==", ["get", "admin_level"], 2], \#(onLand)]"#,
                layout: #"{"line-join": "round"}"#,
                paint: #"""
                    {
                      "line-color": "\#(theme.borderGlow)", "line-opacity": 0.45,
                      "line-width": ["interpolate", ["linear"], ["zoom"], 4, 2, 12, 6]
                    }
                    """#),
            Layer(
                id: "border", kind: .line, source: "boundary",
                filter: #"""
                    ["all", ["==", ["get", "admin_level"], 2], \#(onLand), ["!=", ["get", "disputed"], 1]]
                    """#,
                layout: #"{"line-cap": "round", "line-join": "round"}"#,
                paint: #"""
                    {
                      "line-color": "\#(theme.border)",
                      "line-width": ["interpolate", ["linear"], ["zoom"], 0, 0.4, 3, 0.7, 6, 1.2, 12, 2.2]
                    }
                    """#),
            Layer(
                id: "border-disputed", kind: .line, source: "boundary",
                filter: #"""
                    ["all", ["==", ["get", "admin_level"], 2], \#(onLand), ["==", ["get", "disputed"], 1]]
                    """#,
                layout: #"{"line-join": "round"}"#,
                paint: #"""
                    {
                      "line-color": "\#(theme.border)", "line-dasharray": [2, 2],
                      "line-width": ["interpolate", ["linear"], ["zoom"], 0, 0.4, 3, 0.7, 6, 1.2, 12, 2]
                    }
                    """#),
        ]
    }
}
