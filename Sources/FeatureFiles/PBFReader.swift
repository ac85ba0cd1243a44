import CZlib
import CZstd

/// Nodes with tags of OpenStreetMap's binary form (https://wiki.openstreetmap.org/wiki/PBF_Format).
///
/// It is read here and not by libosmium or readosm: of the format's messages three hold nodes, and where every length and
/// index of a hostile file is checked by the language, nothing of C or C++ has to be trusted with it.
final class PBFReader: FeatureReader {
    /// Of the format: a header of a blob is at most 64 KiB, a blob unpacked at most 32 MiB.
    private static let mostHeaderBytes = 64 << 10
    private static let mostBlobBytes = 32 << 20
    private static let features: Set<String> = ["OsmSchema-V0.6", "DenseNodes", "HistoricalInformation"]

    private let source: ByteSource
    private let columns: RecordColumns
    private var nodes = 0
    private var othersTagged = 0

    init(opening file: FeatureFile) throws {
        source = try ByteSource(path: file.path, look: file.look)
        file.referenceSystem = "OGC:CRS84"
        columns = RecordColumns(file, ["name"])
        guard let (kind, blob) = try nextBlob(), kind == "OSMHeader" else { throw Self.damaged("it has no header") }
        try Self.reading { () throws(ProtocolBuffer.Fault) in
            var header = ProtocolBuffer(try Self.unpacked(blob)[...])
            while let field = try header.next() {
                guard field.number == 4 else { continue }
                let feature = String(decoding: try field.bytes(), as: UTF8.self)
                guard Self.features.contains(feature) else {
                    throw ProtocolBuffer.Fault(message: "it needs \(feature.prefix(60)), which is not known")
                }
            }
        }
    }

    func read(into file: FeatureFile, _ take: (FeatureFile.Item) throws -> Void) throws {
        while let (kind, blob) = try nextBlob() {
            file.bytesRead = source.position
            // Readers pass over kinds that they do not know.
            guard kind == "OSMData" else { continue }
            let block = try Self.reading { () throws(ProtocolBuffer.Fault) in
                try PBFBlock(try Self.unpacked(blob)[...])
            }
            for group in block.groups {
                // The records of a group are read before they are handed on, so that its errors are told apart.
                let found = try Self.reading { () throws(ProtocolBuffer.Fault) in
                    try PBFGroup.nodes(of: group, in: block)
                }
                othersTagged += found.othersTagged
                for node in found.nodes {
                    nodes += 1
                    guard node.isVisible, !node.tags.isEmpty else { continue }
                    var values = RecordValues()
                    for tag in node.tags { values.set(block.text(tag.key), block.text(tag.value), columns) }
                    try take(
                        OSMReader.item(
                            row: nodes, id: node.id, position: node.position, values: &values, columns))
                }
            }
        }
        file.bytesRead = source.position
        if othersTagged > 0 { file.warnings.append(OSMReader.warning(othersTagged)) }
    }

    private static func damaged(_ reason: String) -> FeatureFileFault {
        FeatureFileFault("is damaged OpenStreetMap PBF: \(reason)")
    }

    private static func reading<T>(_ body: () throws(ProtocolBuffer.Fault) -> T) throws -> T {
        do { return try body() } catch { throw damaged(error.message) }
    }

    // MARK: Blobs

    /// The kind of the next blob and its bytes, packed; nil at the end.
    private func nextBlob() throws -> (kind: String, blob: [UInt8])? {
        let length = try source.bytes(4)
        if length.isEmpty { return nil }
        let headerSize = length.reduce(0) { $0 << 8 | Int($1) }
        guard length.count == 4, headerSize <= Self.mostHeaderBytes else { throw Self.damaged("a header is too long") }
        let bytes = try source.bytes(headerSize)
        guard bytes.count == headerSize else { throw Self.damaged("it ends too early") }
        let (kind, size) = try Self.reading { () throws(ProtocolBuffer.Fault) in
            var header = ProtocolBuffer(bytes[...])
            var (kind, size) = ("", 0)
            while let field = try header.next() {
                if field.number == 1 { kind = String(decoding: try field.bytes().prefix(40), as: UTF8.self) }
                if field.number == 3 { size = Int(truncatingIfNeeded: try field.integer()) }
            }
            return (kind, size)
        }
        guard size >= 0, size <= Self.mostBlobBytes + 4096 else { throw Self.damaged("a blob is too long") }
        let blob = try source.bytes(size)
        guard blob.count == size else { throw Self.damaged("it ends too early") }
        return (kind, blob)
    }

    private static func unpacked(_ blob: [UInt8]) throws(ProtocolBuffer.Fault) -> [UInt8] {
        var message = ProtocolBuffer(blob[...])
        var size = 0
        var packed: (number: Int, bytes: ArraySlice<UInt8>)?
        while let field = try message.next() {
            switch field.number {
            case 1: return Array(try field.bytes())
            case 2: size = Int(truncatingIfNeeded: try field.integer())
            case 3, 7: packed = (field.number, try field.bytes())
            case 4, 6: throw ProtocolBuffer.Fault(message: "it is packed by lz4 or lzma; pack it with zlib instead")
            default: break
            }
        }
        guard let packed else { throw ProtocolBuffer.Fault(message: "a blob is empty") }
        guard size >= 0, size <= mostBlobBytes else {
            throw ProtocolBuffer.Fault(message: "a blob unpacks to too much")
        }
        var result = [UInt8](repeating: 0, count: size)
        let isWhole = result.withUnsafeMutableBytes { target in
            packed.bytes.withUnsafeBytes { source in
                if packed.number == 7 {
                    return ZSTD_decompress(target.baseAddress, size, source.baseAddress, source.count) == size
                }
                var count = uLongf(size)
                let status = uncompress(
                    target.assumingMemoryBound(to: UInt8.self).baseAddress, &count,
                    source.assumingMemoryBound(to: UInt8.self).baseAddress, uLong(source.count))
                return status == Z_OK && count == uLongf(size)
            }
        }
        guard isWhole else { throw ProtocolBuffer.Fault(message: "a blob cannot be unpacked") }
        return result
    }
}
