import Geo
import HTTP

/// A street or address as a search shows it.
struct StreetSearchItem: JSONWritable {
    private let result: StreetSearch.Result
    private let name: String
    private let label: String
    private let countryCode: String?
    private let point: Coordinate?

    /// - Parameters:
    ///   - geocoder: tells what it lies in.
    ///   - names: the language of names, where they are known in it.
    init(
        _ result: StreetSearch.Result, _ geocoder: ReverseGeocoder, near point: Coordinate?, in names: LanguageNames?
    ) {
        let around = geocoder.reverse(result.coordinate, in: names)
        self.result = result
        self.point = point
        countryCode = around.countryCode
        name = Address.line(result.number, result.street.name, in: around.countryCode)
        label = ReverseGeocoder.label([
            name, result.street.locality ?? around.locality, around.admin1, around.country,
        ])
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("kind")
            json.string("place")
            json.key("id")
            json.decimalString(result.id)
            json.key("name")
            json.string(name)
            json.key("label")
            json.string(label)
            json.position(result.coordinate, from: point, result.match)
            json.key("population")
            json.null()
            json.key("featureCode")
            json.string(result.number.isEmpty ? Street.featureCode : Place.addressCode)
            json.key("countryCode")
            json.optionalString(countryCode)
        }
    }
}
