import FeatureFiles

/// Reads the XML of a file of pins: elements and text, nothing else.
enum XMLReader {
    /// Hands each event to `body`.
    ///
    /// - Throws: `ImportFault` for what is not well-formed or has a document type, or what `body` throws.
    static func forEach(in text: [UInt8], _ body: (XMLStream.Event) throws -> Void) throws {
        do { try XMLStream(text).read(body) } catch let fault as FeatureFileFault {
            throw ImportFault(fault.description)
        }
    }
}
