import CZstd
import Foundation
import Synchronization

/// A gazetteer of three places in a country of its own.
enum SmallGazetteer {
    /// Writes the bundled file into `folder` and returns its path; `name` is that of the place at 10 N 20 E.
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
