/// What a merge patch (RFC 7396) does to a field that may be empty.
public enum Change<Value> {
    /// The field stays; the patch does not name it.
    case keep
    /// The field becomes empty; the patch says null.
    case remove
    case set(Value)
}

extension Change: Sendable where Value: Sendable {}
extension Change: Equatable where Value: Equatable {}
extension Change: Hashable where Value: Hashable {}

extension KeyedEncodingContainer {
    /// Nothing, null or the value.
    mutating func encode(_ change: Change<some Encodable>, forKey key: Key) throws {
        switch change {
        case .keep: break
        case .remove: try encodeNil(forKey: key)
        case .set(let value): try encode(value, forKey: key)
        }
    }
}

extension KeyedDecodingContainer {
    /// The change that `encode` wrote.
    func decodeChange<Value: Decodable>(_ type: Value.Type = Value.self, forKey key: Key) throws -> Change<Value> {
        guard contains(key) else { return .keep }
        return try decodeNil(forKey: key) ? .remove : .set(try decode(Value.self, forKey: key))
    }
}
