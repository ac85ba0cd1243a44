import Foundation
import Geo
import HTTP
import PinfoldServer

extension Command {
    static let reverse = Command(
        name: "reverse", summary: "Names a position from the bundled gazetteer, without a server.",
        options: [
            Option(name: "lang", value: "LANG", help: "the language of names, where the gazetteer has it"),
            Option(name: "gazetteer", value: "FILE", help: "the bundled gazetteer (data/gazetteer.tsv.zst)"),
        ],
        operands: "LAT LON",
        run: { arguments in
            guard arguments.operands.count == 2, let latitude = Double(decimal: arguments.operands[0]),
                let longitude = Double(decimal: arguments.operands[1])
            else { throw UsageError("give a latitude and a longitude in degrees") }
            guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
                throw UsageError("the latitude must be -90 to 90 and the longitude -180 to 180")
            }
            guard let bundle = arguments["gazetteer"] ?? GazetteerBundle.find() else {
                throw CommandFailure(
                    "the gazetteer data/gazetteer.tsv.zst is not found; name it with --gazetteer FILE")
            }
            var json = JSONWriter()
            ReverseResult.write(try ReverseGeocoder(bundle: bundle).reverse(coordinate), to: &json)
            print(String(decoding: json.bytes, as: UTF8.self))
        })
}
