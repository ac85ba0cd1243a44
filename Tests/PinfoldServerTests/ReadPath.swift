import SocialModel
import Testing

/// Every way in which a viewer can come to know of a pin.
enum ReadPath: CaseIterable {
    case feed, bestFirst, box, near, within, ofEachOwner, search, geoJSON, smallPages, single, tile, worldTile,
        clusters, cluster, placeSearch

    /// The ids, of `known` or not, that a viewer gets to see this way. All pins lie at 10 N 20 E and have "Ramen" in
    /// their name.
    func pins(for viewer: Person, owners: [Person], known: Set<String>) async throws -> Set<String> {
        switch self {
        case .feed: return Set(try await viewer.all("/v1/pins", limit: 500))
        case .bestFirst: return Set(try await viewer.all("/v1/pins?sort=rating", limit: 500))
        case .box: return Set(try await viewer.all("/v1/pins?bbox=19,9,21,11", limit: 500))
        case .near: return Set(try await viewer.all("/v1/pins?near=0,0", limit: 500))
        case .within: return Set(try await viewer.all("/v1/pins?near=10,20&radius=20&sort=newest", limit: 500))
        case .ofEachOwner:
            var ids: Set<String> = []
            for owner in owners {
                let found = try await viewer.get("/v1/pins?limit=500&owner=\(owner.id)", expect: .ok)
                for item in found.json["items"]?.elements ?? [] {
                    #expect(item["ownerId"]?.text == owner.id.description)
                }
                ids.formUnion(found.ids)
            }
            return ids
        case .search: return Set(try await viewer.all("/v1/pins?q=ramen", limit: 500))
        case .placeSearch:
            return Set(try await viewer.get("/v1/places/search?kind=pin&limit=500&q=rame", expect: .ok).ids)
        case .geoJSON:
            let found = try await viewer.get("/v1/pins?f=geojson&limit=500", expect: .ok)
            return Set((found.json["features"]?.elements ?? []).compactMap { $0["id"]?.text })
        case .tile:
            // 10 N 20 E at zoom 16, by the formulas.
            let features = try await viewer.get("/v1/tiles/pins/16/36408/30938.mvt").pinFeatures()
            return Set(features.compactMap { $0.text("id") })
        case .worldTile:
            // It shows how many there are and who they are if there is one.
            let ids = try await Self.feed.pins(for: viewer, owners: owners, known: known)
            let features = try await viewer.get("/v1/tiles/pins/0/0/0.mvt").pinFeatures()
            if features.isEmpty { return [] }
            #expect(features.count == 1)
            let count = features.first?.unsigned("point_count")
            return count == nil ? Set(features.compactMap { $0.text("id") }) : count == UInt64(ids.count) ? ids : []
        case .clusters:
            let found = try await viewer.get("/v1/pins/clusters?bbox=19,9,21,11&zoom=14", expect: .ok)
            return Set((found.json["items"]?.elements ?? []).compactMap { $0["pin"]?["id"]?.text })
        case .cluster:
            let ids = try await Self.feed.pins(for: viewer, owners: owners, known: known)
            let found = try await viewer.get("/v1/pins/clusters?bbox=-180,-90,180,90&zoom=5", expect: .ok)
            let items = found.json["items"]?.elements ?? []
            if let id = items.first?["pin"]?["id"]?.text { return [id] }
            return items.first?["count"]?.number == Double(ids.count) ? ids : []
        case .smallPages: return Set(try await viewer.all("/v1/pins", limit: 7))
        case .single:
            var ids: Set<String> = []
            var refusals: Set<String> = []
            for id in known {
                let answer = try await viewer.get("/v1/pins/\(id)")
                if answer.status == .ok {
                    ids.insert(id)
                    let isOwn = answer.json["ownerId"]?.text == viewer.id.description
                    #expect((answer.json["audience"] != nil) == isOwn, "the audience is the owner's business")
                } else {
                    refusals.insert("\(answer.status) \(answer.text) \(answer.response.headers)")
                }
            }
            let never = try await viewer.get("/v1/pins/9223372036854775807", expect: .notFound)
            #expect(refusals.subtracting(["404 \(never.text) \(never.response.headers)"]).isEmpty)
            return ids
        }
    }
}
