import HTTP
import SocialModel

extension OpenAPI {
    /// One call: a method on a path.
    struct Operation: Sendable {
        /// As the document spells them.
        enum Method: String, Sendable {
            case get, post, put, patch, delete
        }

        /// How the call runs, which decides what may go wrong with any input.
        enum Work: Sendable {
            /// A page for people, which takes any query.
            case page
            /// Needs nothing but memory.
            case memory
            case read
            case write
        }

        /// Who may call.
        enum Access: Sendable {
            case everyone
            /// Who is signed in, and API tokens with the scope `read` for what reads and `write` for what writes.
            case token
            /// Who is signed in, and API tokens with the scope.
            case scoped(APIToken.Scope)
            /// Who is signed in, and no API token.
            case session
            /// With a token the answer has more.
            case tokenOrNone
        }

        /// What the call is sent.
        struct Body: Sendable {
            /// The name of a schema.
            let schema: String
            var mediaTypes = ["application/json"]
            /// Whatever its `Content-Type` says, it is taken.
            var isFile = false
            var isRequired = true

            static func json(_ schema: String) -> Body { Body(schema: schema) }

            /// The bytes of a file.
            static func file(_ schema: String, _ mediaTypes: [String]) -> Body {
                Body(schema: schema, mediaTypes: mediaTypes, isFile: true)
            }

            /// RFC 7396; plain JSON is taken for it.
            static func mergePatch(_ schema: String) -> Body {
                Body(schema: schema, mediaTypes: ["application/merge-patch+json", "application/json"])
            }
        }

        let method: Method
        let path: String
        let id: String
        let summary: String
        let description: String
        let work: Work
        let access: Access
        let parameters: [String]
        let body: Body?
        let answers: [Answer]
        let refusals: [Refusal]
        let conflicts: KeyValuePairs<String, String>

        /// - Parameters:
        ///   - path: with each parameter as `{name}`; there must be a parameter component of that name.
        ///   - id: unique, a verb and its object: generated clients name their functions after it.
        ///   - summary: a line, without a full stop.
        ///   - description: what the summary and the schemas do not say; `code` in backquotes.
        ///   - parameters: names of parameter components, besides those of the path. Conditional and idempotent calls
        ///     name `IfNoneMatch`, `IfMatch`, `IdempotencyKey`, and have the answers that come with them.
        ///   - answers: those of success.
        ///   - refusals: those that the other arguments do not imply.
        ///   - conflicts: for 409, the slug of each problem and when it comes.
        init(
            _ method: Method, _ path: String, _ id: String, _ summary: String, _ description: String = "", work: Work,
            access: Access = .token, parameters: [String] = [], body: Body? = nil, answers: [Answer],
            refusals: [Refusal] = [], conflicts: KeyValuePairs<String, String> = [:]
        ) {
            self.method = method
            self.path = path
            self.id = id
            self.summary = summary
            self.description = description
            self.work = work
            self.access = access
            self.parameters =
                path.split(separator: "/").filter { $0.first == "{" }.map {
                    String($0.dropFirst().prefix { $0 != "}" })
                } + parameters
            self.body = body
            self.answers = answers
            self.refusals = refusals
            self.conflicts = conflicts
        }

        /// The refusals that were named and those that follow from the rest.
        private var allRefusals: Set<Refusal> {
            var all = Set(refusals)
            switch work {
            case .page: break
            case .memory: all.insert(.invalid)
            case .read: all.formUnion([.invalid, .internalError])
            case .write: all.formUnion([.invalid, .internalError, .unavailable, .insufficientStorage])
            }
            if !isOpen { all.insert(.unauthorized) }
            if !isOpen || method != .get { all.insert(.forbidden) }
            if path.contains("{") { all.insert(.notFound) }
            if let body {
                all.insert(.contentTooLarge)
                if !body.isFile { all.insert(.unsupportedMediaType) }
            }
            if parameters.contains("IfMatch") { all.insert(.preconditionFailed) }
            if parameters.contains("IdempotencyKey") { all.insert(.idempotencyKeyReused) }
            return all
        }

        private var isOpen: Bool { if case .everyone = access { true } else { false } }

        /// What lets a request in.
        private var security: String {
            func list(_ scope: APIToken.Scope) -> String {
                #"{"bearer": ["\#(scope.rawValue)"]}, {"basic": ["\#(scope.rawValue)"]}, {"cookie": []}"#
            }
            return switch access {
            case .everyone: "[]"
            case .token: "[\(list(method == .get ? .read : .write))]"
            case .scoped(let scope): "[\(list(scope))]"
            case .session: #"[{"bearer": []}, {"cookie": []}]"#
            case .tokenOrNone: "[{}, \(list(.read))]"
            }
        }

        func write(tag: String, to json: inout JSONWriter) {
            json.object { json in
                json.key("operationId")
                json.string(id)
                json.key("tags")
                json.array { $0.string(tag) }
                json.key("summary")
                json.string(summary)
                if !description.isEmpty {
                    json.key("description")
                    json.string(description)
                }
                json.key("security")
                json.raw(Array(security.utf8))
                if !parameters.isEmpty {
                    json.key("parameters")
                    json.array { json in
                        for parameter in parameters { json.reference("parameters", parameter) }
                    }
                }
                if let body {
                    json.key("requestBody")
                    writeBody(body, to: &json)
                }
                json.key("responses")
                json.object { writeResponses(to: &$0) }
            }
        }

        private func writeBody(_ body: Body, to json: inout JSONWriter) {
            json.object { json in
                json.key("required")
                json.bool(body.isRequired)
                json.key("content")
                json.object { json in
                    for type in body.mediaTypes {
                        json.key(escaping: type)
                        json.object { json in
                            json.key("schema")
                            json.reference("schemas", body.schema)
                        }
                    }
                }
            }
        }

        /// By status.
        private func writeResponses(to json: inout JSONWriter) {
            for answer in answers {
                json.key(escaping: String(answer.status))
                answer.write(to: &json)
            }
            if parameters.contains("IfNoneMatch") {
                json.key("304")
                json.reference("responses", "NotModified")
            }
            let refusals = allRefusals.sorted { $0.status < $1.status }
            for refusal in refusals where refusal.status < 409 { write(refusal, to: &json) }
            if !conflicts.isEmpty {
                json.key("409")
                writeConflicts(to: &json)
            }
            for refusal in refusals where refusal.status > 409 { write(refusal, to: &json) }
        }

        private func write(_ refusal: Refusal, to json: inout JSONWriter) {
            json.key(escaping: String(refusal.status))
            json.reference("responses", refusal.rawValue)
        }

        private func writeConflicts(to json: inout JSONWriter) {
            let cases = conflicts.map { "`\($0.key)`: \($0.value)" }.joined(separator: "; ")
            Refusal.writeAnswer("What is there already is in the way. \(cases).", to: &json)
        }
    }
}

extension JSONWriter {
    /// A reference to a component of the document.
    mutating func reference(_ kind: StaticString, _ name: String) {
        object { json in
            json.key("$ref")
            json.string("#/components/\(kind)/\(name)")
        }
    }
}
