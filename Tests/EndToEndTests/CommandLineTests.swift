import Foundation
import Testing

@Suite(.ownThreads) struct CommandLineTests {
    @Test func help() throws {
        for words in [["--help"], ["-h"], ["help"]] {
            let process = try Pinfold.start(words)
            #expect(try process.wait() == .exit(0))
            for command in ["serve", "demo", "reverse", "places"] {
                #expect(process.output.contains("\n  \(command) "))
            }
            #expect(process.error == "")
        }
        for command in ["serve", "demo", "admin", "search", "reverse", "places"] {
            for word in ["--help", "-h"] {
                let process = try Pinfold.run(command, word)
                #expect(process.ending == .exit(0))
                #expect(process.output.hasPrefix("usage: pinfold \(command) "))
                #expect(process.error == "")
            }
        }
        let serve = try Pinfold.run("serve", "--help")
        for option in [
            "data", "host", "port", "public-url", "rate-limits", "registration", "trusted-proxy", "smtp-url",
            "mail-from", "gazetteer", "basemap", "print-config",
        ] {
            #expect(serve.output.contains("\n  --\(option) "))
        }
    }

    @Test(
        arguments: [
            ([], "usage: pinfold"),
            (["sevre"], "sevre"),
            (["--data", "x"], "--data"),
            (["serve", "--dtaa", "x"], "--dtaa"),
            (["serve", "-p", "80"], "-p"),
            (["serve", "--port"], "--port"),
            (["serve", "--port", "http"], "--port"),
            (["serve", "--port", "65536"], "--port"),
            (["serve", "--port", "-1"], "--port"),
            (["serve", "--port="], "--port"),
            (["serve", "--port", "1", "--port", "2"], "--port"),
            (["serve", "--rate-limits", "maybe"], "--rate-limits"),
            (["serve", "--rate-limits", "off", "--host", "0.0.0.0"], "--rate-limits"),
            (["serve", "--rate-limits", "off", "--host", "::"], "--rate-limits"),
            (["serve", "--registration", "shut"], "--registration"),
            (["serve", "--trusted-proxy", "10.0.0.0/33"], "--trusted-proxy"),
            (["serve", "--trusted-proxy", "127.0.0.1/32", "--trusted-proxy", "proxy.example.org"], "--trusted-proxy"),
            (["serve", "--host", "example.org"], "--host"),
            (["serve", "--public-url", "example.org"], "--public-url"),
            (["serve", "--public-url", "ftp://example.org"], "--public-url"),
            (["serve", "--public-url", "http://example.org/#x"], "--public-url"),
            (["serve", "--smtp-url", "http://mail.example.org", "--mail-from", "a@example.org"], "--smtp-url"),
            (["serve", "--smtp-url", "smtp://mail.example.org"], "--mail-from"),
            (["serve", "--mail-from", "a@example.org\nBcc: b@example.org"], "--mail-from"),
            (["admin"], "create USER"), (["admin", "create", "ada"], "--email"),
            (["admin", "grant", "ada", "--role", "god"], "--role"), (["admin", "users", "all"], "users"),
            (["serve", "--print-config=yes"], "--print-config"),
            (["serve", "8080"], "8080"),
            (["demo", "everything"], "everything"),
            (["demo", "--port", "80"], "--port"),
            (["search"], "text"),
            (["search", "  "], "text"),
            (["search", "--near", "91,0", "paris"], "--near"),
            (["search", "--limit", "0", "paris"], "--limit"),
            (["reverse"], "latitude"),
            (["reverse", "44.9551"], "latitude"),
            (["reverse", "44.9551", "-93.1022", "7"], "latitude"),
            (["reverse", "44.9551,-93.1022"], "latitude"),
            (["reverse", "north", "west"], "latitude"),
            (["reverse", "nan", "0"], "latitude"),
            (["reverse", "-inf", "0"], "latitude"),
            (["reverse", "-90.0000001", "0"], "latitude"),
            (["reverse", "0", "180.1"], "longitude"),
            (["reverse", "--lnag", "de", "0", "0"], "--lnag"),
        ] as [([String], String)])
    func `wrong usage`(words: [String], named: String) throws {
        let folder = try TemporaryFolder()
        // Were one taken after all, it should not write into the sources.
        let process = try Pinfold.start(words, environment: ["PINFOLD_DATA": folder.file("data")])
        #expect(try process.wait() == .exit(2))
        let first = process.error.split(separator: "\n").first.map(String.init) ?? ""
        #expect(first.contains(named), "\(process.error)")
        #expect(process.error.contains("usage: pinfold"))
        #expect(process.output == "")
        #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
    }

    @Test func `a wrong value from the environment`() throws {
        let process = try Pinfold.run("serve", "--print-config", environment: ["PINFOLD_PORT": "http"])
        #expect(process.ending == .exit(2))
        #expect(process.error.contains("port"))
    }

