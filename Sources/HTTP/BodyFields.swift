/// The members of a JSON body, read one by one; every fault is kept, so that a client learns of all at once.
///
/// ```swift
/// var body = try BodyFields(request)
/// let name = body.required("name", .text(1...200))
/// try body.finish()      // throws with all faults, unknown members among them
/// ```
/// A value is nil only where `finish` throws or where the field may be left out.
package struct BodyFields {
    private var members: [JSONValue.Member]
    private var read: Set<String> = []
    private var faults: [HTTPError.FieldFault] = []
    private static let reportedFaults = 50

    /// - Throws: `HTTPError` 415 for another media type than JSON, 400 for what is not one JSON object.
    package init(_ request: Request) throws {
        try Self.requireJSON(request)
        let value: JSONValue
        do {
            value = try JSONValue(parsing: request.body)
        } catch let fault as JSONValue.Fault {
            throw HTTPError.malformed("the body \(fault.message) (at byte \(fault.offset))")
        }
        guard case .object(let members) = value else { throw HTTPError.malformed("the body must be a JSON object") }
        self.members = members
    }

    /// The members of an object within a body that is read piece by piece.
    package init(_ members: [JSONValue.Member]) {
        self.members = members
    }

    /// - Throws: `HTTPError` 415 for another media type than JSON.
    package static func requireJSON(_ request: Request) throws {
        let mediaType = request.header("Content-Type").map { $0.prefix { $0 != ";" }.trimmingSpaces } ?? ""
        let isJSON =
            mediaType.equalsIgnoringASCIICase("application/json")
            || mediaType.equalsIgnoringASCIICase("application/merge-patch+json")
        guard isJSON else { throw HTTPError.unsupportedMediaType("application/json") }
    }

    /// A field that must be there and not null.
    package mutating func required<Value>(_ name: String, _ reader: FieldReader<JSONValue, Value>) -> Value? {
        guard let json = take(name), json != .null else {
            fault(name, "is required")
            return nil
        }
        return value(name, json, reader)
    }

    /// A field that may be left out, but is not null.
    package mutating func optional<Value>(_ name: String, _ reader: FieldReader<JSONValue, Value>) -> Value? {
        guard let json = take(name) else { return nil }
        return value(name, json, reader)
    }

    /// A field that may be left out or null, which mean the same.
    package mutating func nullable<Value>(_ name: String, _ reader: FieldReader<JSONValue, Value>) -> Value? {
        guard let json = take(name), json != .null else { return nil }
        return value(name, json, reader)
    }

    /// A field of a merge patch that null removes.
    package mutating func change<Value>(_ name: String, _ reader: FieldReader<JSONValue, Value>) -> Change<Value> {
        guard let json = take(name) else { return .absent }
        guard json != .null else { return .null }
        return value(name, json, reader).map(Change.set) ?? .absent
    }

    /// A read-only field of a merge patch: sent back unchanged it is ignored, changed it is a fault.
    package mutating func unchanged(_ name: String, _ current: JSONValue) {
        guard let json = take(name), json != current else { return }
        fault(name, "cannot be changed")
    }

    /// A read-only field that has nothing to be compared with.
    package mutating func ignore(_ name: String) {
        _ = take(name)
    }

    /// Takes note of a fault that no reader sees, such as two fields that do not go together.
    package mutating func fault(_ name: String, _ message: String) {
        faults.append(HTTPError.FieldFault(name, message))
    }

    /// - Throws: `HTTPError` 400 with every fault so far and each member that nobody asked for.
    package mutating func finish() throws {
        for member in members where !read.contains(member.name) {
            fault(shortened(member.name), "is not a known field")
        }
        guard faults.isEmpty else { throw HTTPError.badRequest(Array(faults.prefix(Self.reportedFaults))) }
    }

    private mutating func take(_ name: String) -> JSONValue? {
        read.insert(name)
        return members.first { $0.name == name }?.value
    }

    private mutating func value<Value>(
        _ name: String, _ json: JSONValue, _ reader: FieldReader<JSONValue, Value>
    ) -> Value? {
        switch reader.read(json) {
        case .success(let value): return value
        case .failure(let problem):
            fault(name, problem.message)
            return nil
        }
    }
}

/// A client's own name for a field, short enough to be sent back.
func shortened(_ name: String) -> String { String(name.unicodeScalars.prefix(80)) }

extension Substring {
    var trimmingSpaces: String {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
