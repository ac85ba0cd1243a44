/// The colours of the map: quiet ones, so that pins stand out.
enum BasemapTheme: String, CaseIterable, Sendable {
    case light, dark

    private func color(_ light: String, _ dark: String) -> String { self == .light ? light : dark }

    // MARK: Ground

    var land: String { color("#f3f5f1", "#171d1a") }
    var water: String { color("#c3d7dc", "#0b1215") }
    /// Narrow, and wide.
    var waterway: String { color("#b4ccd3", "#2c4049") }
    var wideWaterway: String { color("#c3d7dc", "#22343c") }
    var ice: String { color("#fbfcfc", "#1e2523") }
    var wood: String { color("#e0eadd", "#162119") }
    var grass: String { color("#e8efe3", "#18211b") }
    var park: String { color("#dcead8", "#15241b") }
    var sand: String { color("#f3efe2", "#1e1f1a") }
    var farmland: String { color("#f1f3eb", "#181e1a") }
    var built: String { color("#ebedea", "#1b211f") }
    var works: String { color("#e7e9ea", "#1c2123") }
    var civic: String { color("#efece6", "#20211e") }
    var building: String { color("#e1e4e1", "#222926") }
    var buildingEdge: String { color("#d3d8d4", "#2a322e") }

    // MARK: Ways

    var road: String { color("#ffffff", "#29312e") }
    var roadCasing: String { color("#d5dbd7", "#121715") }
    var mainRoad: String { color("#ffffff", "#323b37") }
    var mainRoadCasing: String { color("#c9d1cc", "#0f1412") }
    var motorway: String { color("#fbf4e2", "#413f36") }
    var motorwayCasing: String { color("#d6c9a8", "#12130f") }
    var path: String { color("#cfd6d1", "#2c3531") }
    var rail: String { color("#c3cac6", "#36403b") }
    var runway: String { color("#dfe4e3", "#262d2c") }
    var ferry: String { color("#9fbac3", "#24343b") }

    // MARK: Borders

    var border: String { color("#93a29a", "#55635c") }
    var borderGlow: String { color("#ffffff", "#0e1311") }
    var innerBorder: String { color("#bcc7c1", "#38423d") }

    // MARK: Words

    var country: String { color("#44524b", "#a9b6af") }
    var state: String { color("#84928b", "#6d7a73") }
    var city: String { color("#26332d", "#c9d3ce") }
    var town: String { color("#4a5851", "#a1aea7") }
    var suburb: String { color("#7b8982", "#7c8982") }
    var street: String { color("#69766f", "#85928b") }
    var waterName: String { color("#5f8794", "#4d6c78") }
    var parkName: String { color("#5c8365", "#5b8468") }
    var halo: String { color("#f8faf7", "#121815") }
    var waterHalo: String { color("#cfdfe3", "#0b1215") }
}
