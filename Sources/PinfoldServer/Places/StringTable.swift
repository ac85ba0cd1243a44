/// Many short texts in one piece of memory, by number.
struct StringTable: Sendable {
    private var bytes: [UInt8] = []
    /// Where each text ends in `bytes`.
    private var ends: [UInt32] = []

    init() {}

    /// What is stored for `MappedTexts`, under names that begin so.
    func parts(_ name: String) -> [(name: String, content: [UInt8])] {
        MappedTexts.parts(name, ends: ends, bytes)
    }

    var count: Int { ends.count }

    /// The text of that number.
    subscript(index: Int) -> String {
        let start = index == 0 ? 0 : Int(ends[index - 1])
        return bytes.withUnsafeBufferPointer {
            String(decoding: UnsafeBufferPointer(rebasing: $0[start..<Int(ends[index])]), as: UTF8.self)
        }
    }

    /// Adds a text, which gets the next number.
    mutating func append(_ text: some Collection<UInt8>) {
        bytes.append(contentsOf: text)
        ends.append(UInt32(bytes.count))
    }
}
