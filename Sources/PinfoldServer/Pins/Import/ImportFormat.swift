/// What a file of places can be written in.
enum ImportFormat: String, CaseIterable, Sendable {
    /// RFC 7946: a FeatureCollection, a Feature, or features one a line (RFC 8142).
    case geojson
    /// Google Takeout: saved places and reviews (GeoJSON with properties of Google's), and saved lists (CSV with links).
    case takeout
    /// The check-ins of Foursquare's and Swarm's data export.
    case swarm
    /// Waypoints of GPX 1.0 and 1.1.
    case gpx
    /// Placemarks of KML 2.
    case kml
    /// RFC 4180 with a header row.
    case csv
}
