import Glibc

/// The parts of a `multipart/form-data` body (RFC 7578) that was written to a file: small ones as text, one as a file.
package struct MultipartFile {
    /// By their names, in order.
    package private(set) var fields: [(name: String, value: String)] = []
    /// The part with a file name.
    package private(set) var file: (name: String, fileName: String, range: Range<Int>)?

    /// Of a part that is text.
    private static let fieldLimit = 64 << 10
    private static let partLimit = 64
    private static let headLimit = 8 << 10
    /// Of what may stand ahead of the first boundary and says nothing (RFC 2046, 5.1.1).
    private static let preambleLimit = 64 << 10
    private static let block = 1 << 20

    /// - Parameter contentType: the request's.
    /// - Throws: `HTTPError` 400 for what is not such a body, has a part that is too long, or two files; `SpoolFailure`.
    package init(_ upload: UploadedFile, contentType: String) throws {
        guard let boundary = Self.boundary(in: contentType) else {
            throw HTTPError.malformed("multipart/form-data has no boundary")
        }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        guard var at = try Self.start(of: upload, delimiter) else {
            throw HTTPError.malformed("the body does not begin with the boundary")
        }
        while true {
            if try upload.read(at: at, limit: 2) == Array("--".utf8) { return }
            guard let line = try Self.lineEnd(in: upload, at: at) else {
                throw HTTPError.malformed("a boundary is not followed by a line end")
            }
            let head = try Self.head(of: upload, at: line)
            let start = line + head.count + 4
            guard let end = try Self.find(delimiter, in: upload, from: start) else {
                throw HTTPError.malformed("the body ends within a part")
            }
            try take(Self.disposition(head), start..<end, upload)
            at = end + delimiter.count
        }
    }

    /// Where the first boundary ends: at the start of the body without a line end before it, or behind a preamble. Nil for
    /// none.
    private static func start(of upload: UploadedFile, _ delimiter: [UInt8]) throws -> Int? {
        // As if the body began with a line end.
        let head = try [0x0D, 0x0A] + upload.read(at: 0, limit: preambleLimit + delimiter.count)
        var from = 0
        while let found = position(of: delimiter, in: Array(head[from...])) {
            let end = from + found + delimiter.count - 2
            // A line of the preamble may begin as the boundary does.
            let isLast = try upload.read(at: end, limit: 2) == Array("--".utf8)
            if try isLast || lineEnd(in: upload, at: end) != nil { return end }
            from += found + delimiter.count
        }
        return nil
    }

    /// Where the next line begins, if there is nothing but blanks before it, which mail programs may have put there.
    private static func lineEnd(in upload: UploadedFile, at start: Int) throws -> Int? {
        let bytes = try upload.read(at: start, limit: 256)
        let blanks = bytes.prefix { $0 == 0x20 || $0 == 0x09 }.count
        return bytes.dropFirst(blanks).starts(with: [0x0D, 0x0A]) ? start + blanks + 2 : nil
    }

    private mutating func take(
        _ part: (name: String, fileName: String?), _ range: Range<Int>, _ upload: UploadedFile
    ) throws {
        if let fileName = part.fileName {
            guard file == nil else { throw HTTPError.badRequest(part.name, "is a second file") }
            file = (part.name, fileName, range)
            return
        }
        guard fields.count < Self.partLimit else { throw HTTPError.malformed("the body has too many parts") }
        guard range.count <= Self.fieldLimit else {
            throw HTTPError.badRequest(part.name, "must be at most \(Self.fieldLimit) bytes")
        }
        let bytes = try upload.read(at: range.lowerBound, limit: range.count)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HTTPError.badRequest(part.name, "is not UTF-8")
        }
        fields.append((part.name, text))
    }

    private static func boundary(in contentType: String) -> String? {
        let parameter = contentType.split(separator: ";").dropFirst().lazy.map { $0.drop { $0 == " " } }
            .first { $0.lowercased().hasPrefix("boundary=") }
        guard let parameter else { return nil }
        let value = parameter.dropFirst("boundary=".count).filter { $0 != "\"" }
        return (1...70).contains(value.utf8.count) ? value : nil
    }

    /// The header lines of a part, without the empty line behind them.
    private static func head(of upload: UploadedFile, at start: Int) throws -> [UInt8] {
        let bytes = try upload.read(at: start, limit: headLimit)
        guard let end = position(of: Array("\r\n\r\n".utf8), in: bytes) else {
            throw HTTPError.malformed("the head of a part is too long or does not end")
        }
        return Array(bytes[..<end])
    }

    /// What `Content-Disposition` says.
    private static func disposition(_ head: [UInt8]) throws -> (name: String, fileName: String?) {
        for line in String(decoding: head, as: UTF8.self).components(byLineEnds: "\r\n") {
            guard line.lowercased().hasPrefix("content-disposition:") else { continue }
            if let name = parameter("name", of: String(line)) {
                return (shortened(name), parameter("filename", of: String(line)).map(shortened))
            }
        }
        throw HTTPError.malformed("a part has no name")
    }

    /// A quoted value; browsers write a quotation mark in it as `%22`.
    private static func parameter(_ name: String, of line: String) -> String? {
        for piece in line.split(separator: ";").dropFirst() {
            let piece = piece.drop { $0 == " " }
            guard piece.lowercased().hasPrefix(name + "=") else { continue }
            return String(piece.dropFirst(name.count + 1).drop { $0 == "\"" }.prefix { $0 != "\"" })
        }
        return nil
    }

    private static func find(_ delimiter: [UInt8], in upload: UploadedFile, from start: Int) throws -> Int? {
        var at = start
        while at < upload.count {
            let bytes = try upload.read(at: at, limit: block + delimiter.count)
            if let found = position(of: delimiter, in: bytes) { return at + found }
            at += block
        }
        return nil
    }

    /// - Parameter needle: begins with a byte that is rare.
    private static func position(of needle: [UInt8], in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return nil }
            var at = 0
            while bytes.count - at >= needle.count {
                let room = bytes.count - at - needle.count + 1
                guard let found = memchr(start + at, Int32(needle[0]), room) else { return nil }
                at = UnsafeRawPointer(found) - start
                if memcmp(start + at, needle, needle.count) == 0 { return at }
                at += 1
            }
            return nil
        }
    }
}

extension String {
    fileprivate func components(byLineEnds end: String) -> [Substring] {
        split(omittingEmptySubsequences: true) { $0 == "\r\n" || $0 == "\n" }
    }
}
