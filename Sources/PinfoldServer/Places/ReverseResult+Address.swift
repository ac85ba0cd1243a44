extension ReverseResult {
    /// The names with a house and street before them.
    func at(_ address: Address) -> ReverseResult {
        ReverseResult(
            label: ReverseGeocoder.label([address.line(in: countryCode), label]), locality: locality, admin1: admin1,
            admin2: admin2, country: country, countryCode: countryCode, timezone: timezone, placeID: placeID,
            distance: distance)
    }
}
