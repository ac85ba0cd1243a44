/// Many short texts in one piece of memory, by number.
struct StringTable: Sendable {
    private var bytes: [UInt8] = []
    /// Where each text ends in `bytes`.
    private var ends: [UInt32] = []

    init() {}

    /// The table that `blob` was made of.
    ///
    /// - Throws: `GazetteerError` if the bytes cannot be one.
    init(blob: UnsafeRawBufferPointer) throws {
        let damaged = GazetteerError("a table of names is damaged")
        guard blob.count >= 4 else { throw damaged }
        let count = Int(blob.load(as: UInt32.self))
        guard blob.count >= 4 + 4 * count else { throw damaged }
        ends = [UInt32](blob: UnsafeRawBufferPointer(rebasing: blob[4..<(4 + 4 * count)]))
        bytes = [UInt8](UnsafeRawBufferPointer(rebasing: blob[(4 + 4 * count)...]))
        guard Int(ends.last ?? 0) == bytes.count, zip(ends, ends.dropFirst()).allSatisfy({ $0 <= $1 }) else {
            throw damaged
        }
    }

    /// The table as bytes, in this machine's order: the count, the ends, the texts.
    var blob: [UInt8] {
        withUnsafeBytes(of: UInt32(ends.count)) { [UInt8]($0) } + ends.withUnsafeBytes { [UInt8]($0) } + bytes
    }

    var count: Int { ends.count }

    /// The text of that number.
    subscript(index: Int) -> String {
        let start = index == 0 ? 0 : Int(ends[index - 1])
        return bytes.withUnsafeBufferPointer {
            String(decoding: UnsafeBufferPointer(rebasing: $0[start..<Int(ends[index])]), as: UTF8.self)
        }
    }

    /// Hands over the UTF-8 of the text of that number.
    @inline(__always)
    func withBytes<Result>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let start = index == 0 ? 0 : Int(ends[index - 1])
        return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start..<Int(ends[index])])) }
    }

    /// Adds a text, which gets the next number.
    mutating func append(_ text: some Collection<UInt8>) {
        bytes.append(contentsOf: text)
        ends.append(UInt32(bytes.count))
    }
}
