/// One placemark of KML while it is read.
struct Placemark {
    let row: Int
    let id: String?
    var values = RecordValues()
    /// The name of the `Data` or `SimpleData` that is open.
    var column: String?
    var isInCoordinates = false
    /// What is wrong with it, if something is, and with which part.
    var fault: String?
    var faultField = "geometry"
    private(set) var geometry: PlanarGeometry?
    /// The geometries that are open.
    private var open: [Open] = []
    private var positionsLeft = PlanarGeometry.mostPositions

    private struct Open {
        let name: String
        var rings: [[PlanarGeometry.Position]] = []
        var parts: [PlanarGeometry] = []
        var isHole = false
    }

    private static let geometries: Set<String> = ["Point", "LineString", "LinearRing", "Polygon", "MultiGeometry"]
    private static let unread: Set<String> = ["Model", "Track", "MultiTrack"]

    init(row: Int, id: String?) {
        self.row = row
        self.id = id.flatMap { $0.isEmpty ? nil : String($0.prefix(1000)) }
    }

    mutating func begin(_ name: String) {
        if Self.geometries.contains(name) {
            open.append(Open(name: name))
        } else if Self.unread.contains(name) {
            fail("is a \(name), which is not read")
        } else if name == "innerBoundaryIs" || name == "outerBoundaryIs", !open.isEmpty {
            open[open.count - 1].isHole = name == "innerBoundaryIs"
        }
    }

    /// Takes the positions of the geometry that is open; nil if they are none.
    mutating func take(_ positions: [PlanarGeometry.Position]?) {
        guard let last = open.indices.last else { return }
        guard let positions else { return fail("has coordinates that are no numbers, or too many") }
        positionsLeft -= positions.count
        guard positionsLeft >= 0 else { return fail("has more than \(PlanarGeometry.mostPositions) positions") }
        open[last].rings.append(positions)
    }

    mutating func end(_ name: String) {
        guard Self.geometries.contains(name), let ended = open.popLast(), ended.name == name else { return }
        let positions = ended.rings.first ?? []
        switch name {
        case "Point":
            if positions.count > 1 { fail("is a point with \(positions.count) positions") }
            finish(positions.first.map { .point($0) } ?? .collection([]))
        case "LineString": finish(.line(positions))
        case "LinearRing":
            guard let last = open.indices.last, open[last].name == "Polygon" else {
                return finish(.polygon(positions.isEmpty ? [] : [positions]))
            }
            if open[last].isHole {
                if open[last].rings.isEmpty { open[last].rings.append([]) }
                open[last].rings.append(positions)
            } else if open[last].rings.first?.isEmpty ?? false {
                open[last].rings[0] = positions
            } else {
                open[last].rings.insert(positions, at: 0)
            }
        case "Polygon": finish(.polygon(ended.rings))
        default: finish(.collection(ended.parts))
        }
    }

    private mutating func finish(_ part: PlanarGeometry) {
        if let last = open.indices.last {
            open[last].parts.append(part)
        } else if let geometry {
            // More than one without a MultiGeometry around them is no KML, but is met.
            self.geometry = .collection([geometry, part])
        } else {
            geometry = part
        }
    }

    private mutating func fail(_ message: String) {
        if fault == nil { fault = message }
    }
}

/// The text of KML's `coordinates`.
enum CoordinateList {
    /// Tuples `longitude,latitude[,altitude]` with white space between them, and around commas too, as some programs write
    /// it. Nil if something is no number, a tuple has one alone, or there are too many.
    static func positions(_ text: ArraySlice<UInt8>) -> [PlanarGeometry.Position]? {
        var positions: [PlanarGeometry.Position] = []
        var tuple: [Double] = []
        var index = text.startIndex
        /// A comma came since the last number.
        var isJoined = false
        func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }
        func close() -> Bool {
            guard !tuple.isEmpty else { return true }
            guard tuple.count >= 2, positions.count < PlanarGeometry.mostPositions else { return false }
            positions.append(PlanarGeometry.Position(x: tuple[0], y: tuple[1]))
            tuple.removeAll(keepingCapacity: true)
            return true
        }
        while index < text.endIndex {
            let byte = text[index]
            if isSpace(byte) {
                index += 1
            } else if byte == UInt8(ascii: ",") {
                isJoined = true
                index += 1
            } else {
                if !isJoined || tuple.count >= 3 { guard close() else { return nil } }
                isJoined = false
                let end = text[index...].firstIndex { isSpace($0) || $0 == UInt8(ascii: ",") } ?? text.endIndex
                guard end - index <= 64, let number = number(text[index..<end]) else { return nil }
                tuple.append(number)
                index = end
            }
        }
        return close() ? positions : nil
    }

    /// A decimal number, finite.
    static func number(_ text: ArraySlice<UInt8>) -> Double? {
        let isDecimal = text.allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }
        guard isDecimal, let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else { return nil }
        return number
    }
}
