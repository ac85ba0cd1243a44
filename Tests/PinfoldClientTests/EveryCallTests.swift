import Foundation
import Geo
import SocialModel
import Testing

@testable import HTTP
@testable import PinfoldClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Each call of the client against the real service, and each operation of the service by a call.
@Suite struct EveryCallTests {
    /// For machines, browsers and people who run the server; and what tests of its own show.
    private static let notForApps: Set<String> = [
        "GET /metrics", "GET /openapi.json", "GET /docs", "GET /", "GET /p/{pinId}",
        "GET /app/{version}/{path}", "GET /sw.js", "GET /manifest.webmanifest", "GET /v1/live", "GET /v1/events",
        "POST /v1/sessions/refresh", "GET /style.json", "GET /tiles.json",
        "GET /tiles/{z}/{x}/{y}.mvt", "GET /tiles/{z}/{x}/{y}", "GET /v1/tiles/landmarks.json",
    ]
    /// For GIS programs, and for admins at the page and the command line.
    private static let notForAppsBegin = ["/ogc", "/v1/admin/"]

    private let place = Coordinate(latitudeE7: 100_000_000, longitudeE7: 200_000_000)

    @Test func `every operation of the API has a call that works`() async throws {
        let server = try ServedApp(hasGazetteer: true)
        let ana = server.client()
        let ben = server.client()
        try await accounts(ana, ben)
        try await friends(ana, ben)
        let described = try await operations(of: server)
        try await privacy(ana)
        try await apiTokens(ana)
        try await pins(ana)
        try await bulk(ana, server.folder)
        if described.contains("GET /v1/pins/changes") { try await changes(ana) }
        try await places(ana)
        try await landmarks(ana, server)
        try await invites(ana, ben, server)
        try await sessions(ana, ben, server)
        try await passwordReset(server)

        let worked = server.exchanges.filter { $0.status < 400 }.compactMap { exchange in
            exchange.pattern.map { "\(exchange.method) \(Self.template($0))" }
        }
        let missing = described.subtracting(Self.notForApps).subtracting(worked).filter { operation in
            let path = operation.drop { $0 != " " }.dropFirst()
            return !Self.notForAppsBegin.contains { path.hasPrefix($0) }
        }
        #expect(missing.sorted() == [])
        #expect(described.count > 50)
    }

