import Foundation
import Geo
import PinfoldServer

extension Command {
    static let search = Command(
        name: "search", summary: "Finds places by the beginning of their names, without a server.",
        options: [
            Option(name: "near", value: "LAT,LON", help: "brings up what is near to this point"),
            Option(name: "lang", value: "LANG", help: "the language of names, where the gazetteer has it"),
            Option(name: "limit", value: "N", help: "the most places, 1 to 500 (10)"),
            Option(
                name: "data", value: "DIR", help: "the folder of a server, whose index is used if it is there (./var)"),
            Option(name: "gazetteer", value: "FILE", help: "the bundled gazetteer (data/gazetteer.tsv.zst)"),
        ],
        operands: "TEXT",
        run: { arguments in
            let text = arguments.operands.joined(separator: " ")
            guard text.contains(where: { !$0.isWhitespace }), text.unicodeScalars.count <= 200 else {
                throw UsageError("give a text of 1 to 200 characters")
            }
            guard let limit = Int(arguments["limit"] ?? "10"), (1...500).contains(limit) else {
                throw UsageError("--limit must be 1 to 500")
            }
            var near: Coordinate?
            if let point = arguments["near"] {
                do throws(CoordinateTextError) {
                    near = try Coordinate(parsing: point)
                } catch { throw UsageError("--near \(error.reason)") }
            }
            guard let bundle = arguments["gazetteer"] ?? GazetteerBundle.find() else {
                throw CommandFailure(
                    "the gazetteer data/gazetteer.tsv.zst is not found; name it with --gazetteer FILE")
            }
            let search = try PlaceSearch(database: (arguments["data"] ?? "./var") + "/places.db", bundle: bundle)
            for item in search.items(text, near: near, limit: limit, in: try language(arguments)) {
                print(String(decoding: item, as: UTF8.self))
            }
        })
}
