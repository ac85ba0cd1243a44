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
            bytes.withUnsafeBytes { bytes in
                // The ids are in the order of their bytes.
                var (low, high) = (0, count)
                while low < high {
                    let middle = (low + high) / 2
                    guard let candidate = text(bytes, ids, middle) else { return nil }
                    let order = Self.compare(candidate, UnsafeRawBufferPointer(id))
                    if order == 0 {
                        guard let text = text(bytes, texts, middle), !text.isEmpty else { return nil }
                        return String(validating: text, as: UTF8.self)
                    }
                    if order < 0 { low = middle + 1 } else { high = middle }
                }
                return nil
            }
        }
    }

    /// A text of a table up to its first NUL, behind which plural forms stand.
    private func text(_ bytes: UnsafeRawBufferPointer, _ table: Int, _ index: Int) -> UnsafeRawBufferPointer? {
        func word(_ offset: Int) -> Int {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            return Int(isSwapped ? word.byteSwapped : UInt32(littleEndian: word))
        }
        let (length, start) = (word(table + 8 * index), word(table + 8 * index + 4))
        guard length <= bytes.count, start <= bytes.count - length, let base = bytes.baseAddress else { return nil }
        let end = memchr(base + start, 0, length).map { UnsafeRawPointer($0) - (base + start) } ?? length
        return UnsafeRawBufferPointer(start: base + start, count: end)
    }

    /// Less than 0, 0 or more, as `a` is before `b`, the same or behind it.
    private static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        if let start = a.baseAddress, let other = b.baseAddress {
            let order = memcmp(start, other, min(a.count, b.count))
            if order != 0 { return Int(order) }
        }
        return a.count - b.count
    }

    private static func word(_ bytes: [UInt8], _ offset: Int, _ isSwapped: Bool) -> UInt32 {
        let word = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
        return isSwapped ? word.byteSwapped : UInt32(littleEndian: word)
    }
}
