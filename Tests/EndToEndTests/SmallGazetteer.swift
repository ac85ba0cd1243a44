import CZstd
import Foundation

/// A gazetteer of one place, at 10 N 20 E, in a country that is a square.
enum SmallGazetteer {
    private static let files = [
        "gazetteer.tsv.zst": """
        #pinfold-gazetteer\t1\ta test
        country\tXT\t9\tTestland\tTestia
        division\t1\t1\t\tXT\tXT.01\t\t8\tHere\tHereabouts
        place\t2\tMiddle\t\t10\t20\t5000\tPPL\tXT\t1\t\tAfrica/Ndjamena\tMitte|Milieu

        """,
        "borders.zones.zst": """
        #pinfold-borders\t1\tzones\ta test
        unit\t10000000
        area\t1\tAfrica/Ndjamena\tXT
        arc\t1\t0\t18 8 4 0 0 4 -4 0 0 -4

        """,
        "borders.divisions.zst": """
        #pinfold-borders\t1\tdivisions\ta test
        unit\t10000000
        area\t1\tXT\tXT.01
        arc\t1\t0\t18 8 4 0 0 4 -4 0 0 -4

        """,
    ]

    /// Writes the bundled files into `folder` and returns the gazetteer's path. Loading them takes no time.
    static func write(to folder: DataFolder) throws -> String {
        for (name, rows) in files { try packed(rows).write(to: URL(filePath: folder.file(name))) }
        return folder.file("gazetteer.tsv.zst")
    }

    private static func packed(_ rows: String) throws -> Data {
        let context = ZSTD_createCCtx()
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        let bytes = [UInt8](rows.utf8)
        var packed = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
        let size = ZSTD_compress2(context, &packed, packed.count, bytes, bytes.count)
        guard ZSTD_isError(size) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return Data(packed[..<size])
    }
}
