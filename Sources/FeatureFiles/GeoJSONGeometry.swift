extension JSONCursor {
    /// A geometry object of RFC 7946, 3.1, or null.
    ///
    /// Of a position only the first two numbers are taken, open rings are closed, parts without positions are left out.
    ///
    /// - Returns: Nil for null and for what has no position.
    mutating func geometry() throws(JSONFault) -> Feature.Geometry? {
        guard try peek() != UInt8(ascii: "n") else {
            try word("null")
            return nil
        }
        var writer = ShapeWriter()
        var point: (x: Double, y: Double)?
        try geometry(into: &writer, &point, depth: 0)
        if let point { return .point(x: point.x, y: point.y) }
        return writer.isEmpty ? nil : .shape(writer.bytes)
    }

    /// - Parameters:
    ///   - writer: takes anything but a point.
    ///   - point: takes a point.
    private mutating func geometry(
        into writer: inout ShapeWriter, _ point: inout (x: Double, y: Double)?, depth: Int
    ) throws(JSONFault) {
        guard try peek() == UInt8(ascii: "{") else { throw .wrong("geometry", "is no object") }
        guard depth < 8 else { throw .wrong("geometry", "has collections nested more than 8 deep") }
        index += 1
        var kind: ShapeWriter.Kind?
        var parts: Int?
        var isRead = false
        if try take(UInt8(ascii: "}")) { throw .wrong("geometry", "has no type") }
        repeat {
            let key = try text()
            try expect(UInt8(ascii: ":"))
            if equal(key, "type") {
                guard try peek() == UInt8(ascii: "\"") else { throw .wrong("geometry", "has a type that is no string") }
                kind = try geometryKind(try text())
            } else if equal(key, "coordinates") || equal(key, "geometries") {
                _ = try peek()
                parts = index
                if let kind, !isRead, (kind == .geometryCollection) == equal(key, "geometries") {
                    try content(of: kind, into: &writer, &point, depth: depth)
                    isRead = true
                } else {
                    try skip()
                }
            } else {
                try skip()
            }
        } while try hasNext(before: UInt8(ascii: "}"))
        guard let kind else { throw .wrong("geometry", "has no type") }
        guard let parts else {
            throw .wrong("geometry", kind == .geometryCollection ? "has no geometries" : "has no coordinates")
        }
        guard !isRead else { return }
        // They stood before their type.
        let behind = index
        index = parts
        try content(of: kind, into: &writer, &point, depth: depth)
        index = behind
    }

    private func geometryKind(_ name: Text) throws(JSONFault) -> ShapeWriter.Kind {
        if equal(name, "Point") { return .point }
        if equal(name, "LineString") { return .lineString }
        if equal(name, "Polygon") { return .polygon }
        if equal(name, "MultiPoint") { return .multiPoint }
        if equal(name, "MultiLineString") { return .multiLineString }
        if equal(name, "MultiPolygon") { return .multiPolygon }
        if equal(name, "GeometryCollection") { return .geometryCollection }
        throw .wrong("geometry", "is a \(try string(name).prefix(40)), which is none of GeoJSON's geometries")
    }

    private mutating func content(
        of kind: ShapeWriter.Kind, into writer: inout ShapeWriter, _ point: inout (x: Double, y: Double)?, depth: Int
    ) throws(JSONFault) {
        switch kind {
        case .point: point = try position()
        case .lineString: try line(into: &writer)
        case .polygon: try polygon(into: &writer)
        case .multiPoint:
            let start = writer.bytes.count
            writer.begin(.multiPoint)
            let place = writer.beginParts()
            var count = 0
            var last: (x: Double, y: Double)?
            try elements { cursor throws(JSONFault) in
                guard let position = try cursor.position() else { return }
                writer.begin(.point)
                writer.put(x: position.x, y: position.y)
                last = position
                count += 1
            }
            writer.endParts(place, count: count)
            if count < 2 { writer.truncate(to: start) }
            if count == 1 { point = last }
        case .multiLineString:
            try collection(.multiLineString, into: &writer) { cursor, writer throws(JSONFault) in
                try cursor.line(into: &writer)
            }
        case .multiPolygon:
            try collection(.multiPolygon, into: &writer) { cursor, writer throws(JSONFault) in
                try cursor.polygon(into: &writer)
            }
        case .geometryCollection:
            try collection(.geometryCollection, into: &writer) { cursor, writer throws(JSONFault) in
                guard try cursor.peek() != UInt8(ascii: "n") else { return try cursor.word("null") }
                var point: (x: Double, y: Double)?
                try cursor.geometry(into: &writer, &point, depth: depth + 1)
                guard let point else { return }
                writer.begin(.point)
                writer.put(x: point.x, y: point.y)
            }
        }
    }

    /// Each element of an array.
    private mutating func elements(
        _ each: (inout JSONCursor) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        guard try peek() == UInt8(ascii: "[") else { throw .wrong("geometry", "has coordinates that are no array") }
        index += 1
        if try take(UInt8(ascii: "]")) { return }
        repeat { try each(&self) } while try hasNext(before: UInt8(ascii: "]"))
    }

    private mutating func collection(
        _ kind: ShapeWriter.Kind, into writer: inout ShapeWriter,
        _ part: (inout JSONCursor, inout ShapeWriter) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        let start = writer.bytes.count
        writer.begin(kind)
        let place = writer.beginParts()
        var count = 0
        try elements { cursor throws(JSONFault) in
            let before = writer.bytes.count
            try part(&cursor, &writer)
            if writer.bytes.count > before { count += 1 }
        }
        writer.endParts(place, count: count)
        if count == 0 { writer.truncate(to: start) }
    }

    /// Longitude and latitude, or whatever comes first and second; nil for an empty array.
    @inline(__always)
    private mutating func position() throws(JSONFault) -> (x: Double, y: Double)? {
        guard try peek() == UInt8(ascii: "[") else { throw .wrong("geometry", "has a position that is no array") }
        index += 1
        if try take(UInt8(ascii: "]")) { return nil }
        let x = try coordinate()
        guard try hasNext(before: UInt8(ascii: "]")) else { throw .wrong("geometry", "has a position of one number") }
        let y = try coordinate()
        while try hasNext(before: UInt8(ascii: "]")) { try skip() }
        return (x, y)
    }

    @inline(__always)
    private mutating func coordinate() throws(JSONFault) -> Double {
        let byte = try peek()
        if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "\"") {
            throw .wrong("geometry", "has a position that is not made of numbers")
        }
        return try number()
    }

    private mutating func positions(into writer: inout ShapeWriter) throws(JSONFault) -> Int {
        var count = 0
        try elements { cursor throws(JSONFault) in
            guard let position = try cursor.position() else { throw .wrong("geometry", "has an empty position") }
            writer.put(x: position.x, y: position.y)
            count += 1
        }
        return count
    }

    private mutating func line(into writer: inout ShapeWriter) throws(JSONFault) {
        let start = writer.bytes.count
        writer.begin(.lineString)
        let place = writer.beginParts()
        let count = try positions(into: &writer)
        guard count != 1 else { throw .wrong("geometry", "has a line of one position") }
        writer.endParts(place, count: count)
        if count == 0 { writer.truncate(to: start) }
    }

    private mutating func polygon(into writer: inout ShapeWriter) throws(JSONFault) {
        let start = writer.bytes.count
        writer.begin(.polygon)
        let place = writer.beginParts()
        var rings = 0
        try elements { cursor throws(JSONFault) in
            let before = writer.bytes.count
            let place = writer.beginParts()
            var count = try cursor.positions(into: &writer)
            guard count > 0 else { return writer.truncate(to: before) }
            writer.closeRing(place, count: &count)
            guard count > 3 else { throw .wrong("geometry", "has a ring of fewer than three corners") }
            writer.endParts(place, count: count)
            rings += 1
        }
        writer.endParts(place, count: rings)
        if rings == 0 { writer.truncate(to: start) }
    }
}
