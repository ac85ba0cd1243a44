import Testing

@testable import HTTP

@Suite struct RouterTests {
    private func router(_ patterns: [String]) -> Router {
        var router = Router()
        for pattern in patterns { router.get(pattern, .immediate { _ in .noContent }) }
        return router
    }

    @Test func literalsWinOverParametersInAnyOrder() throws {
        for patterns in [["/a/:x", "/a/b", "/:y/b"], ["/:y/b", "/a/b", "/a/:x"]] {
            let router = router(patterns)
            #expect(try router.match(method: "GET", path: "/a/b").route.pattern == "/a/b")
            let match = try router.match(method: "GET", path: "/a/c")
            #expect(match.route.pattern == "/a/:x" && match.parameters == [Header("x", "c")])
            #expect(try router.match(method: "GET", path: "/c/b").parameters == [Header("y", "c")])
        }
    }

    @Test func literalThatLeadsNowhereGivesWayToParameter() throws {
        var router = router(["/a/b/c"])
        router.get("/a/:x/d", .immediate { _ in .noContent })
        router.post("/a/:x/c", .immediate { _ in .noContent })
        #expect(try router.match(method: "GET", path: "/a/b/d").parameters == [Header("x", "b")])
        #expect(try router.match(method: "POST", path: "/a/b/c").parameters == [Header("x", "b")])
    }

    @Test func parametersTakeOneNonEmptyPart() {
        let router = router(["/a/:x", "/a/:x/b"])
        for path in ["/a/", "/a", "/a//b", "/a/x/", "//a/x", "/A/x", "/"] {
            #expect(throws: HTTPError.self, "\(path)") { try router.match(method: "GET", path: path) }
        }
    }

    @Test func theRestOfAPathIsTakenWholeAndLast() throws {
        for patterns in [["/a/:v/*rest", "/a/b/c", "/a/:v/:x.js"], ["/a/:v/:x.js", "/a/b/c", "/a/:v/*rest"]] {
            var router = router(patterns)
            router.post("/a/:v/:x", .immediate { _ in .noContent })
            for (path, pattern, parameters) in [
                ("/a/1/x/y.css", "/a/:v/*rest", ["1", "x/y.css"]), ("/a/1/x", "/a/:v/*rest", ["1", "x"]),
                ("/a/1/x.js", "/a/:v/:x.js", ["1", "x"]), ("/a/1/d/x.js", "/a/:v/*rest", ["1", "d/x.js"]),
                ("/a/b/c", "/a/b/c", []), ("/a/b/c/", "/a/:v/*rest", ["b", "c/"]),
                ("/a/1//x", "/a/:v/*rest", ["1", "/x"]), ("/a/1/../x", "/a/:v/*rest", ["1", "../x"]),
                ("/a/1/%2e%2E%2Fx", "/a/:v/*rest", ["1", "../x"]),
            ] {
                let match = try router.match(method: "GET", path: path)
                #expect(match.route.pattern == pattern && match.parameters.map(\.value) == parameters, "\(path)")
            }
            for path in ["/a", "/a/1", "/a/1/"] {
                #expect(throws: HTTPError.self, "\(path)") { try router.match(method: "GET", path: path) }
            }
            #expect(try router.allowedMethods(path: "/a/1/x/y") == ["GET", "HEAD", "OPTIONS"])
        }
    }

    @Test func aSuffixIsNeededAndNotPartOfTheParameter() throws {
        for patterns in [
            ["/t/:y.mvt", "/t/:y.mvt.gz", "/u/:x", "/u/:x.a"], ["/u/:x.a", "/u/:x", "/t/:y.mvt.gz", "/t/:y.mvt"],
        ] {
            let router = router(patterns)
            for (path, pattern, parameter) in [
                ("/t/5.mvt", "/t/:y.mvt", Header("y", "5")), ("/t/5%2Emv%74", "/t/:y.mvt", Header("y", "5")),
                ("/t/.mvt.mvt", "/t/:y.mvt", Header("y", ".mvt")), ("/t/%2F%25.mvt", "/t/:y.mvt", Header("y", "/%")),
                ("/t/5.mvt.gz", "/t/:y.mvt.gz", Header("y", "5")), ("/u/5.a", "/u/:x.a", Header("x", "5")),
                ("/u/5.b", "/u/:x", Header("x", "5.b")), ("/u/.a", "/u/:x", Header("x", ".a")),
            ] {
                let match = try router.match(method: "GET", path: path)
                #expect(match.route.pattern == pattern && match.parameters == [parameter], "\(path)")
            }
            for path in [
                "/t/5", "/t/.mvt", "/t/5.MVT", "/t/5.mvt/", "/t/5.mvt.", "/t/5mvt", "/t/5.mv%2574", "/t/%2Emvt",
            ] {
                #expect(throws: HTTPError.self, "\(path)") { try router.match(method: "GET", path: path) }
            }
        }
    }

    @Test func parametersAreDecodedOnceAndNamedByTheirRoute() throws {
        var router = router(["/a/:x"])
        router.post("/a/:y", .immediate { _ in .noContent })
        #expect(try router.match(method: "GET", path: "/a/%2525%2F+").parameters == [Header("x", "%25/+")])
        #expect(try router.match(method: "POST", path: "/a/1").parameters == [Header("y", "1")])
    }

    @Test func missingPathsAndMethods() throws {
        let router = router(["/a"])
        let missing = #expect(throws: HTTPError.self) { try router.match(method: "GET", path: "/b") }
        #expect(missing?.status == 404)
        let wrong = #expect(throws: HTTPError.self) { try router.match(method: "POST", path: "/a") }
        #expect(wrong?.status == 405 && wrong?.headers == [Header("Allow", "GET, HEAD, OPTIONS")])
        #expect(try router.match(method: "HEAD", path: "/a").route.method == "GET")
        #expect(try router.match(method: "GET", path: "/%61").route.pattern == "/a")
    }

    /// Against the plainest rule: try every pattern; of those that fit, the one that is literal earlier wins.
    @Test func agreesWithTryingEveryPattern() throws {
        var random = SystemRandomNumberGenerator()
        let parts = ["a", "b", "c", ":x", ":y"]
        for _ in 0..<300 {
            var shapes = Set<[String]>()
            let patterns = (0..<8).compactMap { _ -> [String]? in
                let pattern = (0..<Int.random(in: 1...4, using: &random)).map { _ in parts.randomElement() ?? "a" }
                let shape = pattern.map { $0.hasPrefix(":") ? ":" : $0 }
                return shapes.insert(shape).inserted ? pattern : nil
            }
            let router = router(patterns.map { "/" + $0.joined(separator: "/") })
            for _ in 0..<30 {
                let path = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    ["a", "b", "c", "d"].randomElement() ?? "a"
                }
                let fitting = patterns.filter { pattern in
                    pattern.count == path.count && zip(pattern, path).allSatisfy { $0.hasPrefix(":") || $0 == $1 }
                }
                let best = fitting.min { first, second in
                    first.map { $0.hasPrefix(":") ? 1 : 0 }.lexicographicallyPrecedes(
                        second.map { $0.hasPrefix(":") ? 1 : 0 })
                }
                let found = try? router.match(method: "GET", path: "/" + path.joined(separator: "/"))
                #expect(found?.route.pattern == best.map { "/" + $0.joined(separator: "/") })
            }
        }
    }
}
