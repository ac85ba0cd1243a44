/// How one field is read from a JSON value or a query text, and what is said when it cannot be.
///
/// The message is a predicate of the field: `"must be 1 to 5"`.
package struct FieldReader<Source, Value> {
    package let read: (Source) -> Result<Value, FieldProblem>

    package init(_ read: @escaping (Source) -> Result<Value, FieldProblem>) {
        self.read = read
    }
}

/// What is wrong with a field, as a predicate: `"must be 1 to 5"`.
package struct FieldProblem: Error, Sendable {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}

/// What a merge patch (RFC 7396) says of one member.
package enum Change<Value> {
    case absent
    case null
    case set(Value)

    /// The value after the change, where null is a value.
    package func applied(to current: Value?) -> Value? {
        switch self {
        case .absent: current
        case .null: nil
        case .set(let value): value
        }
    }
}

extension Change: Sendable where Value: Sendable {}

extension FieldReader where Source == JSONValue, Value == String {
    /// Text of `length` Unicode scalars without NUL; unless `blank` is allowed, something in it must be visible.
    package static func text(_ length: ClosedRange<Int>, blank: Bool = false) -> Self {
        FieldReader { json in
            guard case .string(let text) = json else { return .failure(FieldProblem("must be text")) }
            if let problem = textProblem(text, length, blank: blank) { return .failure(problem) }
            return .success(text)
        }
    }
}

/// What is wrong with a text, shared by bodies and queries.
func textProblem(_ text: String, _ length: ClosedRange<Int>, blank: Bool) -> FieldProblem? {
    let scalars = text.unicodeScalars
    guard length.contains(scalars.count) else {
        return FieldProblem(
            length.lowerBound == 0
                ? "must be at most \(length.upperBound) characters"
                : "must be \(length.lowerBound) to \(length.upperBound) characters")
    }
    if scalars.contains("\0") { return FieldProblem("must not contain NUL") }
    if !blank, scalars.allSatisfy(isInvisible) { return FieldProblem("must not be blank") }
    return nil
}

private func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    // U+2800 is the braille pattern without a dot.
    if scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint || scalar.value == 0x2800 {
        return true
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: return true
    default: return false
    }
}

extension FieldReader where Source == JSONValue, Value == Int {
    /// A whole number within `range`.
    package static func integer(_ range: ClosedRange<Int>) -> Self {
        FieldReader { json in
            guard case .number(let number) = json, number == number.rounded(), number >= Double(range.lowerBound),
                number <= Double(range.upperBound)
            else {
                return .failure(
                    FieldProblem("must be a whole number from \(range.lowerBound) to \(range.upperBound)"))
            }
            return .success(Int(number))
        }
    }
}

extension FieldReader where Source == JSONValue, Value == Double {
    /// A finite number within `range`.
    package static func number(_ range: ClosedRange<Int>) -> Self {
        FieldReader { json in
            guard case .number(let number) = json, number.isFinite, number >= Double(range.lowerBound),
                number <= Double(range.upperBound)
            else { return .failure(FieldProblem("must be a number from \(range.lowerBound) to \(range.upperBound)")) }
            return .success(number)
        }
    }
}

extension FieldReader where Source == JSONValue, Value == Bool {
    package static var boolean: Self {
        FieldReader { json in
            guard case .bool(let value) = json else { return .failure(FieldProblem("must be true or false")) }
            return .success(value)
        }
    }
}

extension FieldReader where Source == JSONValue, Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the enumeration's raw values, to the letter.
    package static func choice(_ type: Value.Type = Value.self) -> Self {
        FieldReader { json in
            guard case .string(let text) = json, let value = Value(rawValue: text) else {
                return .failure(FieldProblem(choiceMessage(Value.self)))
            }
            return .success(value)
        }
    }
}

func choiceMessage<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) -> String
where Value.RawValue == String {
    "must be one of " + Value.allCases.map(\.rawValue).joined(separator: ", ")
}
