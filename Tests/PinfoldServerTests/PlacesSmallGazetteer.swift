import CZstd
import Foundation
import Synchronization

/// A gazetteer of three places in a country of its own: a square, the North Pole and a strip on the antimeridian.
enum SmallGazetteer {
    static let zones = """
        #pinfold-borders\t1\tzones\ta test
        unit\t10000000
        area\t1\tAfrica/Ndjamena\tXT
        area\t2\tEtc/UTC\tXT
        area\t3\tPacific/Fiji\tXT
        arc\t1\t0\t18 8 4 0 0 4 -4 0 0 -4
        arc\t2\t0\t-180 85 360 0 0 5 -360 0 0 -5
        arc\t3\t0\t179 -17 1 0 0 1 -1 0 0 -1
        arc\t3\t0\t-180 -17 1 0 0 1 -1 0 0 -1

        """
    static let divisions = """
        #pinfold-borders\t1\tdivisions\ta test
        unit\t10000000
        area\t1\tXT\tXT.01
        area\t2\tXT\t
        arc\t1\t0\t18 8 4 0 0 4 -4 0 0 -4
        arc\t2\t0\t-180 85 360 0 0 5 -360 0 0 -5
        arc\t0\t1\t179 -17 0 1 1 0 0 -1 -1 0
        arc\t1\t0\t-180 -17 1 0 0 1 -1 0 0 -1

        """

    /// Writes the bundled files into `folder` and returns the gazetteer's path; `name` is that of the place at 10 N 20 E.
    @discardableResult
    static func write(to folder: String, name: String = "Middle") throws -> String {
        let rows = """
            #pinfold-gazetteer\t1\ta test
            country\tXT\t9\tTestland\tTestia
            division\t1\t1\t\tXT\tXT.01\t\t8\tHere\tHereabouts
            place\t1\tPole\t\t89.99\t-170.5\t0\t\tXT\t\t\tEtc/UTC\t
            place\t2\t\(name)\t\t10\t20\t5000\tPPL\tXT\t1\t\tAfrica/Ndjamena\tMitte|Milieu
            place\t3\tEdge\t\t-16.8\t-180\t700\tPPL\tXT\t1\t\tPacific/Fiji\t

            """
        let path = folder + "/gazetteer.tsv.zst"
        try packed(rows).write(to: URL(fileURLWithPath: path))
        try packed(zones).write(to: URL(fileURLWithPath: folder + "/borders.zones.zst"))
        try packed(divisions).write(to: URL(fileURLWithPath: folder + "/borders.divisions.zst"))
        return path
    }

    /// `text` as a Zstandard frame with a checksum.
    static func packed(_ text: String) throws -> Data {
        let context = ZSTD_createCCtx()
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        let bytes = [UInt8](text.utf8)
        var packed = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
        let size = ZSTD_compress2(context, &packed, packed.count, bytes, bytes.count)
        guard ZSTD_isError(size) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return Data(packed[..<size])
    }
}

/// Counts the loads that came to their end.
final class Progress: Sendable {
    private let count = Mutex(0)

    func note(_ part: Double) {
        if part >= 1 { count.withLock { $0 += 1 } }
    }

    var finished: Int { count.withLock { $0 } }
}
