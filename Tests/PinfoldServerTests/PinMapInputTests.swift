import SocialModel
import Testing

/// What tiles and clusters refuse, and how their answers may be kept.
@Suite struct PinMapInputTests {
    @Test(arguments: [
        ("23/0/0", ["z"]), ("-1/0/0", ["z"]), ("22/4194304/0", ["x"]), ("22/0/4194304", ["y"]), ("0/1/0", ["x"]),
        ("0/0/1", ["y"]), ("3/8/8", ["x", "y"]), ("3/-1/0", ["x"]), ("3/0/-0", ["y"]), ("0x1/0/0", ["z"]),
        ("1/0x1/0", ["x"]), ("1/0/0x1", ["y"]), ("1e0/0/0", ["z"]), ("1/1e0/1e0", ["x", "y"]), ("+1/0/0", ["z"]),
        ("1/+1/+0", ["x", "y"]), ("%D9%A1/0/0", ["z"]), ("1/%D9%A1/0", ["x"]), ("1/0/%EF%BC%91", ["y"]),
        ("99999999999999999999999/0/0", ["z"]), ("3/99999999999999999999999/9223372036854775808", ["x", "y"]),
        ("a/b/c", ["z", "x", "y"]), ("1.0/0/0", ["z"]), ("01/0/0", ["z"]), ("1/00/1", ["x"]),
        ("1/%200/1%20", ["x", "y"]),
        ("z/4194304/0", ["z"]), ("%2F/0/%2F", ["z", "y"]),
    ])
    func `tiles that cannot be name z, x or y`(path: String, fields: [String]) async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            try await ana.drop()
            let answer = try await ana.get("/v1/tiles/pins/\(path).mvt", expect: .badRequest)
            #expect(answer.faults == Set(fields), "\(answer.text)")
            try await client.get("/v1/tiles/pins/\(path).mvt", expect: .unauthorized)
        }
    }

    @Test(arguments: [
        "0/0/0", "0/0/0.MVT", "0/0/0.pbf", "0/0/.mvt", "0/0/0.mvt.gz", "0/0/0.mvt/", "0/0.mvt", "0/0/0/0.mvt",
        "0//0.mvt", "0/0/0mvt", "",
    ])
    func `paths that are no tile are 404`(path: String) async throws {
        try await withApp { app, client in
            try await client.signUp("ana").get("/v1/tiles/pins/\(path)", expect: .notFound)
        }
    }

    @Test(arguments: [
        ("near=0,0", "near"), ("radius=5", "radius"), ("sort=newest", "sort"), ("limit=5", "limit"),
        ("cursor=x", "cursor"), ("f=geojson", "f"), ("foo", "foo"), ("Owner=1", "Owner"), ("owner=x", "owner"),
        ("category=Food", "category"), ("minRating=6", "minRating"), ("q=", "q"), ("since=now", "since"),
        ("minRating=1&minRating=2", "minRating"),
    ])
    func `faulty and foreign filters are named`(query: String, field: String) async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            for path in ["/v1/tiles/pins/0/0/0.mvt?", "/v1/pins/clusters?bbox=0,0,1,1&zoom=3&"] {
                #expect(try await ana.get(path + query, expect: .badRequest).faults == [field], "\(path)")
            }
            let answer = try await ana.get("/v1/tiles/pins/30/0/0.mvt?\(query)&bbox=0,0,1,1", expect: .badRequest)
            #expect(answer.faults == [field, "z", "bbox"])
        }
    }

    @Test(arguments: [
        ("", ["bbox", "zoom"]), ("bbox=0,0,1,1", ["zoom"]), ("zoom=3", ["bbox"]), ("bbox=0,0,1,1&zoom=23", ["zoom"]),
        ("bbox=0,0,1,1&zoom=-1", ["zoom"]), ("bbox=0,0,1,1&zoom=1.5", ["zoom"]), ("bbox=0,0,1,1&zoom=%2B1", ["zoom"]),
        ("bbox=0,0,1,1&zoom=0x1", ["zoom"]), ("bbox=0,0,1,1&zoom=1e0", ["zoom"]), ("bbox=0,0,1,1&zoom=", ["zoom"]),
        ("bbox=0,0,1,1&zoom=%D9%A1", ["zoom"]), ("bbox=0,0,1,1&zoom=99999999999999999999", ["zoom"]),
        ("bbox=0,5,1,1&zoom=3", ["bbox"]), ("bbox=0,0,1&zoom=3", ["bbox"]),
        ("bbox=nan,0,1,1&zoom=x", ["bbox", "zoom"]),
        ("bbox=0,0,1,1&bbox=0,0,1,1&zoom=3", ["bbox"]), ("bbox=0,0,1,1&zoom=3&zoom=3", ["zoom"]),
    ])
    func `clusters need a box and a zoom`(query: String, fields: [String]) async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let answer = try await ana.get("/v1/pins/clusters?\(query)", expect: .badRequest)
            #expect(answer.faults == Set(fields), "\(answer.text)")
        }
    }

    @Test func `every corner of the grid and of the zooms is good`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            for (latitude, longitude) in [(85.0511287, -180.0), (-85.0511287, 179.9999999), (0, 0)] {
                try await ana.drop("Corner", at: latitude, longitude)
            }
            for path in ["0/0/0", "22/0/0", "22/4194303/4194303", "22/2097152/2097152", "14/0/0", "13/8191/8191"] {
                #expect(try await ana.get("/v1/tiles/pins/\(path).mvt", expect: .ok).pinFeatures().isEmpty == false)
            }
            for path in ["22/4194303/0", "1/1/0", "22/2097151/2097151"] {
                try await ana.get("/v1/tiles/pins/\(path).mvt", expect: .noContent)
            }
            for zoom in 0...22 {
                for box in ["-180,-90,180,90", "180,90,180,90", "0,0,0,0", "180,-90,-180,90", "179,0,-179,0"] {
                    try await ana.get("/v1/pins/clusters?bbox=\(box)&zoom=\(zoom)", expect: .ok)
                }
            }
        }
    }

    @Test func `answers may be kept by their viewer, who asks each time`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let pin = try await ben.drop("Ramen", at: 10, 20)
            for path in ["/v1/tiles/pins/0/0/0.mvt", "/v1/tiles/pins/22/2330168/1980047.mvt"]
                + ["/v1/pins/clusters?bbox=0,0,90,90&zoom=0", "/v1/pins/clusters?bbox=0,0,90,90&zoom=20"]
            {
                let first = try await ana.get(path)
                #expect([.ok, .noContent].contains(first.status))
                #expect(first.header("Cache-Control") == "private, no-cache", "\(path)")
                #expect(first.header("Vary") == "Authorization, Cookie, Accept", "\(path)")
                guard first.status == .ok else { continue }
                let etag = try #require(first.etag)
                #expect(etag.hasPrefix("\""))
                let again = try await ana.get(path, headers: [("If-None-Match", etag)], expect: .notModified)
                #expect(again.response.body.isEmpty && again.etag == etag)
                let head = try await ana.send("HEAD", path, expect: .ok)
                #expect(head.response.body.isEmpty && head.etag == etag)
                try await ben.patch("/v1/pins/\(pin.id)", ["rating": 3, "audience": "friends"], expect: .ok)
                let changed = try await ana.get(path, headers: [("If-None-Match", etag)], expect: .ok)
                #expect(changed.etag != etag)
                try await ben.patch("/v1/pins/\(pin.id)", ["rating": nil], expect: .ok)
            }
            try await ben.delete("/v1/friends/\(ana.id)", expect: .noContent)
            let gone = try await ana.get("/v1/tiles/pins/0/0/0.mvt", expect: .noContent)
            #expect(gone.response.body.isEmpty && gone.etag == nil)
            #expect(gone.header("Cache-Control") == "private, no-cache")
        }
    }
}
