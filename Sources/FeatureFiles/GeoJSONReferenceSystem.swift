import Foundation

/// The coordinate reference system that GeoJSON of 2008 names in a member `crs`, which RFC 7946 took back.
enum GeoJSONReferenceSystem {
    /// Looks at the beginning of the file, and at its end.
    static func find(in file: FeatureFile, head window: TextWindow) throws -> String? {
        let head = UnsafeRawBufferPointer(start: window.bytes + window.start, count: window.end - window.start)
        // Members before the features.
        let limit = head.firstIndex(of: "\"features\"") ?? head.count
        if let system = system(in: UnsafeRawBufferPointer(rebasing: head[..<limit])) { return system }
        let tail = try FileHandle(forReadingFrom: URL(fileURLWithPath: file.path))
        defer { try? tail.close() }
        let length = min(file.byteCount, 4096)
        try tail.seek(toOffset: UInt64(file.byteCount - length))
        let bytes = try tail.read(upToCount: length) ?? Data()
        return bytes.withUnsafeBytes { bytes in
            // Features may have a `crs` of their own.
            guard let place = bytes.lastIndex(of: "\"crs\""), bytes[place...].firstIndex(of: "\"geometry\"") == nil
            else {
                return nil
            }
            return system(in: UnsafeRawBufferPointer(rebasing: bytes[place...]))
        }
    }

    private static func system(in bytes: UnsafeRawBufferPointer) -> String? {
        guard let place = bytes.firstIndex(of: "\"crs\"") else { return nil }
        var cursor = JSONCursor(
            bytes: bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), index: place, end: bytes.count)
        guard (try? cursor.skip()) != nil, (try? cursor.expect(UInt8(ascii: ":"))) != nil else { return nil }
        return (try? read(&cursor)) ?? nil
    }

    /// The value of the member.
    ///
    /// - Returns: `EPSG:2154`, or what else it is called; nil for none.
    static func read(_ cursor: inout JSONCursor) throws(JSONFault) -> String? {
        _ = try cursor.peek()
        let start = cursor.index
        try cursor.skip()
        let text = Data(UnsafeRawBufferPointer(start: cursor.bytes + start, count: cursor.index - start))
        guard let object = try? JSONSerialization.jsonObject(with: text) as? [String: Any],
            let properties = object["properties"] as? [String: Any]
        else { return nil }
        if let code = properties["code"] { return "EPSG:\(code)" }
        guard let name = properties["name"] as? String else { return nil }
        return self.name(name)
    }

    /// From `urn:ogc:def:crs:EPSG::2154`, or what is shorter.
    private static func name(_ name: String) -> String {
        let parts = name.split(separator: ":", omittingEmptySubsequences: true).map(String.init)
        guard let code = parts.last else { return name }
        if code.uppercased() == "CRS84" { return "EPSG:4326" }
        if parts.contains(where: { $0.uppercased() == "EPSG" }), code.allSatisfy(\.isNumber) { return "EPSG:\(code)" }
        return name
    }
}

extension Collection where Element == UInt8 {
    /// Where a word begins for the first time.
    func firstIndex(of word: String) -> Index? {
        let word = Array(word.utf8)
        return indices.first { self[$0...].starts(with: word) }
    }

    /// Where a word begins for the last time.
    func lastIndex(of word: String) -> Index? {
        let word = Array(word.utf8)
        return Array(indices).last { self[$0...].starts(with: word) }
    }
}