    @Test func `options win over the environment, and that over the defaults`() throws {
        func configuration(_ process: ChildProcess) throws -> [String: String] {
            #expect(process.ending == .exit(0), "\(process.error)")
            #expect(!process.output.contains("sesame"))
            let rows = process.output.split(separator: "\n").map { line -> (String, String) in
                let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                return (parts[0], parts.count > 1 ? parts[1] : "")
            }
            return Dictionary(uniqueKeysWithValues: rows)
        }
        let defaults = try configuration(Pinfold.run("serve", "--print-config"))
        #expect(defaults["data"] == "./var")
        #expect(defaults["host"] == "127.0.0.1")
        #expect(defaults["port"] == "8080")
        #expect(defaults["public-url"] == "http://127.0.0.1:8080")
        #expect(defaults["rate-limits"] == "on")
        #expect(defaults["registration"] == "open")
        #expect(defaults["trusted-proxy"] == "")
        #expect(defaults["gazetteer"]?.hasSuffix("data/gazetteer.tsv.zst") == true)
        #expect(defaults["basemap"]?.hasSuffix("tiles/world.mbtiles") == true)

        let environment = [
            "PINFOLD_PORT": "81", "PINFOLD_REGISTRATION": "closed", "PINFOLD_RATE_LIMITS": "off",
            "PINFOLD_TRUSTED_PROXY": "10.0.0.0/8,192.168.0.0/16", "PINFOLD_PUBLIC_URL": "https://map.example.org/",
            "PINFOLD_SMTP_URL": "smtps://map:sesame@mail.example.org", "PINFOLD_MAIL_FROM": "map@example.org",
        ]
        let set = try configuration(Pinfold.run("serve", "--print-config", environment: environment))
        #expect(set["port"] == "81")
        #expect(set["registration"] == "closed")
        #expect(set["rate-limits"] == "off")
        #expect(set["trusted-proxy"] == "10.0.0.0/8, 192.168.0.0/16")
        #expect(set["public-url"] == "https://map.example.org")
        #expect(set["smtp-url"] == "smtps://mail.example.org:465")
        #expect(set["mail-from"] == "map@example.org")

        let given = try configuration(
            Pinfold.run(
                "serve", "--port", "82", "--registration=invite", "--trusted-proxy", "127.0.0.1/32", "--print-config",
                environment: environment))
        #expect(given["port"] == "82")
        #expect(given["registration"] == "invite")
        #expect(given["trusted-proxy"] == "127.0.0.1/32")
        #expect(given["rate-limits"] == "off")
    }

