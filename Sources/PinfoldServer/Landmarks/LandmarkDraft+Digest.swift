import CSodium

extension LandmarkDraft {
    /// 64 bits of BLAKE2b (RFC 7693) of all that the source says, but for the key and the row: what differs has changed.
    ///
    /// - Parameter buffer: is written over; kept between calls it saves their memory.
    func digest(_ buffer: inout [UInt8]) -> Int64 {
        buffer.removeAll(keepingCapacity: true)
        buffer.append(number: coordinate.longitudeE7)
        buffer.append(number: coordinate.latitudeE7)
        buffer.append(UInt8(truncatingIfNeeded: category.code))
        buffer.append(text: name)
        for text in [
            sourceCategory, names, description, address, website, phone, openingHours, imageURL, properties,
        ] {
            buffer.append(text: text)
        }
        if let shape {
            buffer.append(number: Int32(truncatingIfNeeded: shape.count))
            buffer += shape
        }
        // The shortest that the library makes has 16 bytes.
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { digest in
            crypto_generichash(digest.baseAddress!, 16, buffer, UInt64(buffer.count), nil, 0)  // it has 16 bytes
            return UnsafeRawBufferPointer(digest).loadUnaligned(as: Int64.self)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(number: Int32) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// With its length in front, so that no two lists of texts are the same bytes.
    fileprivate mutating func append(text: String?) {
        guard let text else { return append(number: -1) }
        append(number: Int32(truncatingIfNeeded: text.utf8.count))
        append(contentsOf: text.utf8)
    }
}
