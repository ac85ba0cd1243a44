import SocialModel

/// The names of a position; all are nil where no place is near.
public struct Address: Decodable, Hashable, Sendable {
    /// A readable line.
    public var label: String?
    /// The nearest place.
    public var locality: String?
    /// Its first-order division.
    public var admin1: String?
    /// Its second-order division.
    public var admin2: String?
    public var country: String?
    /// ISO 3166-1 alpha-2.
    public var countryCode: String?
    /// Of the IANA time zone database.
    public var timezone: String?
    /// The nearest place's id.
    public var place: Identifier<Place>?
    /// Metres to its centre.
    public var distance: Double?
}

/// A place of the gazetteer.
public struct Place: Decodable, Hashable, Sendable {
    /// A division or country that a place lies in.
    public struct Parent: Decodable, Hashable, Sendable {
        /// `country`, `admin1` or `admin2`.
        public var kind: String
        /// GeoNames's, where there is one.
        public var id: String?
        public var name: String
        /// ISO 3166-1 of a country, GeoNames's of a division.
        public var code: String
    }

    public var id: Identifier<Place>
    public var name: String
    /// A readable line.
    public var label: String
    public var latitude: Double
    public var longitude: Double
    public var population: Int?
    /// GeoNames's: `PPLC` is a capital.
    public var featureCode: String?
    /// Of the IANA time zone database.
    public var timezone: String
    /// By language tag; `und` holds those of no known language, the main one first.
    public var names: [String: [String]]
    /// What it lies in, the smallest first.
    public var parents: [Parent]
}
