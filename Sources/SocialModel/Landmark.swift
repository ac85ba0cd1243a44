/// A public place of a dataset that an admin imported.
public enum Landmark {
    public enum Category: String, Codable, CaseIterable, Sendable {
        case museum, monument, worship, park, nature, viewpoint, theatre, stadium, school, library, hospital, airport
        case station, harbour, hotel, shop, food, other
    }
}

/// Landmarks of one source, imported again and again as it changes.
public enum Dataset {}
