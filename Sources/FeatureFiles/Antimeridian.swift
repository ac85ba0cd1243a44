/// Lines and rings that go across longitude 180, which files have as jumps from one end of the map to the other.
enum Antimeridian {
    typealias Position = PlanarGeometry.Position

    /// Whether a part lies beyond -180 … 180 somewhere.
    static func isBeyond(_ part: PlanarGeometry) -> Bool {
        guard case .polygon(let rings) = part, let outer = rings.first else { return false }
        return outer.contains { abs($0.x) > 180 }
    }

    static func wrapped(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }

    static func moved(_ part: PlanarGeometry, by degrees: Double) -> PlanarGeometry {
        guard degrees != 0, case .polygon(let rings) = part else { return part }
        return .polygon(rings.map { moved($0, by: degrees) })
    }

    private static func moved(_ line: [Position], by degrees: Double) -> [Position] {
        line.map { Position(x: $0.x + degrees, y: $0.y) }
    }

    /// The rings of an area without jumps, if it goes across: then some longitudes are beyond 180 or -180.
    static func unrolled(_ rings: [[Position]]) -> [[Position]] {
        guard let outer = unrolled(rings[0]), outer.first?.x == outer.last?.x else { return rings }
        let (given, short) = (range(rings[0]), range(outer))
        // A box around half the world has long edges too.
        guard short.upperBound - short.lowerBound < (given.upperBound - given.lowerBound) / 2 else { return rings }
        let holes = rings.dropFirst().map { ring -> [Position] in
            let hole = unrolled(ring) ?? ring
            let west = range(hole).lowerBound
            return west < short.lowerBound
                ? moved(hole, by: 360) : west > short.upperBound ? moved(hole, by: -360) : hole
        }
        return [outer] + holes
    }

    /// A line in pieces, none of which goes across.
    static func cut(_ line: [Position]) -> [[Position]] {
        guard let whole = unrolled(line) else { return [line] }
        let (given, short) = (range(line), range(whole))
        guard short.upperBound - short.lowerBound < (given.upperBound - given.lowerBound) / 2 else { return [line] }
        var pieces: [[Position]] = [[]]
        for (from, to) in zip(line, line.dropFirst()) {
            pieces[pieces.count - 1].append(from)
            guard jumps(from, to) else { continue }
            let edge: Double = from.x > 0 ? 180 : -180
            let far = to.x + 2 * edge
            let share = far == from.x ? 0.5 : (edge - from.x) / (far - from.x)
            let y = from.y + (to.y - from.y) * share
            pieces[pieces.count - 1].append(Position(x: edge, y: y))
            pieces.append([Position(x: -edge, y: y)])
        }
        if let last = line.last { pieces[pieces.count - 1].append(last) }
        return pieces.filter { piece in piece.contains { $0 != piece[0] } }
    }

    /// An edge of the whole map's width is one along a parallel.
    private static func jumps(_ from: Position, _ to: Position) -> Bool {
        abs(to.x - from.x) > 180 && abs(to.x - from.x) < 360
    }

    /// Nil without jumps.
    private static func unrolled(_ line: [Position]) -> [Position]? {
        guard zip(line, line.dropFirst()).contains(where: { jumps($0.0, $0.1) }) else { return nil }
        var turn = 0.0
        var result = [line[0]]
        for (from, to) in zip(line, line.dropFirst()) {
            if jumps(from, to) { turn += to.x < from.x ? 360 : -360 }
            result.append(Position(x: to.x + turn, y: to.y))
        }
        return result
    }

    private static func range(_ line: [Position]) -> ClosedRange<Double> {
        let west = line.reduce(Double.infinity) { min($0, $1.x) }
        return west...max(west, line.reduce(-Double.infinity) { max($0, $1.x) })
    }
}
