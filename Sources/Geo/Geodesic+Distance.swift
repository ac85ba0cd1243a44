#if canImport(CProj)
    import CProj

    // Only where PROJ is: apps measure by `haversine`, or show the `distance` that the server has measured.
    extension Geodesic {
        /// PROJ's precomputed series for the ellipsoid, allocated once, so that a call need not copy it.
        // Written before anyone can read it and never after, so sharing it is safe.
        nonisolated(unsafe) private static let ellipsoid: UnsafePointer<geod_geodesic> = {
            let pointer = UnsafeMutablePointer<geod_geodesic>.allocate(capacity: 1)
            geod_init(pointer, equatorialRadius, flattening)
            return UnsafePointer(pointer)
        }()

        /// The length of the shortest path on the ellipsoid in metres, good to 15 nanometres (C. F. F. Karney, Algorithms
        /// for geodesics, J. Geodesy 87, 2013; PROJ's `geod_inverse`).
        public static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
            var metres = 0.0
            geod_inverse(ellipsoid, a.latitude, a.longitude, b.latitude, b.longitude, &metres, nil, nil)
            return metres
        }

        /// `distance` at a sixth of its cost for short ways, good to a hundredth of a millimetre.
        public static func localDistance(_ a: Coordinate, _ b: Coordinate) -> Double {
            chordDistance(a, b) ?? distance(a, b)
        }
    }
#endif
