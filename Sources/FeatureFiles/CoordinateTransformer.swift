import CProj
import Foundation

/// Takes positions from a coordinate reference system to WGS 84, by PROJ. It is used by one thread.
///
/// x is always the easting or longitude and y the northing or latitude, whatever order the system defines.
package final class CoordinateTransformer {
    /// The system in few words: `EPSG:2154 (RGF93 v1 / Lambert-93)`.
    package let name: String
    /// Where the system is meant to be used; nil if PROJ does not know.
    package let areaOfUse: AreaOfUse?
    /// The coordinates are WGS 84 already: nothing is calculated.
    package var isIdentity: Bool { operation == nil }
    /// x and y are degrees.
    package let isGeographic: Bool

    private let context: OpaquePointer?
    private let operation: OpaquePointer?

    /// - Parameter system: `EPSG:2154`, `urn:ogc:def:crs:EPSG::2154`, `http://www.opengis.net/def/crs/EPSG/0/2154`,
    ///   `OGC:CRS84`, `CRS84` or well-known text, that of Esri's included; nil for WGS 84.
    /// - Throws: `ReferenceSystemFault`.
    package init(from system: String?) throws(ReferenceSystemFault) {
        let definition = try system.map { text throws(ReferenceSystemFault) in try SystemDefinition(text) }
        guard let definition, !definition.isWGS84 else {
            name = "WGS 84"
            areaOfUse = AreaOfUse.world
            isGeographic = true
            (context, operation) = (nil, nil)
            return
        }
        guard let context = proj_context_create() else {
            throw ReferenceSystemFault("\(definition.name) cannot be read: there is no memory")
        }
        let opened: Opened
        do {
            opened = try Self.open(definition, in: context)
        } catch {
            proj_context_destroy(context)
            throw error
        }
        (name, areaOfUse, isGeographic) = (opened.name, opened.areaOfUse, opened.isGeographic)
        (self.context, operation) = (context, opened.operation)
    }

    deinit {
        if let operation { proj_destroy(operation) }
        if let context { proj_context_destroy(context) }
    }

    /// Longitude and latitude of a position; nil where it is outside of what can be calculated, or of -180 … 180 and
    /// -90 … 90.
    package func position(x: Double, y: Double) -> (longitude: Double, latitude: Double)? {
        var (longitude, latitude) = (x, y)
        if let operation {
            // No system counts further; what its formulas make of such a number is a pole or some other place.
            guard abs(x) <= 1e9, abs(y) <= 1e9 else { return nil }
            let result = proj_trans(operation, PJ_FWD, PJ_COORD(v: (x, y, 0, .infinity)))
            (longitude, latitude) = (result.v.0, result.v.1)
            // Rounding at the antimeridian and the poles.
            if abs(longitude) > 180, abs(longitude) < 180 + 1e-9 { longitude = longitude < 0 ? -180 : 180 }
            if abs(latitude) > 90, abs(latitude) < 90 + 1e-9 { latitude = latitude < 0 ? -90 : 90 }
        }
        // A comparison with NaN is false.
        guard abs(longitude) <= 180, abs(latitude) <= 90 else { return nil }
        return (longitude, latitude)
    }

    // MARK: PROJ

    private struct Opened {
        var name: String
        var areaOfUse: AreaOfUse?
        var isGeographic: Bool
        var operation: OpaquePointer?
    }

    private static func open(
        _ definition: SystemDefinition, in context: OpaquePointer
    ) throws(ReferenceSystemFault) -> Opened {
        // Nothing is fetched, whatever the environment says, and nothing printed.
        proj_context_set_enable_network(context, 0)
        proj_log_level(context, PJ_LOG_NONE)
        guard let source = proj_create(context, definition.text) else { throw unknown(definition) }
        defer { proj_destroy(source) }
        guard let kind = kind(of: source, context) else {
            throw ReferenceSystemFault(
                "\(definition.name) is no system of positions on the Earth's surface; name the system of the x and y")
        }
        guard let target = proj_create(context, "OGC:CRS84") else {
            throw ReferenceSystemFault(
                "cannot be taken to WGS 84, which is not in the tables of PROJ; install the package proj-data")
        }
        defer { proj_destroy(target) }
        let name = proj_get_name(source).map { String(cString: $0) } ?? ""
        var opened = Opened(
            name: definition.isWellKnownText
                ? (name.isEmpty ? definition.name : name)
                : (name.isEmpty ? definition.name : "\(definition.name) (\(name))"),
            areaOfUse: areaOfUse(of: source, context), isGeographic: kind == .geographic)
        let comparison = PJ_COMP_EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS
        guard proj_is_equivalent_to_with_ctx(context, source, target, comparison) == 0 else {
            opened.areaOfUse = .world
            return opened
        }
        guard let direct = proj_create_crs_to_crs_from_pj(context, source, target, nil, nil) else {
            throw ReferenceSystemFault("\(definition.name) cannot be taken to WGS 84: \(reason(context))")
        }
        defer { proj_destroy(direct) }
        opened.operation = proj_normalize_for_visualization(context, direct)
        guard opened.operation != nil else {
            throw ReferenceSystemFault("\(definition.name) cannot be taken to WGS 84: \(reason(context))")
        }
        return opened
    }

    /// Well-known text seldom tells the area; the authority's entry that it is the same as does.
    private static func areaOfUse(of system: OpaquePointer, _ context: OpaquePointer) -> AreaOfUse? {
        if let area = AreaOfUse(of: system, context) { return area }
        var confidence: UnsafeMutablePointer<Int32>?
        guard let found = proj_identify(context, system, "EPSG", nil, &confidence) else { return nil }
        defer {
            proj_list_destroy(found)
            proj_int_list_destroy(confidence)
        }
        guard proj_list_get_count(found) > 0, let confidence, confidence[0] >= 70,
            let best = proj_list_get(context, found, 0)
        else { return nil }
        defer { proj_destroy(best) }
        return AreaOfUse(of: best, context)
    }

    private enum Kind {
        case geographic, projected
    }

    /// Nil for systems of heights, of engineering or of the Earth's centre.
    private static func kind(of system: OpaquePointer, _ context: OpaquePointer) -> Kind? {
        switch proj_get_type(system) {
        case PJ_TYPE_GEOGRAPHIC_2D_CRS, PJ_TYPE_GEOGRAPHIC_3D_CRS: return .geographic
        case PJ_TYPE_PROJECTED_CRS: return .projected
        case PJ_TYPE_BOUND_CRS:
            guard let base = proj_get_source_crs(context, system) else { return nil }
            defer { proj_destroy(base) }
            return proj_get_type(base) == PJ_TYPE_BOUND_CRS ? nil : kind(of: base, context)
        case PJ_TYPE_COMPOUND_CRS:
            guard let horizontal = proj_crs_get_sub_crs(context, system, 0) else { return nil }
            defer { proj_destroy(horizontal) }
            return proj_get_type(horizontal) == PJ_TYPE_COMPOUND_CRS ? nil : kind(of: horizontal, context)
        default: return nil
        }
    }

    private static func unknown(_ definition: SystemDefinition) -> ReferenceSystemFault {
        if definition.isWellKnownText {
            return ReferenceSystemFault(
                "is well-known text that cannot be read; say which it is by its number, such as EPSG:2154")
        }
        return ReferenceSystemFault(
            "\(definition.name) is not known; give the number of one that is, such as EPSG:2154")
    }

    private static func reason(_ context: OpaquePointer) -> String {
        let code = proj_context_errno(context)
        return proj_context_errno_string(context, code).map { String(cString: $0) } ?? "there is no way known"
    }
}

/// Why positions cannot be taken to WGS 84: goes behind "the reference system".
package struct ReferenceSystemFault: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
