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
    /// The credit to show, which the data's licences ask for; nil of many addresses at once, whose credit is the same.
    public var attribution: String?
}

/// A place of the gazetteer, or one of the divisions and countries that places lie in.
public struct Place: Decodable, Hashable, Sendable {
    /// A division or country that a place lies in.
    public struct Parent: Decodable, Hashable, Sendable {
        /// `country`, `admin1`, `admin2`, or `place` of the town of an address.
        public var kind: String
        /// GeoNames's, where there is one.
        public var id: String?
        public var name: String
        /// ISO 3166-1 of a country, GeoNames's of a division; else empty.
        public var code: String
    }

    public var id: Identifier<Place>
    /// In the language that was asked for, where a name in it is known, else the main one.
    public var name: String
    /// A readable line.
    public var label: String
    /// Nil, as the longitude, of divisions and countries.
    public var latitude: Double?
    public var longitude: Double?
    public var population: Int?
    /// GeoNames's: `PPLC` is a capital, `ADM1` a first-order division, `PCLI` a country; `address` of an address that the
    /// server's admin has added.
    public var featureCode: String?
    /// Of the IANA time zone database; nil of divisions and countries.
    public var timezone: String?
    /// By language tag (BCP 47). Those of no known language are under their script, such as `und-Latn` and `und-Cyrl`,
    /// and if they mix scripts under `und`; the main name is the first of its script.
    public var names: [String: [String]]
    /// What it lies in, the smallest first.
    public var parents: [Parent]
    /// The credit to show beside the place, which the data's licence asks for.
    public var attribution: String
}
