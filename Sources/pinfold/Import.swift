import Foundation
import HTTP
import PinfoldServer
import Storage

extension Command {
    static let importFile = Command(
        name: "import", summary: "Brings a dataset of landmarks to what a file says.",
        options: [
            Option(name: "dataset", value: "NAME", help: "small letters, digits, - . _; made if it is not there"),
            Option(name: "data", value: "DIR", help: "the server's data folder (./var)"),
            Option(name: "format", value: "FORMAT", help: "if the content is not to tell it: geojson, csv, kml, …"),
            Option(name: "crs", value: "EPSG:N", help: "the reference system, if the file's own is missing or wrong"),
            Option(
                name: "map", value: "FIELD=COLUMN", help: "the column of a field, if its name is not known",
                isRepeatable: true),
            Option(name: "key", value: "COLUMN", help: "what a row is known by (its id, else name and position)"),
            Option(name: "layer", value: "NAME", help: "the table or layer, where the file has several"),
            Option(
                name: "category", value: "SOURCE=CATEGORY", help: "the category of what the source calls so",
                isRepeatable: true),
            Option(name: "mode", value: "replace|merge", help: "whether what the file lacks is removed (replace)"),
            Option(name: "max-removed", value: "PERCENT", help: "of the dataset that may be removed (20)"),
            Option(name: "force", value: nil, help: "any number may be removed, and positions at 0, 0 are meant"),
            Option(name: "strict", value: nil, help: "a row that cannot be used fails the import"),
            Option(name: "dry-run", value: nil, help: "only says what would be done"),
            Option(name: "title", value: "TEXT", help: "of the dataset"),
            Option(name: "licence", value: "TEXT", help: "of the dataset"),
            Option(name: "attribution", value: "TEXT", help: "shown wherever its landmarks are"),
            Option(name: "source-url", value: "URL", help: "where the dataset comes from"),
        ],
        operands: "FILE",
        run: { arguments in
            guard arguments.operands.count == 1 else { throw UsageError("give one FILE") }
            let path = URL(fileURLWithPath: arguments.operands[0]).path
            let request = try importRequest(arguments, path)
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard access(path, R_OK) == 0, let bytes = attributes?[.size] as? Int,
                attributes?[.type] as? FileAttributeType == .typeRegular
            else { throw CommandFailure("\(arguments.operands[0]) is no file that can be read") }
            try startCrypto()
            let folder = try DataFolder(arguments["data"] ?? "./var")
            let report = try runImport(request, path, Int64(bytes), folder)
            report.show()
            if let failure = report.failure { throw CommandFailure(failure) }
        })

    private static func importRequest(_ arguments: Arguments, _ path: String) throws -> ImportRequest {
        guard arguments.has("dataset") else { throw UsageError("--dataset NAME is needed") }
        var fields: [(name: String, value: String)] = []
        for (option, field) in [
            ("dataset", "dataset"), ("format", "format"), ("crs", "crs"), ("key", "key"), ("layer", "layer"),
            ("mode", "mode"), ("max-removed", "maxRemoved"), ("title", "title"), ("licence", "licence"),
            ("attribution", "attribution"), ("source-url", "sourceURL"),
        ] {
            if let value = arguments[option] { fields.append((field, value)) }
        }
        for (option, field) in [("force", "force"), ("strict", "strict"), ("dry-run", "dryRun")]
        where arguments.has(option) {
            fields.append((field, "true"))
        }
        for (option, field) in [("map", "mapping"), ("category", "categories")] where arguments.has(option) {
            var json = JSONWriter()
            try json.object { json in
                for pair in arguments.all(option) {
                    let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
                    guard parts.count == 2 else { throw UsageError("--\(option) must be given as A=B") }
                    json.key(escaping: parts[0])
                    json.string(parts[1])
                }
            }
            fields.append((field, String(decoding: json.bytes, as: UTF8.self)))
        }
        do {
            return try ImportRequest(fields: fields, fileName: URL(fileURLWithPath: path).lastPathComponent)
        } catch let error as HTTPError {
            // As they are called here.
            let names = [
                "mapping": "map", "categories": "category", "maxRemoved": "max-removed", "sourceURL": "source-url",
            ]
            throw UsageError(
                error.faults.map { "--\(names[$0.field] ?? $0.field) \($0.message)" }.joined(separator: "; "))
        }
    }

