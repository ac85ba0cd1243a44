/// A file of geographic data, read one record at a time in flat memory, whatever its size and whatever is in it.
///
/// It is used by one thread.
package final class FeatureFile {
    package struct Options: Sendable {
        /// Nil: told by the content.
        package var format: FeatureFormat?
        /// The column of each part of a position in text formats, instead of those found by name: `latitude` and
        /// `longitude`, or `geometry` for well-known text.
        package var columns: [PositionPart: String] = [:]
        /// The table, layer or archived file to read, where there are several; nil for the only one.
        package var layer: String?

        package init() {}
    }

    package enum PositionPart: String, CaseIterable, Sendable {
        case latitude, longitude, geometry
    }

    package enum Item {
        case feature(Feature)
        case fault(FeatureFault)
    }

    package let format: FeatureFormat
    /// The names of the values of each feature. While a format with names in each record is read, more come at the end.
    package internal(set) var columns: [String] = []
    /// The columns that the positions were taken from, for text formats.
    package internal(set) var positionColumns: [PositionPart: String] = [:]
    /// The system of the coordinates that the file names: `EPSG:2154`, or well-known text; nil if it names none.
    package internal(set) var referenceSystem: String?
    /// What an admin should know, such as "the archive has other files, which were not read".
    package internal(set) var warnings: [String] = []
    /// Bytes of the file, and of those how many were read.
    package let byteCount: Int
    package internal(set) var bytesRead = 0
    /// How many records there are, where the file says it.
    package internal(set) var recordCount: Int?

    /// For its reader.
    let path: String
    let options: Options
    let look: (() throws -> Void)?
    private var reader: (any FeatureReader)?

    /// Opens a file and finds out what it is.
    ///
    /// - Parameter look: is called while bytes are read, also where no record comes of them, for each MB at the least; what
    ///   it throws ends the reading. A GeoPackage is looked at with its records alone.
    /// - Throws: `FeatureFileFault`, or what `look` throws.
    package init(path: String, _ options: Options, look: (() throws -> Void)? = nil) throws {
        self.path = path
        self.options = options
        self.look = look
        let source = try ByteSource(path: path, look: look)
        byteCount = source.byteCount
        let head = UnsafeMutableRawBufferPointer.allocate(byteCount: FormatDetection.headSize, alignment: 16)
        defer { head.deallocate() }
        let count = try source.read(into: head)
        format = try FormatDetection.format(
            of: UnsafeRawBufferPointer(rebasing: head[..<count]), path: path, asked: options.format)
        guard !source.isPacked || !format.needsWholeFile else {
            throw FeatureFileFault("is packed by zstd; unpack it first")
        }
        reader = try format.reader().init(opening: self)
    }

    /// Hands each record to `take`, in the order of the file. It is called once.
    ///
    /// - Throws: `FeatureFileFault`, or what `take` or `look` throws.
    package func read(_ take: (Item) throws -> Void) throws {
        guard let reader else { throw FeatureFileFault("was read before") }
        self.reader = nil
        try reader.read(into: self, take)
    }
}
