import Foundation

/// The translations of one language, as GNU gettext compiles them (GNU gettext manual, 10.3, The Format of GNU MO
/// Files). Whatever bytes a file holds, a lookup only answers nil.
struct MessageCatalogue {
    /// Larger files are none that this reads: the largest of iso-codes has 1 MB.
    private static let sizeLimit = 8 << 20

    private let bytes: [UInt8]
    private let isSwapped: Bool
    private let count: Int
    private let ids, texts: Int

    /// Reads a file; nil if there is none or it is no catalogue.
    init?(path: String) {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let size = ftell(file)
        guard (1...Self.sizeLimit).contains(size) else { return nil }
        rewind(file)
        var bytes = [UInt8](repeating: 0, count: size)
        guard fread(&bytes, 1, size, file) == size else { return nil }
        self.init(bytes)
    }

    /// Nil if the header is none, or its tables do not lie within the bytes.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard bytes.count >= 28 else { return nil }
        switch Self.word(bytes, 0, false) {
        case 0x9504_12DE: isSwapped = false
        case 0xDE12_0495: isSwapped = true
        default: return nil
        }
        let major = Self.word(bytes, 4, isSwapped) >> 16
        count = Int(Self.word(bytes, 8, isSwapped))
        ids = Int(Self.word(bytes, 12, isSwapped))
        texts = Int(Self.word(bytes, 16, isSwapped))
        guard major <= 1, count <= bytes.count / 16, ids <= bytes.count - 8 * count, texts <= bytes.count - 8 * count
        else { return nil }
    }

    /// The translation of a text; nil if there is none. Of plural forms it is the first.
    subscript(id: String) -> String? {
        var id = id
        return id.withUTF8 { id in
            // The ids are in the order of their bytes.
            var (low, high) = (0, count)
            while low < high {
                let middle = (low + high) / 2
                guard let candidate = text(ids, middle) else { return nil }
                if candidate.lexicographicallyPrecedes(id) { low = middle + 1 } else { high = middle }
            }
            guard low < count, let found = text(ids, low), found.elementsEqual(id), let text = text(texts, low),
                !text.isEmpty
            else { return nil }
            return String(validating: text, as: UTF8.self)
        }
    }

    /// A text of a table up to its first NUL, behind which plural forms stand.
    private func text(_ table: Int, _ index: Int) -> ArraySlice<UInt8>? {
        let length = Int(Self.word(bytes, table + 8 * index, isSwapped))
        let start = Int(Self.word(bytes, table + 8 * index + 4, isSwapped))
        guard length <= bytes.count, start <= bytes.count - length else { return nil }
        return bytes[start..<(start + length)].prefix { $0 != 0 }
    }

    private static func word(_ bytes: [UInt8], _ offset: Int, _ isSwapped: Bool) -> UInt32 {
        let word = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
        return isSwapped ? word.byteSwapped : UInt32(littleEndian: word)
    }
}
