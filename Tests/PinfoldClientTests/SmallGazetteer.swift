import CZstd
import Foundation

/// A gazetteer of one place, at 10 N 20 E.
enum SmallGazetteer {
    /// Writes the bundled file into `folder` and returns its path.
    static func write(to folder: TemporaryFolder) throws -> String {
        let rows = """
            #pinfold-gazetteer\t1\ta test
            country\tXT\t9\tTestland\tTestia
            division\t1\t1\t\tXT\tXT.01\t\t8\tHere\tHereabouts
            place\t2\tMiddle\t\t10\t20\t5000\tPPL\tXT\t1\t\tAfrica/Ndjamena\tMitte|Milieu

            """
        let context = ZSTD_createCCtx()
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        let bytes = [UInt8](rows.utf8)
        var packed = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
        let size = ZSTD_compress2(context, &packed, packed.count, bytes, bytes.count)
        guard ZSTD_isError(size) == 0 else { throw CocoaError(.fileWriteUnknown) }
        let file = folder.file("gazetteer.tsv.zst")
        try Data(packed[..<size]).write(to: file)
        return file.path
    }
}
