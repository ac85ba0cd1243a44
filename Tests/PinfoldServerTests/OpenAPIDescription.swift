import HTTP

@testable import PinfoldServer

/// The server's description of itself, as a client reads it.
struct OpenAPIDescription {
    struct Operation {
        /// In capitals.
        let method: String
        let path: String
        let json: JSONValue
        let parameters: [JSONValue]
        let needsToken: Bool

        var responses: [(name: String, value: JSONValue)] { json["responses"]?.members ?? [] }
    }

    /// Null if the document is no JSON.
    let root: JSONValue
    private(set) var operations: [Operation] = []

    init() {
        // The reader is strict, so a name that stands twice is found too.
        root = (try? JSONValue(parsing: OpenAPI.document)) ?? .null
        for (path, item) in root["paths"]?.members ?? [] {
            for (method, operation) in item.members {
                let parameters = (operation["parameters"]?.elements ?? []).map(resolved)
                operations.append(
                    Operation(
                        method: method.uppercased(), path: path, json: operation, parameters: parameters,
                        needsToken: (operation["security"] ?? root["security"])?.elements.isEmpty == false))
            }
        }
    }

    /// The operation that a request is for; a literal part of a path wins over a parameter.
    func operation(_ method: String, _ path: String) -> Operation? {
        let parts = path.split(separator: "/")
        let fitting = operations.filter { operation in
            let template = operation.path.split(separator: "/")
            return operation.method == method && template.count == parts.count
                && zip(template, parts).allSatisfy { template, part in
                    template == part
                        || template.hasPrefix("{") && part.hasSuffix(template.drop { $0 != "}" }.dropFirst())
                }
        }
        return fitting.min { $0.path.filter { $0 == "{" }.count < $1.path.filter { $0 == "{" }.count }
    }

    /// What a reference such as `#/components/schemas/Pin` names.
    func find(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#/") else { return nil }
        return reference.dropFirst(2).split(separator: "/").reduce(root as JSONValue?) { $0?[String($1)] }
    }

    /// The value behind a reference, or the value itself.
    func resolved(_ value: JSONValue) -> JSONValue {
        guard let reference = value["$ref"]?.text else { return value }
        return find(reference) ?? .null
    }

    /// What is wrong with `value` by the keywords of JSON Schema that the document uses. A property that the schema
    /// does not have is a fault too: clients may ignore it, but the description must not.
    func faults(of value: JSONValue, in schema: JSONValue, at place: String = "$") -> [String] {
        let parts = flattened(schema)
        var faults = parts.flatMap { simpleFaults(of: value, in: $0, at: place) }
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                for items in parts.compactMap({ $0["items"] }) {
                    faults += self.faults(of: element, in: items, at: "\(place)[\(index)]")
                }
            }
        case .object(let members):
            for name in parts.flatMap({ $0["required"]?.elements ?? [] }).compactMap(\.text) where value[name] == nil {
                faults.append("\(place).\(name) is missing")
            }
            for member in members {
                let property = parts.compactMap { $0["properties"]?[member.name] ?? $0["additionalProperties"] }
                    .first { $0 != .bool(false) }
                if property == .bool(true) { continue }
                guard let property else {
                    faults.append("\(place).\(member.name) is not described")
                    continue
                }
                faults += self.faults(of: member.value, in: property, at: "\(place).\(member.name)")
            }
        default: break
        }
        return faults
    }

    /// A schema and all that it refers to or is made of.
    private func flattened(_ schema: JSONValue) -> [JSONValue] {
        if schema["$ref"] != nil { return flattened(resolved(schema)) }
        return [schema] + (schema["allOf"]?.elements ?? []).flatMap(flattened)
    }

    private func simpleFaults(of value: JSONValue, in schema: JSONValue, at place: String) -> [String] {
        var faults: [String] = []
        let types = schema["type"].map { $0.text.map { [$0] } ?? $0.elements.compactMap(\.text) }
        if let types, !types.contains(where: value.isOf) { faults.append("\(place) is not \(types)") }
        if let values = schema["enum"]?.elements, !values.contains(value) {
            faults.append("\(place) is not in the enum")
        }
        if let only = schema["const"], only != value { faults.append("\(place) is not the constant") }
        func range(_ size: Double, _ low: String, _ high: String) {
            if let least = schema[low]?.number, size < least { faults.append("\(place) is below \(low)") }
            if let most = schema[high]?.number, size > most { faults.append("\(place) is above \(high)") }
        }
        switch value {
        case .number(let number):
            range(number, "minimum", "maximum")
            if let bound = schema["exclusiveMaximum"]?.number, number >= bound {
                faults.append("\(place) is too large")
            }
        case .string(let text):
            range(Double(text.unicodeScalars.count), "minLength", "maxLength")
            if let pattern = schema["pattern"]?.text {
                let fits = (try? Regex(pattern).firstMatch(in: text)) != nil
                if !fits { faults.append("\(place) does not have the pattern") }
            }
            if schema["format"]?.text == "date-time", CivilTime.milliseconds(parsing: text) == nil {
                faults.append("\(place) is no time")
            }
        case .array(let elements): range(Double(elements.count), "minItems", "maxItems")
        default: break
        }
        return faults
    }
}

extension JSONValue {
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }

    var number: Double? { if case .number(let number) = self { number } else { nil } }

    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    var members: [(name: String, value: JSONValue)] {
        if case .object(let members) = self { members.map { ($0.name, $0.value) } } else { [] }
    }

    /// Every object within, itself included.
    var objects: [JSONValue] {
        switch self {
        case .object(let members): [self] + members.flatMap(\.value.objects)
        case .array(let elements): elements.flatMap(\.objects)
        default: []
        }
    }

    /// The value of each member of that name, however deep.
    func all(_ name: String) -> [JSONValue] { objects.compactMap { $0[name] } }

    /// Whether it is of a type of JSON Schema.
    fileprivate func isOf(_ type: String) -> Bool {
        switch self {
        case .null: type == "null"
        case .bool: type == "boolean"
        case .number(let number): type == "number" || type == "integer" && number == number.rounded()
        case .string: type == "string"
        case .array: type == "array"
        case .object: type == "object"
        }
    }
}
