/// The name or definition of a coordinate reference system, brought to a form that PROJ may be given.
///
/// PROJ reads more than these: texts that name files, which nobody outside may hand in.
struct SystemDefinition {
    /// For PROJ.
    let text: String
    /// For messages.
    let name: String
    let isWellKnownText: Bool
    /// It is longitude and latitude on WGS 84 by its name.
    var isWGS84: Bool { Self.wgs84.contains(text) }

    private static let wgs84: Set<String> = ["EPSG:4326", "EPSG:4979", "OGC:CRS84", "OGC:CRS84h"]
    private static let authorities: Set<String> = ["EPSG", "ESRI", "OGC", "IGNF"]
    private static let mostBytes = 1 << 16
    /// The first words of well-known text (OGC 01-009, OGC 18-010r7) that can say where something is.
    private static let keywords: Set<String> = [
        "GEOGCS", "PROJCS", "COMPD_CS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS", "BASEGEOGCRS", "PROJCRS",
        "PROJECTEDCRS", "COMPOUNDCRS", "BOUNDCRS",
    ]

    /// - Throws: `ReferenceSystemFault` for what is neither a code nor well-known text.
    init(_ system: String) throws(ReferenceSystemFault) {
        var bytes = Array(system.utf8)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let isSpace = { (byte: UInt8) in byte <= 0x20 }
        bytes = Array(bytes.drop(while: isSpace))
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        guard !bytes.isEmpty else { throw ReferenceSystemFault("has no name") }
        guard bytes.count <= Self.mostBytes, !bytes.contains(0) else {
            throw ReferenceSystemFault("is no text of at most \(Self.mostBytes) bytes")
        }
        let trimmed = String(decoding: bytes, as: UTF8.self)
        let word = trimmed.prefix { $0.isASCII && ($0.isLetter || $0 == "_") }.uppercased()
        if Self.keywords.contains(word), trimmed.contains("[") || trimmed.contains("(") {
            (text, name, isWellKnownText) = (trimmed, "of the well-known text", true)
            return
        }
        guard bytes.count <= 200, let code = Self.code(trimmed) else {
            throw ReferenceSystemFault(
                "is neither a code such as EPSG:2154 nor well-known text"
                    + (trimmed.contains("=") ? "; PROJ strings are not read" : ""))
        }
        (text, name, isWellKnownText) = (code, code, false)
    }

    /// `AUTHORITY:CODE` of the ways that OGC writes it.
    private static func code(_ text: String) -> String? {
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return "EPSG:\(text)" }
        let upper = text.uppercased()
        if ["CRS84", "CRS:84", "WGS84", "WGS 84"].contains(upper) { return "OGC:CRS84" }
        let separators: Set<Character> = [":", "/", "#"]
        var parts = text.split(omittingEmptySubsequences: true) { separators.contains($0) }.map(String.init)
        let lower = text.lowercased()
        if lower.hasPrefix("urn:") || lower.hasPrefix("http:") || lower.hasPrefix("https:") {
            // `urn:ogc:def:crs:EPSG:6.9:2154`, `…/def/crs/EPSG/0/2154`, `…/gml/srs/epsg.xml#2154`.
            let start = parts.firstIndex { ["crs", "srs"].contains($0.lowercased()) }
            guard let start, start + 2 < parts.count, parts.count <= start + 4 else { return nil }
            parts = [parts[start + 1], parts[parts.count - 1]]
            if parts[0].lowercased().hasSuffix(".xml") { parts[0].removeLast(4) }
        }
        guard parts.count == 2, authorities.contains(parts[0].uppercased()) else { return nil }
        let code = parts[1]
        guard code.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x5F })
        else { return nil }
        let authority = parts[0].uppercased()
        guard authority == "OGC" else { return "\(authority):\(code)" }
        return ["CRS84", "84"].contains(code.uppercased())
            ? "OGC:CRS84" : code.uppercased() == "CRS84H" ? "OGC:CRS84h" : nil
    }
}