    @Test func `the server obeys its environment`() throws {
        let server = try RunningServer(DataFolder(), environment: ["PINFOLD_REGISTRATION": "closed"])
        let answer = try server.stranger.send(
            "POST", "/v1/users",
            json: #"{"username": "ana", "email": "ana@example.org", "password": "a long secret"}"#)
        #expect(try answer.decoded(ProblemBody.self).type == "/problems/registration-closed")
        try server.stop()
    }

    @Test func search() throws {
        let data = ["--data", try DemoFolder.filled.get().path]
        let calls: [([String], String)] = [
            (["saint", "pa", "--limit", "1"], "Saint Paul, Minnesota, United States"),
            (["--near", "42.98,-81.25", "london", "--limit", "1"], "London, Ontario, Canada"),
        ]
        for (words, label) in calls {
            let process = try Pinfold.start(["search"] + data + words)
            #expect(try process.wait() == .exit(0), "\(process.error)")
            let lines = process.output.split(separator: "\n")
            #expect(lines.count == 1 && lines[0].contains("\"label\":\"\(label)\""), "\(process.output)")
            #expect(process.error == "")
        }
    }

    @Test func reverse() throws {
        let calls = [
            (["44.9551", "-93.1022"], "Saint Paul"), (["-34.6037", "-58.3816"], "Buenos Aires"),
        ]
        let processes = try calls.map { try Pinfold.start(["reverse"] + $0.0) }
        for (process, call) in zip(processes, calls) {
            #expect(try process.wait() == .exit(0), "\(process.error)")
            struct Place: Decodable {
                let locality: String
                let label: String
            }
            let place = try JSONDecoder().decode(Place.self, from: Data(process.output.utf8))
            #expect(place.locality == call.1)
            #expect(place.label.hasPrefix(call.1))
            #expect(process.error == "")
        }
    }

    @Test func `places can be added under a running server, listed and removed`() throws {
        let folder = try DataFolder(.nothing)
        let gazetteer = try SmallGazetteer.write(to: folder)
        let server = try RunningServer(folder, "--gazetteer", gazetteer)
        func places(_ words: String...) throws -> ChildProcess {
            let process = try Pinfold.start(
                ["places"] + words + ["--data", folder.path, "--gazetteer", gazetteer])
            _ = try process.wait()
            return process
        }
        func label() throws -> String {
            struct Place: Decodable {
                let label: String
            }
            let answer = try server.stranger.send("GET", "/v1/places/reverse?lat=10.001&lon=20.001")
            return try answer.decoded(Place.self).label
        }
        #expect(try label() == "Middle, Here, Testland")
        try Data("lon,lat,number,street\n20.001,10.001,75,Market Road\n1,2\n".utf8)
            .write(to: URL(filePath: folder.file("Capitol.csv")))
        let added = try places("add", folder.file("Capitol.csv"))
        #expect(added.ending == .exit(0), "\(added.error)")
        #expect(added.output.hasPrefix("capitol: 1 addresses, 1 bad rows left out\n"))
        // Whoever sees it first, the server or the command.
        #expect(added.output.contains("takes it in by itself") || added.output.contains("is up to date"))
        #expect(added.error.contains("line 3: left out: "))
        _ = try eventually("the server to take in the addresses", within: .seconds(60)) {
            usleep(200_000)
            return try label().hasSuffix(", Middle, Here, Testland") ? true : nil
        }
        let list = try places("list")
        #expect(list.output.hasPrefix("capitol\t0 places\t1 addresses\t"))
        try server.stop()

        #expect(try places("remove", "capitol").ending == .exit(0))
        #expect(try places("list").output == "")
        for (words, status, part) in [
            (["remove", "capitol"], 1, "there is no gazetteer capitol"),
            (["add", "/nowhere"], 1, "/nowhere cannot be read"),
            (["add"], 2, "add FILE"), ([], 2, "add FILE"), (["add", "x", "--name", "../x"], 2, "--name"),
            (["add", "x", "--classes", "Q"], 2, "--classes"),
            (["add", "x", "--min-population", "-1"], 2, "--min-population"),
        ] {
            let process = try Pinfold.start(["places"] + words + ["--data", folder.path])
            #expect(try process.wait() == .exit(Int32(status)), "\(words)")
            #expect(process.error.contains(part), "\(process.error)")
        }
    }

    @Test func `the demo's logins work`() throws {
        let printed = try DemoFolder.filled.get().logins
        let logins = printed.split(separator: "\n").dropFirst().map { $0.split(separator: " ").map(String.init) }
        #expect(logins.count == 6)
        #expect(logins.allSatisfy { $0.count == 2 })
        #expect(logins.first?.first == "ingrid")

        let folder = try DataFolder(.demo)
        let again = try Pinfold.run("demo", "--data", folder.path)
        #expect(again.ending == .exit(0))
        #expect(again.output == printed)

        let server = try RunningServer(folder)
        for login in logins {
            let answer = try server.stranger.send(
                "POST", "/v1/sessions", json: #"{"login": "\#(login[0])", "password": "\#(login[1])"}"#)
            #expect(answer.status == 201, "\(login): \(answer)")
            let signedIn = try answer.decoded(SignedIn.self)
            #expect(signedIn.user.username == login[0])
            let pins = try Client(port: server.port, token: signedIn.accessToken).pins()
            #expect(!pins.isEmpty)
            #expect(pins.allSatisfy { $0.address != nil })
        }
        try server.stop()
        #expect(try Pinfold.run("demo", "--data", folder.path).output == printed)
    }

    @Test func `the demo keeps away from data and from networks`() throws {
        let folder = try DataFolder()
        let server = try RunningServer(folder)
        _ = try server.signUp("ana")
        try server.stop()
        let before = FileManager.default.contents(atPath: folder.database)
        let refused = try Pinfold.run("demo", "--data", folder.path)
        #expect(refused.ending == .exit(1))
        StartFailureTests.expectOneLine(refused, [folder.path, "has data"], #_sourceLocation)
        #expect(FileManager.default.contents(atPath: folder.database) == before)

        let empty = try DataFolder()
        for host in ["0.0.0.0", "192.0.2.1", "::"] {
            let process = try Pinfold.run("demo", "--data", empty.path, "--host", host)
            #expect(process.ending == .exit(1))
            StartFailureTests.expectOneLine(process, ["loopback"], #_sourceLocation)
        }
        #expect(try empty.names == ["places.db", "places.index"])
    }

    @Test func `a demo that failed or was stopped can be tried again`() throws {
        let folder = try DataFolder()
        let failed = try Pinfold.run("demo", "--data", folder.path, "--gazetteer", folder.file("missing"))
        #expect(failed.ending == .exit(1))
        let again = try Pinfold.run("demo", "--data", folder.path)
        #expect(again.ending == .exit(0), "\(again.error)")
        #expect(again.output.split(separator: "\n").count == 7)
    }
}
