extension CoordinateTransformer {
    /// A feature's geometry in longitude and latitude.
    ///
    /// - Throws: `FeatureFault` of the field `geometry` if a position cannot be taken to WGS 84.
    package func geometry(_ geometry: Feature.Geometry, row: Int) throws(FeatureFault) -> Feature.Geometry {
        switch geometry {
        case .point(let x, let y):
            guard let position = position(x: x, y: y) else { throw fault(x, y, row) }
            return .point(x: position.longitude, y: position.latitude)
        case .shape(let bytes):
            let parsed: PlanarGeometry
            do {
                parsed = try WellKnownBinary.geometry(of: bytes)
            } catch {
                throw FeatureFault(row: row, field: "geometry", message: error.message)
            }
            guard let geometry = try transformed(parsed, row).ofFeature else {
                throw FeatureFault(row: row, field: "geometry", message: "is empty")
            }
            return geometry
        }
    }

    private func transformed(_ geometry: PlanarGeometry, _ row: Int) throws(FeatureFault) -> PlanarGeometry {
        func line(_ line: [PlanarGeometry.Position]) throws(FeatureFault) -> [PlanarGeometry.Position] {
            var result: [PlanarGeometry.Position] = []
            result.reserveCapacity(line.count)
            for position in line {
                guard let moved = self.position(x: position.x, y: position.y) else {
                    throw fault(position.x, position.y, row)
                }
                result.append(PlanarGeometry.Position(x: moved.longitude, y: moved.latitude))
            }
            return result
        }
        switch geometry {
        case .point(let position): return .point(try line([position])[0])
        case .line(let positions): return .line(try line(positions))
        case .polygon(let rings):
            var result: [[PlanarGeometry.Position]] = []
            for ring in rings { result.append(try line(ring)) }
            return .polygon(result)
        case .collection(let parts):
            var result: [PlanarGeometry] = []
            for part in parts { result.append(try transformed(part, row)) }
            return .collection(result)
        }
    }

    private func fault(_ x: Double, _ y: Double, _ row: Int) -> FeatureFault {
        let message =
            isIdentity
            ? "is not within -180 to 180 and -90 to 90 degrees (\(x) \(y))"
            : "is outside of what \(name) can be calculated for (\(x) \(y))"
        return FeatureFault(row: row, field: "geometry", message: message)
    }
}
