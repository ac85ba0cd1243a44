import Foundation
import Geo
import SocialModel

extension PinfoldClient {
    /// The pins that one may see, one's own and friends': of an area, by filters, in an order (the newest first; around
    /// a point the nearest).
    public func pins(
        _ area: PinArea = .everywhere, _ filter: PinFilter = PinFilter(), order: PinOrder? = nil, pageSize: Int? = nil
    ) -> Pages<Pin> {
        pages(
            Call(.get, "/v1/pins").within(area).filtered(filter).query("sort", order?.rawValue), limit: pageSize)
    }

    /// One page of `pins` as a GeoJSON FeatureCollection (RFC 7946), as sent; its member `next` is the next cursor.
    public func pinsAsGeoJSON(
        _ area: PinArea = .everywhere, _ filter: PinFilter = PinFilter(), order: PinOrder? = nil,
        pageSize: Int? = nil, cursor: String? = nil
    ) async throws -> Data {
        try await send(
            Call(.get, "/v1/pins").within(area).filtered(filter).query("sort", order?.rawValue)
                .query("limit", pageSize.map(String.init)).query("cursor", cursor).query("f", "geojson")
        ).body
    }

    /// One pin.
    public func pin(_ id: Identifier<Pin>) async throws -> Tagged<Pin> {
        try await tagged(Call(.get, "/v1/pins/\(id)"))
    }

    /// One pin; nil if it still has this tag.
    public func pin(_ id: Identifier<Pin>, changedFrom tag: String?) async throws -> Tagged<Pin>? {
        try await taggedIfChanged(Call(.get, "/v1/pins/\(id)").ifNoneMatch(tag))
    }

    /// Drops a pin, once under `key`: to try again later, give the same key and the same pin within 24 hours.
    @discardableResult
    public func createPin(_ pin: NewPin, key: IdempotencyKey = IdempotencyKey()) async throws -> Tagged<Pin> {
        try await tagged(try Call(.post, "/v1/pins").sending(pin).once(key))
    }

    /// Changes a pin of one's own, if it still has this tag (else 412, also when the change was made and its answer
    /// lost). Without a tag it is not repeated, because it might undo a later change.
    @discardableResult
    public func changePin(
        _ id: Identifier<Pin>, _ change: PinChange, ifUnchangedFrom tag: String? = nil
    ) async throws -> Tagged<Pin> {
        try await tagged(try Call(.patch, "/v1/pins/\(id)").sending(change, as: mergePatch).ifMatch(tag))
    }

    /// Deletes a pin of one's own, if it still has this tag. It can be restored for ten minutes.
    public func deletePin(_ id: Identifier<Pin>, ifUnchangedFrom tag: String? = nil) async throws {
        _ = try await send(Call(.delete, "/v1/pins/\(id)").ifMatch(tag))
    }

    /// Restores a pin that one has deleted within the last ten minutes.
    @discardableResult
    public func restorePin(_ id: Identifier<Pin>) async throws -> Tagged<Pin> {
        try await tagged(Call(.post, "/v1/pins/\(id)/restore").once(IdempotencyKey()))
    }

    /// Drops or changes up to 1,000 pins; a result for each row, in order.
    public func batchPins(_ rows: [BatchPin], key: IdempotencyKey = IdempotencyKey()) async throws -> [BatchResult] {
        struct Results: Decodable {
            let results: [BatchResult]
        }
        let answer: Results = try await value(try Call(.post, "/v1/pins/batch").sending(["pins": rows]).once(key))
        return answer.results
    }

    /// One page of what has become visible, has changed, or is no longer visible since `cursor`; without one, of all
    /// that is visible.
    ///
    /// - Throws: `PinfoldError` with `isCursorExpired`.
    public func pinChanges(since cursor: String? = nil, limit: Int? = nil) async throws -> PinChanges {
        try await value(
            Call(.get, "/v1/pins/changes").query("since", cursor).query("limit", limit.map(String.init)))
    }
}
