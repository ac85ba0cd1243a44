/// Finds the route of a request: a tree of path parts, where literal parts win over parameters, parameters with a suffix
/// over those without, and all of them over a parameter that takes the rest of the path.
package struct Router: Sendable {
    package private(set) var routes: [Route] = []
    /// Within these paths a slash at the end says nothing. They have none themselves.
    package var slashedPaths: [String] = []
    private var nodes = [Node()]

    private struct Node: Sendable {
        var literals: [(part: [UInt8], node: Int)] = []
        /// Where a parameter leads, whatever it is called: names belong to the routes. The longest suffix comes first.
        var parameters: [(suffix: [UInt8], node: Int)] = []
        /// Where all that is left of a path leads.
        var rest: Int?
        /// Indices into `routes`, one for each method.
        var routes: [Int] = []
    }

    package init() {}

    package mutating func get(_ pattern: String, bodyLimit: Int? = nil, _ execution: Execution) {
        add(Route(method: "GET", pattern: pattern, execution: execution, bodyLimit: bodyLimit))
    }

    package mutating func post(_ pattern: String, bodyLimit: Int? = nil, _ execution: Execution) {
        add(Route(method: "POST", pattern: pattern, execution: execution, bodyLimit: bodyLimit))
    }

    /// A POST whose body goes into a file.
    package mutating func post(_ pattern: String, bodyLimit: Int, upload: Route.Upload, _ execution: Execution) {
        add(Route(method: "POST", pattern: pattern, execution: execution, bodyLimit: bodyLimit, upload: upload))
    }

    package mutating func put(_ pattern: String, bodyLimit: Int? = nil, _ execution: Execution) {
        add(Route(method: "PUT", pattern: pattern, execution: execution, bodyLimit: bodyLimit))
    }

    package mutating func patch(_ pattern: String, bodyLimit: Int? = nil, _ execution: Execution) {
        add(Route(method: "PATCH", pattern: pattern, execution: execution, bodyLimit: bodyLimit))
    }

    package mutating func delete(_ pattern: String, bodyLimit: Int? = nil, _ execution: Execution) {
        add(Route(method: "DELETE", pattern: pattern, execution: execution, bodyLimit: bodyLimit))
    }

    /// Adds a route. A pattern without a leading `/` and a second route for the same requests are faults of the program.
    package mutating func add(_ route: Route) {
        precondition(route.pattern.utf8.first == UInt8(ascii: "/"), "\(route.pattern) does not start with /")
        let rest = route.pattern.utf8.firstIndex(of: UInt8(ascii: "*"))
        precondition(
            rest.map { !route.pattern.utf8[$0...].contains(UInt8(ascii: "/")) } ?? true,
            "\(route.pattern) goes on behind what takes the rest")
        var node = 0
        for part in route.pattern.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            node = child(of: node, for: Array(part))
        }
        precondition(
            !nodes[node].routes.contains { routes[$0].method == route.method },
            "\(route.method) \(route.pattern) is there already")
        nodes[node].routes.append(routes.count)
        routes.append(route)
    }

    private mutating func child(of node: Int, for part: [UInt8]) -> Int {
        if part.first == UInt8(ascii: "*") {
            if let rest = nodes[node].rest { return rest }
            nodes[node].rest = nodes.count
            nodes.append(Node())
            return nodes.count - 1
        }
        let isParameter = part.first == UInt8(ascii: ":")
        let suffix = Array(Self.suffix(of: part[...]))
        if isParameter, let known = nodes[node].parameters.first(where: { $0.suffix == suffix }) { return known.node }
        if !isParameter, let known = nodes[node].literals.first(where: { $0.part == part }) { return known.node }
        let new = nodes.count
        if isParameter {
            nodes[node].parameters.append((suffix, new))
            nodes[node].parameters.sort { $0.suffix.count > $1.suffix.count }
        } else {
            nodes[node].literals.append((part, new))
        }
        nodes.append(Node())
        return new
    }

    /// The route for a method and a percent-encoded path, and its parameters, decoded.
    ///
    /// - Throws: `HTTPError.malformed` if the path's encoding is broken, `.notFound`, or `.methodNotAllowed` with all
    ///   methods of the path. `HEAD` finds `GET`.
    package func match(method: String, path: String) throws -> (route: Route, parameters: [Header]) {
        var path = withoutSlash(path)
        return try path.withUTF8 { path in
            var ranges: [Range<Int>] = []
            guard let node = try find(path, method: method == "HEAD" ? "GET" : method, &ranges) else {
                throw HTTPError.notFound
            }
            let wanted = method == "HEAD" ? "GET" : method
            guard let index = nodes[node].routes.first(where: { routes[$0].method == wanted }) else {
                throw HTTPError.methodNotAllowed(allow: allowed(at: node))
            }
            let route = routes[index]
            return (route, ranges.isEmpty ? [] : parameters(of: route, path, ranges))
        }
    }

    /// The methods that a path has, `HEAD` and `OPTIONS` included; empty if there is no such path.
    package func allowedMethods(path: String) throws -> [String] {
        var path = withoutSlash(path)
        return try path.withUTF8 { path in
            var ranges: [Range<Int>] = []
            guard let node = try find(path, method: nil, &ranges) else { return [] }
            return allowed(at: node)
        }
    }

    private func withoutSlash(_ path: String) -> String {
        path.utf8.last == UInt8(ascii: "/") && slashedPaths.contains { path.hasPrefix($0 + "/") }
            ? String(path.dropLast()) : path
    }

    private func allowed(at node: Int) -> [String] {
        var methods = nodes[node].routes.map { routes[$0].method }
        if methods.contains("GET") { methods.append("HEAD") }
        methods.append("OPTIONS")
        return methods.sorted()
    }

    /// The node whose route has the method or, failing that, the first one that has any route.
    private func find(
        _ path: UnsafeBufferPointer<UInt8>, method: String?, _ ranges: inout [Range<Int>]
    ) throws -> Int? {
        guard path.first == UInt8(ascii: "/") else { throw HTTPError.malformed("the path must start with /") }
        try Self.check(path)
        var other: Int?
        if let node = search(path, from: 1, at: 0, method, &ranges, &other) { return node }
        return other
    }

    private func search(
        _ path: UnsafeBufferPointer<UInt8>, from start: Int, at node: Int, _ method: String?,
        _ ranges: inout [Range<Int>], _ other: inout Int?
    ) -> Int? {
        var end = start
        var escaped = false
        while end < path.count, path[end] != UInt8(ascii: "/") {
            escaped = escaped || path[end] == UInt8(ascii: "%")
            end += 1
        }
        let part = path[start..<end]
        func follow(_ child: Int, _ ranges: inout [Range<Int>], _ other: inout Int?) -> Int? {
            if end < path.count { return search(path, from: end + 1, at: child, method, &ranges, &other) }
            if nodes[child].routes.isEmpty { return nil }
            if method == nil || nodes[child].routes.contains(where: { routes[$0].method == method }) { return child }
            if other == nil { other = child }
            return nil
        }
        // An escaped literal is the same resource (RFC 3986, 6.2.2.2).
        let decoded = escaped ? PercentEncoding.decode(part).map { Array($0.utf8) } : nil
        for (literal, child) in nodes[node].literals
        where decoded.map({ $0 == literal }) ?? part.elementsEqual(literal) {
            if let found = follow(child, &ranges, &other) { return found }
        }
        for (suffix, child) in nodes[node].parameters {
            guard
                decoded.map({ $0.count > suffix.count && $0.suffix(suffix.count) == suffix[...] })
                    ?? (part.count > suffix.count && part.suffix(suffix.count).elementsEqual(suffix))
            else { continue }
            ranges.append(start..<end)
            if let found = follow(child, &ranges, &other) { return found }
            ranges.removeLast()
        }
        guard let rest = nodes[node].rest, start < path.count else { return nil }
        ranges.append(start..<path.count)
        if method == nil || nodes[rest].routes.contains(where: { routes[$0].method == method }) { return rest }
        ranges.removeLast()
        if other == nil { other = rest }
        return nil
    }

    private func parameters(
        of route: Route, _ path: UnsafeBufferPointer<UInt8>, _ ranges: [Range<Int>]
    ) -> [Header] {
        var ranges = ranges[...]
        var parameters: [Header] = []
        for part in route.pattern.utf8.split(separator: UInt8(ascii: "/"))
        where part.first == UInt8(ascii: ":") || part.first == UInt8(ascii: "*") {
            guard let range = ranges.popFirst() else { break }
            let value = PercentEncoding.decode(path[range]) ?? ""  // `check` has decoded the whole path already
            let suffix = Self.suffix(of: part)
            parameters.append(
                Header(
                    String(part.dropFirst().dropLast(suffix.count)) ?? "",
                    String(value.utf8.dropLast(suffix.count)) ?? ""))
        }
        return parameters
    }

    /// What follows the name of a parameter: its first dot and the rest.
    private static func suffix<Part: Collection<UInt8>>(of part: Part) -> Part.SubSequence {
        part.drop { $0 != UInt8(ascii: ".") }
    }

    /// Refuses a path that does not decode: a broken escape, NUL, or bytes that are not UTF-8.
    private static func check(_ path: UnsafeBufferPointer<UInt8>) throws {
        guard path.contains(UInt8(ascii: "%")) else { return }
        guard PercentEncoding.decode(path) != nil else {
            throw HTTPError.malformed("the path is not percent-encoded UTF-8")
        }
    }
}