    /// By the server that has the database, or here.
    private static func runImport(
        _ request: ImportRequest, _ path: String, _ bytes: Int64, _ folder: DataFolder
    ) throws -> ImportOutcome {
        let bar = RowBar("Importing \(request.fileName)")
        defer { bar.end() }
        do {
            let ask = { try AdminSocket.ask($0, folder: folder.path) }
            if let id = try ask(.importFile(path: path, request: request.text))?.first {
                while let text = try ask(.importJob(id: id))?.first {
                    guard let outcome = ImportOutcome(json: text) else { break }
                    bar.show(rows: outcome.read, part: outcome.part)
                    if outcome.hasEnded { return outcome }
                    Thread.sleep(forTimeInterval: 0.25)
                }
                throw CommandFailure("the server has ended; it goes on with import \(id) when it starts again")
            }
        } catch let refusal as AdminCommand.Refusal { throw CommandFailure(refusal.description) }

        let database = try folder.openDatabase(isSmall: true)
        defer { database.close() }
        let log = Log(descriptor: nil, clock: systemClock)
        let names = LandmarkNames(database, folder: folder.landmarks, areSearched: false, log: log)
        defer { names.close() }
        let worker = ImportWorker(
            database, folder: folder.imports, names: names, categories: try folder.categories(), log: log)
        try worker.runAll()
        guard let job = try worker.run(request, path: path, bytes: bytes, watch: { bar.show(rows: $0, part: $1) }),
            let outcome = ImportOutcome(json: job.json)
        else { throw CommandFailure("the import is not to be found any more") }
        bar.show(rows: outcome.read, part: 1)
        return outcome
    }
}

/// What an import's job says, read from its JSON.
private struct ImportOutcome {
    private let members: [JSONValue.Member]

    init?(json: String) {
        guard case .object(let members)? = try? JSONValue(parsing: Array(json.utf8)) else { return nil }
        self.members = members
    }

    private subscript(_ name: String) -> JSONValue? { Self.member(name, of: members) }

    private static func member(_ name: String, of members: [JSONValue.Member]) -> JSONValue? {
        members.first { $0.name == name }?.value
    }

    private static func text(_ value: JSONValue?) -> String? {
        if case .string(let text)? = value { text } else { nil }
    }

    private static func count(_ value: JSONValue?) -> Int {
        if case .number(let number)? = value { Int(number) } else { 0 }
    }

    private var progress: [JSONValue.Member] {
        if case .object(let members)? = self["progress"] { members } else { [] }
    }

    var read: Int { Self.count(Self.member("read", of: progress)) }

    var part: Double { if case .number(let part)? = Self.member("part", of: progress) { part } else { 0 } }

    private var state: String { Self.text(self["state"]) ?? "" }

    var hasEnded: Bool { state != "queued" && state != "running" }

    /// A line, for an import that did not succeed.
    var failure: String? {
        guard state != "succeeded" else { return nil }
        guard case .object(let problem)? = self["problem"], let detail = Self.text(Self.member("detail", of: problem))
        else { return "the import was cancelled" }
        return detail
    }

    /// The report: warnings and rows to standard error, the counts to standard output.
    func show() {
        if case .array(let warnings)? = self["warnings"] {
            for warning in warnings { complain("warning: \(Self.text(warning) ?? "")") }
        }
        let rejected = Self.count(self["rejected"])
        if case .array(let errors)? = self["errors"] {
            for case .object(let error) in errors {
                func text(_ name: String) -> String { Self.text(Self.member(name, of: error)) ?? "" }
                complain("row \(Self.count(Self.member("row", of: error))): \(text("field")) \(text("message"))")
            }
            if rejected > errors.count { complain("… and \(rejected - errors.count) more") }
        }
        guard state == "succeeded" else { return }
        let counts = ["inserted", "updated", "unchanged", "removed", "rejected"].map { name in
            "\(Self.count(self[name])) \(name)"
        }
        let isTrial = self["dryRun"] == .bool(true)
        print(
            "\(Self.text(self["dataset"]) ?? ""): \(read) rows read, " + counts.joined(separator: ", ")
                + (isTrial ? " (a dry run: nothing was changed)" : ""))
    }
}

/// How far an import has come: rows, rate and time left on one line of standard error that is rewritten; if that is no
/// terminal, a line every ten seconds.
private final class RowBar {
    private let title: String
    private let isTerminal = isatty(STDERR_FILENO) != 0
    private let start = Clock.monotonic()
    private var shown = 0.0
    private var isOpen = false

    init(_ title: String) {
        self.title = title
    }

    /// - Parameter part: of the file, 0 to 1.
    func show(rows: Int, part: Double) {
        let now = Clock.monotonic()
        let seconds = max(now - start, 0.001)
        guard now - shown >= (isTerminal ? 0.2 : 10), isTerminal || seconds > 10 else { return }
        shown = now
        let rate = Int(Double(rows) / seconds)
        let left = part > 0.01 && part < 1 ? ", \(Int((seconds / part * (1 - part)).rounded(.up))) s left" : ""
        let text = "\(title): \(rows) rows, \(rate)/s\(left)"
        if isTerminal {
            let filled = Int(min(1, max(0, part)) * 20)
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
            FileHandle.standardError.write(Data("\r\u{1B}[K\(bar) \(text)".utf8))
            isOpen = true
        } else {
            complain(text)
        }
    }

    func end() {
        if isOpen { FileHandle.standardError.write(Data("\n".utf8)) }
        isOpen = false
    }
}
