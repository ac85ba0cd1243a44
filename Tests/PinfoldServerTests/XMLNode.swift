import Foundation
import FoundationXML

/// An element of an XML document, as libxml2 reads it.
final class XMLNode {
    let name: String
    let namespace: String
    let attributes: [String: String]
    private(set) var children: [XMLNode] = []
    private var content = ""

    /// Nil if there is an element in it.
    var text: String? { children.isEmpty ? content : nil }

    private init(_ name: String, _ namespace: String, _ attributes: [String: String]) {
        self.name = name
        self.namespace = namespace
        self.attributes = attributes
    }

    /// The first child of that local name.
    subscript(name: String) -> XMLNode? { children.first { $0.name == name } }

    /// The root of a document.
    ///
    /// - Throws: what libxml2 says of a document that is not well-formed.
    static func parse(_ bytes: [UInt8]) throws -> XMLNode {
        let parser = XMLParser(data: Data(bytes))
        parser.shouldProcessNamespaces = true
        let builder = Builder()
        parser.delegate = builder
        guard parser.parse(), let root = builder.document.children.first else {
            throw parser.parserError ?? NotWellFormed()
        }
        return root
    }

    private struct NotWellFormed: Error {}

    private final class Builder: NSObject, XMLParserDelegate {
        let document = XMLNode("", "", [:])
        private lazy var open = [document]

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            let node = XMLNode(name, namespaceURI ?? "", attributes)
            open.last?.children.append(node)
            open.append(node)
        }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            open.removeLast()
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.content += text }
    }
}
