import Geo
import HTTP
import SocialModel

extension FieldReader where Source == JSONValue {
    /// An id: a decimal string.
    static func identifier<Subject>(of type: Subject.Type) -> FieldReader where Value == Identifier<Subject> {
        FieldReader { json in
            guard case .string(let text) = json, let identifier = Identifier<Subject>(parsing: text) else {
                return .failure(FieldProblem("must be an id"))
            }
            return .success(identifier)
        }
    }
}

extension FieldReader where Source == String {
    static func identifier<Subject>(of type: Subject.Type) -> FieldReader where Value == Identifier<Subject> {
        FieldReader { text in
            Identifier<Subject>(parsing: text).map(Result.success) ?? .failure(FieldProblem("must be an id"))
        }
    }
}

extension FieldReader where Source == String, Value == Double {
    /// A decimal number within `range`.
    static func number(_ range: ClosedRange<Int>) -> Self {
        FieldReader { text in
            guard let value = Double(decimal: text), value >= Double(range.lowerBound),
                value <= Double(range.upperBound)
            else { return .failure(FieldProblem("must be a number from \(range.lowerBound) to \(range.upperBound)")) }
            return .success(value)
        }
    }
}

extension FieldReader where Source == String, Value == Timestamp {
    /// A moment as RFC 3339.
    static var time: FieldReader {
        FieldReader { text in
            guard let milliseconds = CivilTime.milliseconds(parsing: text) else {
                return .failure(FieldProblem("must be a time such as 2026-11-29T12:00:00Z"))
            }
            return .success(Timestamp(milliseconds: milliseconds))
        }
    }
}

extension Request {
    /// The id in the path.
    ///
    /// - Throws: `HTTPError` 404 for text that is no id: there is nothing with it.
    func identifier<Subject>(_ name: String, of type: Subject.Type = Subject.self) throws -> Identifier<Subject> {
        guard let text = parameter(name), let identifier = Identifier<Subject>(parsing: text) else {
            throw HTTPError.notFound
        }
        return identifier
    }

    /// The tile that `z`, `x` and `y` in the path name, in decimal digits. What is wrong with them becomes faults of
    /// `fields`, for `finish` to throw.
    func tile(_ fields: inout QueryFields) -> TileCoordinate? {
        func number(_ name: String) -> Int? {
            let text = parameter(name) ?? ""
            let digits = text.utf8
            let isCanonical = digits.first != UInt8(ascii: "0") || digits.count == 1
            guard digits.count <= 9, isCanonical, digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
            else { return nil }
            return Int(text)
        }
        func range(_ last: Int?) -> String {
            last.map { "must be a whole number from 0 to \($0)" } ?? "must be a whole number"
        }
        let zoom = number("z").flatMap { TileCoordinate.zooms.contains($0) ? $0 : nil }
        if zoom == nil { fields.fault("z", range(TileCoordinate.zooms.upperBound)) }
        let last = zoom.map { MercatorGrid(level: $0).side - 1 }
        for name in ["x", "y"] where number(name).map({ $0 > last ?? .max }) ?? true { fields.fault(name, range(last)) }
        guard let zoom, let x = number("x"), let y = number("y") else { return nil }
        return TileCoordinate(zoom: zoom, x: x, y: y)
    }

    /// - Throws: `HTTPError` 400 if there is a query; for calls that take none.
    func refuseQuery() throws {
        guard queryText != nil else { return }
        var query = try QueryFields(self)
        try query.finish()
    }

    /// - Throws: `HTTPError` 400 if there is a query, or a body that says anything; for calls that take neither.
    func refuseInput() throws {
        try refuseQuery()
        guard !body.isEmpty else { return }
        var fields = try BodyFields(self)
        try fields.finish()
    }

    /// Lets a change pass only if its `If-Match` is absent, `*`, or names the ETag of `current` as an answer would give
    /// it (strong comparison, RFC 9110, 13.1.1). What is not there is left to the change to refuse.
    ///
    /// - Throws: `HTTPError` 412.
    func requireMatch(_ current: @autoclosure () throws -> (some JSONWritable)?) throws {
        guard let condition = header("If-Match"), let current = try current() else { return }
        let etag = Response.json(current).header("ETag")
        let tags = condition.split(separator: ",").map { $0.trimmingPrefix { $0 == " " || $0 == "\t" } }
        let matches = tags.contains { tag in
            var tag = tag
            while tag.last == " " || tag.last == "\t" { tag.removeLast() }
            return tag == "*" || etag.map { tag == $0 } ?? false
        }
        guard matches else { throw HTTPError.preconditionFailed }
    }
}

extension BodyFields {
    /// The read-only members of a merge patch, as `current` has them: sent back unchanged they are ignored.
    mutating func unchanged(membersOf current: some JSONWritable, _ names: [String]) throws {
        var json = JSONWriter()
        current.write(to: &json)
        guard case .object(let members) = try JSONValue(parsing: json.bytes) else { return }
        for name in names { unchanged(name, members.first { $0.name == name }?.value ?? .null) }
    }
}
