/// The formats that are read.
package enum FeatureFormat: String, CaseIterable, Sendable {
    /// RFC 7946, one collection.
    case geojson
    /// GeoJSON features one a line, or as a text sequence (RFC 8142).
    case geojsonseq
    /// RFC 4180 and its relatives with other delimiters.
    case csv
    /// OGC 12-007r2.
    case kml
    /// The same, in a ZIP archive.
    case kmz
    /// GPX 1.0 and 1.1: waypoints.
    case gpx
    /// Esri's shapefile, in a ZIP archive.
    case shapefile
    /// OGC 12-128r19.
    case geopackage
    /// OpenStreetMap's XML: nodes with tags.
    case osm
    /// The same in OpenStreetMap's binary form.
    case pbf

    /// Whether each record names its values, so that columns come while the file is read.
    package var columnsMayGrow: Bool { self != .csv && self != .shapefile && self != .geopackage }

    /// Whether its records can be anywhere in the file, which then cannot be read from beginning to end as it is unpacked.
    var needsWholeFile: Bool { self == .kmz || self == .shapefile || self == .geopackage }
}