    /// `METHOD /path/{parameter}`, as OpenAPI has it.
    private func operations(of server: ServedApp) async throws -> Set<String> {
        struct Document: Decodable {
            struct Operation: Decodable {}
            let paths: [String: [String: Operation]]
        }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/openapi.json"))
        let document = try JSONDecoder().decode(Document.self, from: try await URLSession.shared.data(from: url).0)
        return Set(document.paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } })
    }

    private static func template(_ pattern: String) -> String {
        pattern.split(separator: "/", omittingEmptySubsequences: false).map { part in
            guard part.hasPrefix(":") else { return String(part) }
            let name = part.dropFirst().prefix { $0 != "." }
            return "{\(name)}\(part.dropFirst(name.count + 1))"
        }.joined(separator: "/")
    }

    private func accounts(_ ana: PinfoldClient, _ ben: PinfoldClient) async throws {
        try await ana.checkHealth()
        try await ana.checkReadiness()
        let user = try await ana.signUp(NewAccount.test("ana"))
        try await ben.signUp(NewAccount.test("ben"))
        #expect(try await ana.state == .signedIn(user.id))

        let me = try await ana.me()
        #expect(me.user == user && me.email == "ana@example.org" && me.role == .user && me.pins == 0)
        #expect(try await ana.me(changedFrom: me.tag) == nil)
        var change = MeChange()
        change.displayName = "Ana Ñ"
        change.bio = .set("Bikes + pierogi & 50% more")
        let changed = try await ana.changeMe(change, ifUnchangedFrom: me.tag)
        #expect(changed.user.displayName == "Ana Ñ" && changed.user.bio == "Bikes + pierogi & 50% more")
        var emptying = MeChange()
        emptying.bio = .remove
        #expect(try await ana.changeMe(emptying).user.bio == nil)
        await #expect { try await ana.changeMe(change, ifUnchangedFrom: me.tag) } throws: {
            ($0 as? PinfoldError)?.isStale == true
        }

        try await ana.changePassword(from: "ana secret", to: "another secret")
        await #expect { try await ana.changePassword(from: "wrong", to: "another secret") } throws: {
            ($0 as? PinfoldError)?.faults.map(\.field) == ["current"]
        }
        #expect(try await ben.users(startingWith: "ana ñ").all().map(\.id) == [user.id])
        #expect(try await ben.profile(of: user.id).relationship == Relationship.none)
    }

    private func friends(_ ana: PinfoldClient, _ ben: PinfoldClient) async throws {
        let (anaId, benId) = (try await ana.me().user.id, try await ben.me().user.id)
        let first = try await ana.befriend(benId)
        try await ana.cancel(first.id)
        let second = try await ana.befriend(benId)
        #expect(try await ben.reject(second.id).status == .rejected)
        let third = try await ana.befriend(benId)
        #expect(try await ben.friendRequests(.incoming, status: .pending).all().map(\.id) == [third.id])
        #expect(try await ben.friendRequest(third.id).value == third)
        #expect(try await ben.accept(third.id).status == .accepted)
        #expect(try await ana.friends().all().map(\.user.id) == [benId])

        let circle = try await ana.createCircle("Climbing", members: [benId])
        #expect(try await ana.circle(circle.id) == circle)
        #expect(try await ana.circles().all() == [circle.value])
        let emptied = try await ana.changeCircle(circle.id, members: [], ifUnchangedFrom: circle.tag)
        #expect(emptied.members.isEmpty && emptied.name == "Climbing")
        try await ana.deleteCircle(circle.id, ifUnchangedFrom: emptied.tag)

        try await ana.endFriendship(with: benId)
        try await ben.block(anaId)
        #expect(try await ben.blocks().all().map(\.id) == [anaId])
        try await ben.unblock(anaId)
        #expect(try await ana.friends().all().isEmpty)
    }

    private func invites(_ ana: PinfoldClient, _ ben: PinfoldClient, _ server: ServedApp) async throws {
        let me = try await ana.me().user
        let invite = try await ana.createInvite(expiresIn: 3600, maxUses: 2)
        #expect(try await ana.invites().all() == [invite])
        #expect(try await server.client().invite(invite.code).from == me)
        #expect(try await ben.acceptInvite(invite.code).user == me)
        try await ben.endFriendship(with: me.id)
        var account = NewAccount.test("cyd")
        account.invite = invite.code
        let cy = server.client()
        try await cy.signUp(account)
        #expect(try await cy.friends().all().map(\.user.id) == [me.id])
        try await ana.deleteInvite(invite.code)
        await #expect { try await cy.invite("a/b ?#") } throws: { ($0 as? PinfoldError)?.status == 404 }
    }

    private func passwordReset(_ server: ServedApp) async throws {
        let dan = try await server.signUp("dan")
        try await dan.askForPasswordReset(email: "dan@example.org", language: "es-MX")
        let token = try #require(try await server.sentMail().firstMatch(of: #/#reset=([\w-]+)/#)?.1)
        try await server.client().resetPassword(token: String(token), to: "brand new secret")
        await #expect { try await dan.resetPassword(token: String(token), to: "brand new secret") } throws: {
            ($0 as? PinfoldError)?.slug == "reset-invalid"
        }
        await #expect(throws: PinfoldError.self) { try await dan.me() }
        try await dan.signIn(login: "dan", password: "brand new secret")
    }

    private func privacy(_ ana: PinfoldClient) async throws {
        let privacy = try await ana.privacy()
        var change = PrivacyChange()
        change.presence = !privacy.presence
        #expect(try await ana.changePrivacy(change, ifUnchangedFrom: privacy.tag).presence == change.presence)
    }

    private func apiTokens(_ ana: PinfoldClient) async throws {
        let end = Timestamp(milliseconds: 4_000_000_000_000)
        let made = try await ana.createAPIToken("QGIS", scopes: [.read, .import], expiresAt: end)
        #expect(made.secret.hasPrefix("pft_") && made.token.scopes == [.read, .import])
        #expect(made.token.expiresAt == end && made.token.lastUsedAt == nil)
        #expect(try await ana.apiTokens().all() == [made.token])
        let read = try await ana.apiToken(made.token.id)
        #expect(read.value == made.token)
        try await ana.revokeAPIToken(made.token.id, ifUnchangedFrom: read.tag)
        #expect(try await ana.apiTokens().all().isEmpty)
    }

    private func pins(_ ana: PinfoldClient) async throws {
        let me = try await ana.me().user.id
        let pin = try await ana.createPin(
            NewPin("Ramen & more", at: place, comment: "Late", rating: 4, category: .food, audience: .private))
        #expect(pin.coordinate == place && pin.audience == .private && pin.addressSource == .gazetteer)
        #expect(try await ana.pin(pin.id) == pin)
        #expect(try await ana.pin(pin.id, changedFrom: pin.tag) == nil)

        var change = PinChange()
        change.comment = .remove
        change.rating = .set(5)
        change.address = .set("Here")
        let changed = try await ana.changePin(pin.id, change, ifUnchangedFrom: pin.tag)
        #expect(changed.comment == nil && changed.rating == 5 && changed.address == "Here" && changed.name == pin.name)
        #expect(change.isMade(in: changed.value) && !change.isMade(in: pin.value))
        await #expect { try await ana.changePin(pin.id, change, ifUnchangedFrom: pin.tag) } throws: {
            ($0 as? PinfoldError)?.isStale == true
        }

        try await ana.deletePin(pin.id, ifUnchangedFrom: changed.tag)
        #expect(try await ana.restorePin(pin.id).value == changed.value)

        for number in 0..<7 { _ = try await ana.createPin(NewPin("Number \(number)", at: place)) }
        #expect(try await ana.pins(pageSize: 3).all().count == 8)
        #expect(try await ana.pins(pageSize: 3).all(limit: 4).count == 4)
        let filter = PinFilter(
            owners: [me], categories: [.food, .nature], minRating: 5, words: "ramen & mo",
            since: Timestamp(milliseconds: pin.createdAt.milliseconds - 1))
        let near = PinArea.near(place, metres: 10)
        #expect(try await ana.pins(near, filter, order: .rating).all().map(\.distance) == [0])
        let box = try #require(BoundingBox(west: 19, south: 9, east: 21, north: 11))
        #expect(try await ana.pins(.box(box), filter, order: .newest).all().map(\.id) == [pin.id])
        let geoJSON = try await ana.pinsAsGeoJSON(.box(box), filter, pageSize: 1)
        #expect(String(decoding: geoJSON, as: UTF8.self).contains("FeatureCollection"))

        let tile = try #require(TileCoordinate(holding: place, zoom: 3))
        let drawn = try await ana.pinTile(tile)
        #expect(!drawn.value.isEmpty)
        #expect(try await ana.pinTile(tile, changedFrom: drawn.tag) == nil)
        #expect(try await ana.pinTile(try #require(TileCoordinate(zoom: 3, x: 0, y: 0))).value.isEmpty)
        #expect(try await ana.pinClusters(in: box, zoom: 3).items.map(\.count) == [8])
        #expect(try await ana.pinClusters(in: box, zoom: 3, filter).items.map(\.pin?.id) == [pin.id])
    }

    private func bulk(_ ana: PinfoldClient, _ folder: TemporaryFolder) async throws {
        let rows = [
            BatchPin(NewPin("Zoo", at: place), externalId: "zoo-1", createdAt: Timestamp(milliseconds: 0)),
            BatchPin(NewPin("", at: place)),
        ]
        let results = try await ana.batchPins(rows)
        #expect(results.map(\.status) == [201, 400] && results[1].errors?.map(\.field) == ["name"])
        #expect(try await ana.batchPins(rows).map(\.status) == [200, 400])

        let csv = Data("name,latitude,longitude\nFalls,44.9,-93.2\nNowhere,,\n".utf8)
        let planned = try await ana.importPins(csv, ImportOptions(format: "csv", isDryRun: true))
        #expect(planned.created == 1 && planned.notPlaced.count + planned.rejected.count == 1)
        let file = folder.file("places.csv")
        try csv.write(to: file)
        #expect(try await ana.importPins(from: file, ImportOptions(category: .nature)).created == 1)
        #expect(try await ana.importPins(from: file).unchanged == 1)

        for format in PinFileFormat.allCases {
            let file = folder.file("pins.\(format.rawValue)")
            try Data("what was there".utf8).write(to: file)
            try await ana.exportPins(as: format, to: file)
            #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self).contains("Falls"))
        }
        let zip = folder.file("everything.zip")
        try await ana.exportEverything(password: "another secret", to: zip)
        #expect(try Data(contentsOf: zip).starts(with: Data("PK".utf8)))
        await #expect { try await ana.exportEverything(password: "wrong", to: zip) } throws: {
            ($0 as? PinfoldError)?.faults.map(\.field) == ["password"]
        }
        #expect(try Data(contentsOf: zip).starts(with: Data("PK".utf8)), "a refusal replaces no file")
    }

    private func changes(_ ana: PinfoldClient) async throws {
        let all = try await ana.pins().all()
        var seen: Set<Identifier<Pin>> = []
        var page = try await ana.pinChanges(limit: 3)
        seen.formUnion(page.changed.map(\.id))
        while page.more {
            page = try await ana.pinChanges(since: page.cursor, limit: 3)
            seen.formUnion(page.changed.map(\.id))
        }
        #expect(seen == Set(all.map(\.id)))
    }

    private func places(_ ana: PinfoldClient) async throws {
        let address = try await ana.address(of: place, language: "en")
        #expect(address.locality == "Middle" && address.countryCode == "XT")
        let sea = Coordinate(latitudeE7: -500_000_000, longitudeE7: 0)
        #expect(try await ana.addresses(of: [place, sea]).map(\.locality) == ["Middle", nil])
        let found = try await ana.search("mitte", near: place, kinds: [.place], language: "en")
        #expect(found.map(\.name) == ["Middle"] && found[0].matchedName == "Mitte" && found[0].match == .exact)
        #expect(found[0].distance == 0 && found[0].countryCode == "XT" && found[0].kind == .place)
        let box = try #require(BoundingBox(west: 19, south: 9, east: 21, north: 11))
        let pins = try await ana.search("ramen", in: box, kinds: [.pin], limit: 1)
        #expect(pins.map(\.ownerUsername) == ["ana"] && pins[0].category != nil && pins[0].kind == .pin)
        let id = try #require(address.place)
        #expect(try await ana.place(id).names["und-Latn"]?.contains("Mitte") == true)
    }

    private func landmarks(_ ana: PinfoldClient, _ server: ServedApp) async throws {
        try await server.importLandmarks("id,name,category,lat,lon\n1,Museum,museum,10,20\n2,Park,park,11,21\n")
        let datasets = try await ana.datasets().all()
        #expect(datasets.map(\.name) == ["sights"] && datasets[0].count == 2 && datasets[0].attribution == "Somebody")
        #expect(try await ana.dataset("sights").value == datasets[0])
        let near = try await ana.landmarks(near: place, datasets: ["sights"], pageSize: 1).all()
        #expect(near.map(\.name) == ["Museum", "Park"] && near[0].distance == 0 && near[0].category == .museum)
        let box = try #require(BoundingBox(west: 20.5, south: 10.5, east: 22, north: 12))
        #expect(try await ana.landmarks(in: box, categories: [.park]).all().map(\.key) == ["2"])
        let museum = try await ana.landmark(near[0].id)
        #expect(museum.value.coordinate == place && museum.value.datasetId == datasets[0].id)
        #expect(try await ana.landmarkTile(#require(TileCoordinate(zoom: 0, x: 0, y: 0))).value.count > 10)
    }

    private func sessions(_ ana: PinfoldClient, _ ben: PinfoldClient, _ server: ServedApp) async throws {
        let tablet = server.client()
        try await tablet.signIn(login: "ana", password: "another secret")
        let listed = try await tablet.sessions().all()
        #expect(listed.count == 2 && listed.map(\.current) == [true, false])
        let phone = try await tablet.deviceSession(listed[1].id)
        #expect(phone.userAgent == "PinfoldClient/1.0")
        try await tablet.endDeviceSession(phone.id)
        await #expect(throws: PinfoldError.self) { try await ana.me() }
        #expect(try await ana.state == .signedOut(.ended))

        try await ana.signIn(login: "ana", password: "another secret")
        try await ana.signOut()
        #expect(try await ana.state == .signedOut(.here))
        try await tablet.signOutEverywhere()
        try await tablet.signIn(login: "ana", password: "another secret")
        try await tablet.deleteMe(password: "another secret")
        #expect(try await tablet.state == .signedOut(.here))
        #expect(try await ben.users(startingWith: "ana").all().isEmpty)
    }
}
