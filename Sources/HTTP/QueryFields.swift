/// The parameters of a query, read one by one; every fault is kept, and an unknown name is a fault: a typo must not
/// widen an answer.
///
/// Names and values are decoded as `application/x-www-form-urlencoded` (URL Standard, 5.1), strictly: a bad escape or
/// invalid UTF-8 is 400.
package struct QueryFields {
    private var items: [(name: String, value: String)] = []
    /// What was asked for.
    private var read: [String] = []
    private var faults: [HTTPError.FieldFault] = []
    private static let reportedFaults = 50

    /// - Throws: `HTTPError` 400 for a query that cannot be decoded or has more than 1,000 parameters.
    package init(_ request: Request) throws {
        guard let text = request.queryText, !text.isEmpty else { return }
        let pairs = text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true)
        guard pairs.count <= 1000 else { throw HTTPError.malformed("the query has too many parameters") }
        for pair in pairs {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(parts[0], plusIsSpace: true) else {
                throw HTTPError.malformed("the query has a name that is not percent-encoded UTF-8")
            }
            guard let value = PercentEncoding.decode(parts.count > 1 ? parts[1] : parts[0].prefix(0), plusIsSpace: true)
            else { throw HTTPError.badRequest(shortened(name), "is not percent-encoded UTF-8") }
            guard name.isStreamSafe, value.isStreamSafe else {
                throw HTTPError.badRequest(
                    shortened(name), "has more than \(String.streamSafeMarks) combining marks in a row")
            }
            items.append((name, value))
        }
    }

    /// A parameter that is given at most once.
    package mutating func optional<Value>(_ name: String, _ reader: FieldReader<String, Value>) -> Value? {
        let given = take(name)
        guard let first = given.first else { return nil }
        guard given.count == 1 else {
            fault(name, "is given \(given.count) times")
            return nil
        }
        return value(name, first, reader)
    }

    /// A parameter that is given exactly once.
    package mutating func required<Value>(_ name: String, _ reader: FieldReader<String, Value>) -> Value? {
        if !items.contains(where: { $0.name == name }) { fault(name, "is required") }
        return optional(name, reader)
    }

    /// A parameter that may be given up to `limit` times.
    package mutating func repeated<Value>(
        _ name: String, limit: Int, _ reader: FieldReader<String, Value>
    ) -> [Value] {
        let given = take(name)
        guard given.count <= limit else {
            fault(name, "is given more than \(limit) times")
            return []
        }
        return given.compactMap { value(name, $0, reader) }
    }

    /// All parameters, in order, for a reader of one's own; `finish` has nothing to say of them any more.
    package mutating func takeAll() -> [(name: String, value: String)] {
        defer { items = [] }
        return items
    }

    /// Whether a parameter is given at all.
    package func has(_ name: String) -> Bool { items.contains { $0.name == name } }

    /// Takes note of a fault that no reader sees, such as two parameters that do not go together.
    package mutating func fault(_ name: String, _ message: String) {
        faults.append(HTTPError.FieldFault(name, message))
    }

    /// - Throws: `HTTPError` 400 with every fault so far and each parameter that nobody asked for.
    package mutating func finish() throws {
        var told: Set<String> = []
        for item in items where !read.contains(item.name) && told.insert(item.name).inserted {
            fault(shortened(item.name), "is not a known parameter")
        }
        guard faults.isEmpty else { throw HTTPError.badRequest(Array(faults.prefix(Self.reportedFaults))) }
    }

    private mutating func take(_ name: String) -> [String] {
        read.append(name)
        return items.lazy.filter { $0.name == name }.map(\.value)
    }

    private mutating func value<Value>(
        _ name: String, _ text: String, _ reader: FieldReader<String, Value>
    ) -> Value? {
        switch reader.read(text) {
        case .success(let value): return value
        case .failure(let problem):
            if !faults.contains(where: { $0.field == name }) { fault(name, problem.message) }
            return nil
        }
    }
}

extension FieldReader where Source == String, Value == String {
    /// Text of `length` Unicode scalars without NUL; unless `blank` is allowed, something in it must be visible.
    package static func text(_ length: ClosedRange<Int>, blank: Bool = false) -> Self {
        FieldReader { text in
            textProblem(text, length, blank: blank).map(Result.failure) ?? .success(text)
        }
    }
}

extension FieldReader where Source == String, Value == Int {
    /// A whole number within `range`, in decimal digits.
    package static func integer(_ range: ClosedRange<Int>) -> Self {
        FieldReader { text in
            guard text.utf8.count <= 19, !text.hasPrefix("+"), let value = Int(text), range.contains(value) else {
                return .failure(
                    FieldProblem("must be a whole number from \(range.lowerBound) to \(range.upperBound)"))
            }
            return .success(value)
        }
    }
}

extension FieldReader where Source == String, Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the enumeration's raw values, to the letter.
    package static func choice(_ type: Value.Type = Value.self) -> Self {
        FieldReader { text in
            guard let value = Value(rawValue: text) else { return .failure(FieldProblem(choiceMessage(Value.self))) }
            return .success(value)
        }
    }
}
