/// Reads the records of one format, or of formats that are much the same.
protocol FeatureReader {
    /// Looks at the head of the file: sets what is known of `file` before its records are read, `columns` above all.
    ///
    /// - Throws: `FeatureFileFault`.
    init(opening file: FeatureFile) throws

    /// Hands each record to `take`, in the order of the file, and keeps `file.bytesRead` up to date. It is called once.
    ///
    /// - Throws: `FeatureFileFault`, or what `take` throws.
    func read(into file: FeatureFile, _ take: (FeatureFile.Item) throws -> Void) throws
}

extension FeatureFormat {
    /// The type that reads it.
    ///
    func reader() -> any FeatureReader.Type {
        switch self {
        case .geojson, .geojsonseq: GeoJSONReader.self
        case .csv: DelimitedReader.self
        case .kml: KMLReader.self
        case .kmz: KMZReader.self
        case .gpx: GPXReader.self
        case .shapefile: ShapefileReader.self
        case .geopackage: GeoPackageReader.self
        case .osm: OSMReader.self
        case .pbf: PBFReader.self
        }
    }
}
