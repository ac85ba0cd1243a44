import FeatureFiles
import HTTP
import SocialModel

/// What an import is asked to do, read from text fields: of a query, a form, or a command line.
extension ImportRequest {
    /// - Parameter fields: each name once.
    /// - Throws: `HTTPError` 400 with every field at fault, unknown ones too.
    package init(fields: [(name: String, value: String)], fileName: String) throws {
        var reader = Reader(fields)
        let name = reader.take("dataset") ?? ""
        self.init(dataset: name, fileName: String(fileName.unicodeScalars.prefix(200)))
        if name.isEmpty {
            reader.fault("dataset", "is required")
        } else if !DatasetHead.isName(name) {
            reader.fault("dataset", DatasetHead.nameRule)
        }
        if let given = reader.take("fileName") { self.fileName = String(given.unicodeScalars.prefix(200)) }
        if let text = reader.text("format", 20) {
            if FeatureFormat(rawValue: text) == nil {
                reader.fault(
                    "format", "must be one of \(FeatureFormat.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            format = text
        }
        referenceSystem = reader.text("crs", 10_000)
        key = reader.text("key", 200)
        layer = reader.text("layer", 200)
        mapping = reader.object("mapping") ?? [:]
        categories = reader.object("categories") ?? [:]
        for (source, category) in categories where Landmark.Category(rawValue: category) == nil {
            reader.fault("categories", "has no landmark category \(category.prefix(40)) for \(source.prefix(40))")
        }
        if let text = reader.take("mode") {
            if let mode = Mode(rawValue: text) {
                self.mode = mode
            } else {
                reader.fault("mode", "must be replace or merge")
            }
        }
        isStrict = reader.flag("strict")
        isForced = reader.flag("force")
        isDryRun = reader.flag("dryRun")
        if let text = reader.take("maxRemoved") {
            let number = Double(decimal: text.hasSuffix("%") ? String(text.dropLast()) : text)
            if let number, (0...100).contains(number) {
                mostRemoved = number / 100
            } else {
                reader.fault("maxRemoved", "must be a percentage from 0 to 100")
            }
        }
        title = reader.text("title", 200).flatMap(LandmarkText.cleaned).map(LandmarkText.oneLine)
        licence = reader.text("licence", 200).flatMap(LandmarkText.cleaned).map(LandmarkText.oneLine)
        attribution = reader.text("attribution", 500).flatMap(LandmarkText.cleaned).map(LandmarkText.oneLine)
        description = reader.text("description", 2000).flatMap(LandmarkText.cleaned)
        sourceURL = reader.text("sourceURL", 2000)
        if let url = sourceURL, LandmarkText.webAddress(url) == nil {
            reader.fault("sourceURL", LandmarkText.addressRule)
        }
        try reader.finish()
    }

    private struct Reader {
        private var fields: [String: String] = [:]
        private var faults: [HTTPError.FieldFault] = []

        init(_ fields: [(name: String, value: String)]) {
            for (name, value) in fields where self.fields.updateValue(value, forKey: name) != nil {
                fault(name, "is given more than once")
            }
        }

        mutating func take(_ name: String) -> String? { fields.removeValue(forKey: name) }

        mutating func fault(_ name: String, _ message: String) {
            faults.append(HTTPError.FieldFault(name, message))
        }

        /// An empty one counts as none: a form sends all its fields.
        mutating func text(_ name: String, _ limit: Int) -> String? {
            guard let text = take(name), !text.isEmpty else { return nil }
            if text.unicodeScalars.count > limit { fault(name, "must be at most \(limit) characters") }
            if text.unicodeScalars.contains("\0") { fault(name, "must not contain NUL") }
            return text
        }

        mutating func flag(_ name: String) -> Bool {
            guard let text = take(name) else { return false }
            if text != "true", text != "false" { fault(name, "must be true or false") }
            return text == "true"
        }

        /// A JSON object of texts, or `name=value` pairs between commas.
        mutating func object(_ name: String) -> [String: String]? {
            guard let text = text(name, 50_000) else { return nil }
            if case .object(let members)? = try? JSONValue(parsing: Array(text.utf8)) {
                var object: [String: String] = [:]
                for member in members {
                    guard case .string(let value) = member.value else {
                        fault(name, "must have texts as values")
                        return nil
                    }
                    object[member.name] = value
                }
                return object
            }
            var object: [String: String] = [:]
            for pair in text.split(separator: ",") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else {
                    fault(name, "must be a JSON object of texts, or name=value pairs between commas")
                    return nil
                }
                object[String(parts[0])] = String(parts[1])
            }
            return object
        }

        mutating func finish() throws {
            for name in fields.keys.sorted() {
                fault(String(name.unicodeScalars.prefix(80)), "is not a known parameter")
            }
            guard faults.isEmpty else { throw HTTPError.badRequest(Array(faults.prefix(50))) }
        }
    }
}
