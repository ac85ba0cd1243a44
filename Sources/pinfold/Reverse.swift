import Foundation
import Geo
import HTTP
import PinfoldServer

extension Command {
    static let reverse = Command(
        name: "reverse", summary: "Names positions from the bundled gazetteer and borders, without a server.",
        options: [
            Option(
                name: "csv", value: "FILE",
                help: "adds the names to each row of a CSV file with columns lat and lon; - reads standard input"),
            Option(name: "lang", value: "LANG", help: "the language of names, where the gazetteer has it"),
            Option(name: "gazetteer", value: "FILE", help: "the bundled gazetteer (data/gazetteer.tsv.zst)"),
        ],
        operands: "[LAT LON]",
        run: { arguments in
            if let file = arguments["csv"] {
                guard arguments.operands.isEmpty else { throw UsageError("give a position or --csv, not both") }
                try reverseCSV(file, try geocoder(arguments), try language(arguments))
                return
            }
            guard arguments.operands.count == 2, let latitude = Double(decimal: arguments.operands[0]),
                let longitude = Double(decimal: arguments.operands[1])
            else { throw UsageError("give a latitude and a longitude in degrees, or --csv FILE") }
            guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
                throw UsageError("the latitude must be -90 to 90 and the longitude -180 to 180")
            }
            var json = JSONWriter()
            try geocoder(arguments).reverse(coordinate, in: language(arguments)).write(to: &json)
            print(String(decoding: json.bytes, as: UTF8.self))
        })

    /// The names in the language that is asked for.
    static func language(_ arguments: Arguments) throws -> LanguageNames? {
        guard let text = arguments["lang"] else { return nil }
        guard let tag = LanguageTag(text) else { throw UsageError("--lang must be a language tag such as en or pt-BR") }
        guard let bundle = arguments["gazetteer"] ?? GazetteerBundle.find() else { return nil }
        return try LocalizedNames(bundle: bundle).names(in: tag)
    }

    private static func geocoder(_ arguments: Arguments) throws -> ReverseGeocoder {
        guard let bundle = arguments["gazetteer"] ?? GazetteerBundle.find() else {
            throw CommandFailure("the gazetteer data/gazetteer.tsv.zst is not found; name it with --gazetteer FILE")
        }
        return try ReverseGeocoder(bundle: bundle)
    }

    /// Reads `file` and writes its rows with the names to standard output.
    private static func reverseCSV(
        _ file: String, _ geocoder: ReverseGeocoder, _ language: LanguageNames?
    ) throws {
        // Opened before anything is written: a file that cannot be read leaves no half of an answer.
        let input = file == "-" ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw CommandFailure("\(file) cannot be read: \(systemError())") }
        defer { if input != STDIN_FILENO { close(input) } }
        var table = ReverseCSV(geocoder, in: language)
        let isTerminal = isatty(STDERR_FILENO) == 1
        var shown = Clock.monotonic()
        do {
            try table.run(
                read: { try read(input, atMost: $0, from: file) }, write: writeAll,
                report: { line in complain((isTerminal ? "\r\u{1B}[K" : "") + "pinfold reverse: \(line)") },
                progress: { rows in
                    guard Clock.monotonic() - shown >= (isTerminal ? 0.2 : 5) else { return }
                    shown = Clock.monotonic()
                    let text = "pinfold reverse: \(rows) rows"
                    FileHandle.standardError.write(Data((isTerminal ? "\r\(text)" : text + "\n").utf8))
                })
        } catch let failure as ReverseCSV.Failure {
            throw CommandFailure("\(file): \(failure)")
        }
        let bad = table.badRows > 0 ? ", \(table.badRows) without a position" : ""
        complain((isTerminal ? "\r\u{1B}[K" : "") + "pinfold reverse: \(table.rows) rows\(bad)")
    }

    private static func read(_ descriptor: Int32, atMost count: Int, from file: String) throws -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            var got: Int
            repeat { got = Glibc.read(descriptor, buffer.baseAddress, count) } while got < 0 && errno == EINTR
            failure = got < 0 ? errno : 0
            length = max(0, got)
        }
        guard failure == 0 else { throw CommandFailure("\(file) cannot be read: \(systemError(failure))") }
        return bytes
    }

    private static func writeAll(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                write(STDOUT_FILENO, $0.baseAddress.map { $0 + sent }, $0.count - sent)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw CommandFailure("the output cannot be written: \(systemError())") }
            sent += count
        }
    }

    private static func systemError(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
}
