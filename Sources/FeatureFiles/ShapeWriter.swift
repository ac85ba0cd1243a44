/// Writes well-known binary in two dimensions, little-endian (OGC 06-103r4, 8.2), part by part.
struct ShapeWriter {
    enum Kind: UInt32 {
        case point = 1
        case lineString, polygon, multiPoint, multiLineString, multiPolygon, geometryCollection
    }

    private(set) var bytes: [UInt8] = []

    var isEmpty: Bool { bytes.isEmpty }

    /// Begins a geometry.
    mutating func begin(_ kind: Kind) {
        bytes.append(1)
        put(kind.rawValue)
    }

    /// Leaves room for the number of the parts or positions that follow.
    ///
    /// - Returns: Where that is, for `end`.
    mutating func beginParts() -> Int {
        put(UInt32(0))
        return bytes.count - 4
    }

    /// Sets the number of parts or positions that were written since `beginParts`.
    mutating func endParts(_ place: Int, count: Int) {
        let count = UInt32(truncatingIfNeeded: count)
        for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: count >> (8 * UInt32(byte))) }
    }

    /// Writes one position, x before y.
    mutating func put(x: Double, y: Double) {
        withUnsafeBytes(of: (x.bitPattern.littleEndian, y.bitPattern.littleEndian)) { bytes.append(contentsOf: $0) }
    }

    /// Takes back what was written since the bytes were so many.
    mutating func truncate(to count: Int) {
        bytes.removeLast(bytes.count - count)
    }

    /// Closes a ring that began at `place`, where its number of positions stands, if its ends are not the same.
    ///
    /// - Parameter count: how many positions it has; counted on if one is added.
    mutating func closeRing(_ place: Int, count: inout Int) {
        let first = place + 4
        let last = bytes.count - 16
        guard count > 1, bytes[first..<first + 16] != bytes[last...] else { return }
        bytes.append(contentsOf: Array(bytes[first..<first + 16]))
        count += 1
    }

    private mutating func put(_ value: UInt32) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
