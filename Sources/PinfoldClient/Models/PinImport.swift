import SocialModel

/// How a file of places is imported.
public struct ImportOptions: Hashable, Sendable {
    /// If the content is not to tell it: `geojson`, `takeout`, `swarm`, `gpx`, `kml`, `csv`.
    public var format: String?
    /// Only say what the import would do.
    public var isDryRun: Bool
    /// Of new pins whose row has none.
    public var category: Pin.Category?
    /// Who sees new pins whose row does not say it; private if left out.
    public var audience: Pin.Audience?

    /// As the server has it, but for what is given.
    public init(
        format: String? = nil, isDryRun: Bool = false, category: Pin.Category? = nil, audience: Pin.Audience? = nil
    ) {
        self.format = format
        self.isDryRun = isDryRun
        self.category = category
        self.audience = audience
    }
}

/// What became of each place of a file. Rows count from 1; in CSV the header is row 1.
public struct ImportReport: Decodable, Hashable, Sendable {
    /// A row that cannot be a pin, and why.
    public struct Rejection: Decodable, Hashable, Sendable {
        public var row: Int
        public var field: String
        public var message: String
    }

    /// A place without a position, and why.
    public struct NotPlaced: Decodable, Hashable, Sendable {
        public var row: Int
        public var name: String
        public var reason: String
    }

    /// A text that was cut.
    public struct Shortened: Decodable, Hashable, Sendable {
        public var row: Int
        public var field: String
    }

    /// What the content was taken for.
    public var format: String
    /// New pins.
    public var created: Int
    /// Pins that were there and have changed.
    public var updated: Int
    /// Pins that were there as the file has them.
    public var unchanged: Int
    /// Rows that cannot be pins.
    public var rejected: [Rejection]
    /// Places of which the file does not say where they are.
    public var notPlaced: [NotPlaced]
    /// Texts that were cut.
    public var shortened: [Shortened]
}

/// A file format of one's own pins.
public enum PinFileFormat: String, Hashable, Sendable, CaseIterable {
    case geojson, gpx, kml, csv
}
