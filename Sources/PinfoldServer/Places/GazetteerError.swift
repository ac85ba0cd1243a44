/// Why the gazetteer cannot be loaded or opened, as one line for whoever starts the server.
package struct GazetteerError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
