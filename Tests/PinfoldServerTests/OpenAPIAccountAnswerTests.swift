import HTTP
import Testing

@testable import PinfoldServer

/// As `OpenAPIAnswerTests`, of what concerns accounts and how they are let in.
@Suite struct OpenAPIAccountAnswerTests {
    @Test func `accounts and sessions`() async throws {
        let service = try DescribedService()
        let (id, token, refreshToken) = try await service.signUp("marisol")
        let (otherId, otherToken, _) = try await service.signUp("teddy_k")
        let taken = #"{"username": "Marisol", "email": "m@example.org", "password": "correct horse battery"}"#
        try await service.call("POST", "/v1/users", taken, expect: 409)
        try await service.call("POST", "/v1/users", #"{"username": "x"}"#, expect: 400)
        try await service.call("POST", "/v1/users", expect: 415)
        try await service.call("GET", "/v1/me", expect: 401)
        let me = try await service.call("GET", "/v1/me", as: token, expect: 200)
        let tag = Header("If-None-Match", me.response.header("ETag") ?? "")
        try await service.call("GET", "/v1/me", as: token, expect: 304, headers: [tag])
        try await service.call("PATCH", "/v1/me", as: token, #"{"bio": "Mostly outdoors."}"#, expect: 200)
        let stale = Header("If-Match", me.response.header("ETag") ?? "")
        try await service.call("PATCH", "/v1/me", as: token, #"{"bio": null}"#, expect: 412, headers: [stale])
        try await service.call("PATCH", "/v1/me", as: token, #"{"email": "a@example.org"}"#, expect: 400)
        let move = #"{"email": "teddy_k@example.org", "currentPassword": "correct horse battery"}"#
        try await service.call("PATCH", "/v1/me", as: token, move, expect: 409)
        try await service.call("GET", "/v1/users?q=mari", as: otherToken, expect: 200)
        try await service.call("GET", "/v1/users/\(id)", as: otherToken, expect: 200)
        try await service.call("GET", "/v1/users/1", as: otherToken, expect: 404)

        let credentials = #"{"login": "marisol", "password": "correct horse battery"}"#
        let session = try await service.call("POST", "/v1/sessions", credentials, expect: 201)
        try await service.call("POST", "/v1/sessions", #"{"login": "marisol", "password": "wrong"}"#, expect: 401)
        let refresh = #"{"refreshToken": "\#(refreshToken)"}"#
        try await service.call("POST", "/v1/sessions/refresh", refresh, expect: 200)
        try await service.call("POST", "/v1/sessions/refresh", #"{"refreshToken": "wrong"}"#, expect: 401)
        let sessions = try await service.call("GET", "/v1/sessions", as: session.text("accessToken"), expect: 200)
        #expect(sessions.json["items"]?.elements.count == 2)
        let words = #"{"current": "correct horse battery", "new": "staple of eleven words"}"#
        try await service.call("PUT", "/v1/me/password", as: session.text("accessToken"), words, expect: 204)
        try await service.call("DELETE", "/v1/sessions/current", as: session.text("accessToken"), expect: 204)
        try await service.call("DELETE", "/v1/sessions/\(otherId)", as: otherToken, expect: 404)
        try await service.call("DELETE", "/v1/me", as: otherToken, #"{"password": "wrong"}"#, expect: 400)
        let password = #"{"password": "correct horse battery"}"#
        try await service.call("DELETE", "/v1/me", as: otherToken, password, expect: 204)
        try await service.call("DELETE", "/v1/sessions", as: otherToken, expect: 401)
    }

    @Test func `password resets`() async throws {
        let service = try DescribedService()
        try await service.call("POST", "/v1/password-resets", #"{"email": "teddy@example.org"}"#, expect: 202)
        try await service.call("POST", "/v1/password-resets", #"{"email": "teddy"}"#, expect: 400)
        let password = #"{"password": "staple of eleven words"}"#
        try await service.call("POST", "/v1/password-resets/unknown", password, expect: 404)
        try await service.call("POST", "/v1/password-resets/unknown", #"{"password": "x"}"#, expect: 400)
    }

    @Test func `invites`() async throws {
        let service = try DescribedService()
        let (_, token, _) = try await service.signUp("marisol")
        let (_, otherToken, _) = try await service.signUp("teddy_k")
        let invite = try await service.call(
            "POST", "/v1/invites", as: token, #"{"expiresIn": 86400, "maxUses": 5}"#, expect: 201)
        try await service.call("POST", "/v1/invites", as: token, #"{"maxUses": 0}"#, expect: 400)
        let path = "/v1/invites/\(invite.text("code"))"
        let greeting = try await service.call("GET", path, expect: 200)
        let tag = Header("If-None-Match", greeting.response.header("ETag") ?? "")
        try await service.call("GET", path, expect: 304, headers: [tag])
        try await service.call("GET", path, as: "nonsense", expect: 401)
        try await service.call("GET", "/v1/invites/unknown", expect: 404)
        try await service.call("POST", "\(path)/accept", as: otherToken, expect: 200)
        try await service.call("POST", "\(path)/accept", as: token, expect: 409)
        try await service.call("POST", "/v1/invites/unknown/accept", as: token, expect: 404)
        try await service.call("GET", "/v1/invites?limit=1", as: token, expect: 200)
        try await service.call("DELETE", path, as: otherToken, expect: 404)
        try await service.call("DELETE", path, as: token, expect: 204)
    }

    @Test func `privacy settings`() async throws {
        let service = try DescribedService()
        let (id, token, _) = try await service.signUp("marisol")
        let (_, otherToken, _) = try await service.signUp("teddy_k")
        let path = "/v1/me/privacy"
        let settings = try await service.call("GET", path, as: token, expect: 200)
        let tag = settings.response.header("ETag") ?? ""
        try await service.call("GET", path, as: token, expect: 304, headers: [Header("If-None-Match", tag)])
        try await service.call(
            "PATCH", path, as: token, String(decoding: settings.response.body, as: UTF8.self), expect: 200)
        try await service.call("PATCH", path, as: token, #"{"requestsFrom": "invite"}"#, expect: 200)
        let stale = [Header("If-Match", tag)]
        try await service.call("PATCH", path, as: token, #"{"presence": false}"#, expect: 412, headers: stale)
        try await service.call("PATCH", path, as: token, #"{"presence": null}"#, expect: 400)
        try await service.call("PATCH", path, #"{"presence": true}"#, expect: 401)
        let ask = #"{"to": "\#(id)"}"#
        try await service.call("POST", "/v1/friend-requests", as: otherToken, ask, expect: 409)
        try await service.call("PATCH", path, as: token, #"{"discoverable": "nobody"}"#, expect: 200)
        try await service.call("GET", "/v1/users/\(id)", as: otherToken, expect: 404)
        try await service.call("PUT", "/v1/blocks/\(id)", as: otherToken, expect: 404)
    }

    @Test func `API tokens, and sessions in cookies`() async throws {
        let service = try DescribedService()
        let (_, token, _) = try await service.signUp("marisol")
        let path = "/v1/me/tokens"
        let new = #"{"name": "QGIS", "scopes": ["read", "write"], "expiresAt": "2036-11-29T12:00:00.000Z"}"#
        let made = try await service.call("POST", path, as: token, new, expect: 201)
        let secret = made.text("token")
        try await service.call("GET", "/v1/pins", as: secret, expect: 200)
        try await service.call("GET", path, as: secret, expect: 403)
        try await service.call("POST", "/v1/pins/import", as: secret, expect: 403)
        try await service.call("POST", path, as: token, #"{"name": "QGIS", "scopes": []}"#, expect: 400)
        let own = "\(path)/\(made.text("id"))"
        let list = try await service.call("GET", path, as: token, expect: 200)
        #expect(list.json["items"]?.elements.count == 1)
        let shown = try await service.call("GET", own, as: token, expect: 200)
        let tag = [Header("If-None-Match", shown.response.header("ETag") ?? "")]
        try await service.call("GET", own, as: token, expect: 304, headers: tag)
        try await service.call("DELETE", own, as: token, expect: 412, headers: [Header("If-Match", "\"x\"")])
        try await service.call("DELETE", own, as: token, expect: 204)
        try await service.call("DELETE", own, as: token, expect: 404)
        try await service.call("GET", "/v1/pins", as: secret, expect: 401)

        let page = [Header("Host", "localhost"), Header("Origin", "http://localhost")]
        func cookies(_ answer: DescribedService.Answer) -> Header {
            let pairs = answer.response.headers.filter { $0.name == "Set-Cookie" }.map { $0.value.prefix { $0 != ";" } }
            return Header("Cookie", pairs.joined(separator: "; "))
        }
        let credentials = #"{"login": "marisol", "password": "correct horse battery", "cookie": true}"#
        let session = try await service.call("POST", "/v1/sessions", credentials, expect: 201, headers: page)
        #expect(session.json["accessToken"] == nil)
        let first = cookies(session)
        try await service.call("POST", "/v1/sessions/refresh", expect: 403, headers: [first])
        let renewed = try await service.call("POST", "/v1/sessions/refresh", expect: 200, headers: page + [first])
        let second = cookies(renewed)
        try await service.call("GET", "/v1/me", expect: 200, headers: [second])
        try await service.call("POST", "/v1/pins", #"{"name": "x"}"#, expect: 403, headers: [second])
        try await service.call("DELETE", "/v1/sessions/current", expect: 204, headers: page + [second])
    }
}
