extension BasemapStyle {
    /// A class of roads: which, from which zoom, how wide at zooms 6, 12, 15 and 19, and in which colours.
    private struct Road {
        let name: String
        let classes: [String]
        let least: Double
        let widths: [Double]
        let color: String
        let casing: String

        var filter: String {
            let list = classes.map { "\"\($0)\"" }.joined(separator: ", ")
            return "[\"match\", [\"get\", \"class\"], [\(list)], true, false]"
        }

        func width(plus casing: Double) -> String {
            let stops = zip([6, 12, 15, 19], widths).map { zoom, width in
                let extra = casing == 0 ? 0 : width < 2 ? casing * 0.6 : casing
                return "\(zoom), \(width + extra)"
            }
            return "[\"interpolate\", [\"exponential\", 1.5], [\"zoom\"], \(stops.joined(separator: ", "))]"
        }
    }

    private var roads: [Road] {
        [
            Road(
                name: "service", classes: ["service", "track", "raceway", "busway"], least: 14,
                widths: [0, 0.4, 2, 12], color: theme.road, casing: theme.roadCasing),
            Road(
                name: "street", classes: ["minor"], least: 12, widths: [0, 0.8, 4, 22], color: theme.road,
                casing: theme.roadCasing),
            Road(
                name: "tertiary", classes: ["tertiary"], least: 10, widths: [0.3, 1.4, 6, 26], color: theme.road,
                casing: theme.roadCasing),
            Road(
                name: "secondary", classes: ["secondary"], least: 8, widths: [0.3, 1.9, 7, 30], color: theme.mainRoad,
                casing: theme.mainRoadCasing),
            Road(
                name: "primary", classes: ["primary"], least: 7, widths: [0.4, 2.4, 8, 34], color: theme.mainRoad,
                casing: theme.mainRoadCasing),
            Road(
                name: "motorway", classes: ["motorway", "trunk"], least: 5, widths: [0.8, 3, 9, 38],
                color: theme.motorway, casing: theme.motorwayCasing),
        ]
    }

    /// Roads, the lesser ones below, those in tunnels faint, bridges last; rails and paths.
    var roadLayers: [Layer] {
        let round = #"{"line-cap": "round", "line-join": "round"}"#
        let butt = #"{"line-cap": "butt", "line-join": "round"}"#
        var layers: [Layer] = []
        for road in roads {
            layers.append(
                Layer(
                    id: "tunnel-\(road.name)", kind: .line, source: "transportation", zooms: (max(road.least, 12), nil),
                    filter: #"["all", \#(road.filter), ["==", ["get", "brunnel"], "tunnel"]]"#, layout: butt,
                    paint: #"""
                        {
                          "line-color": "\#(road.casing)", "line-opacity": 0.5, "line-dasharray": [1.5, 0.8],
                          "line-width": \#(road.width(plus: 0))
                        }
                        """#))
        }
        layers.append(
            Layer(
                id: "path", kind: .line, source: "transportation", zooms: (14, nil),
                filter: #"["all", ["match", ["get", "class"], ["path", "pier"], true, false], \#(Self.isAbove)]"#,
                layout: round,
                paint: #"""
                    {
                      "line-color": "\#(theme.path)", "line-dasharray": [2, 1.5],
                      "line-width": ["interpolate", ["linear"], ["zoom"], 14, 0.6, 18, 2]
                    }
                    """#))
        for (brunnel, prefix) in [(Self.isOnGround, "road"), (#"["==", ["get", "brunnel"], "bridge"]"#, "bridge")] {
            for road in roads {
                layers.append(
                    Layer(
                        id: "\(prefix)-\(road.name)-casing", kind: .line, source: "transportation",
                        zooms: (max(road.least, 9), nil), filter: #"["all", \#(road.filter), \#(brunnel)]"#,
                        layout: prefix == "road" ? round : butt,
                        paint: #"{"line-color": "\#(road.casing)", "line-width": \#(road.width(plus: 1.8))}"#))
            }
            for road in roads {
                layers.append(
                    Layer(
                        id: "\(prefix)-\(road.name)", kind: .line, source: "transportation", zooms: (road.least, nil),
                        filter: #"["all", \#(road.filter), \#(brunnel)]"#, layout: round,
                        paint: #"""
                            {
                              "line-color": ["step", ["zoom"], "\#(road.casing)", 9, "\#(road.color)"],
                              "line-width": \#(road.width(plus: 0))
                            }
                            """#))
            }
        }
        layers += railLayers
        return layers
    }

    private static let isAbove = #"["!=", ["get", "brunnel"], "tunnel"]"#
    private static let isOnGround = #"["match", ["get", "brunnel"], ["tunnel", "bridge"], false, true]"#

    private var railLayers: [Layer] {
        [
            Layer(
                id: "rail", kind: .line, source: "transportation", zooms: (10, nil),
                filter: #"""
                    ["all", ["match", ["get", "class"], ["rail", "transit"], true, false], \#(Self.isAbove),
                      ["!", ["has", "service"]]]
                    """#,
                paint: #"""
                    {
                      "line-color": "\#(theme.rail)",
                      "line-width": ["interpolate", ["linear"], ["zoom"], 10, 0.5, 14, 1, 18, 2.5]
                    }
                    """#),
            Layer(
                id: "rail-ties", kind: .line, source: "transportation", zooms: (15, nil),
                filter: #"["all", ["==", ["get", "class"], "rail"], \#(Self.isAbove)]"#,
                paint: #"""
                    {
                      "line-color": "\#(theme.rail)", "line-dasharray": [0.3, 2.5],
                      "line-width": ["interpolate", ["linear"], ["zoom"], 15, 4, 18, 8]
                    }
                    """#),
            Layer(
                id: "ferry", kind: .line, source: "transportation", zooms: (8, nil),
                filter: #"["==", ["get", "class"], "ferry"]"#,
                paint: #"{"line-color": "\#(theme.ferry)", "line-width": 1, "line-dasharray": [4, 3]}"#),
        ]
    }
}
