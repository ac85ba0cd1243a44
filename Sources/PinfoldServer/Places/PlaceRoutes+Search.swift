import Geo
import HTTP
import SocialModel
import Storage

/// Search while typing, over places, landmarks and the viewer's pins in one ranking.
extension PlaceRoutes {
    /// What can be searched.
    enum SearchKind: String, CaseIterable {
        case pin, landmark, place
    }

    /// The most letters of a search.
    static let searchLength = 200

    /// `GET /v1/places/search?q=[&near=][&bbox=][&lang=][&kind=][&limit=]`: what has a name that begins with the text, or
    /// one like it, the best first. Signed out there are no pins.
    static func search(_ request: Request, _ app: App) throws -> Response {
        guard try app.token(of: request) != nil else {
            let search = try Search(request)
            let landmarks = try search.wantsLandmarks(app) ? app.database.read { try search.landmarks(app, $0) } : .none
            let (json, hasLandmarks) = try search.json(app, landmarks)
            let response = Response.content("application/json; charset=utf-8", json)
                .with("Vary", "Authorization, Cookie, Accept")
                .with("ETag", weakTag(of: json))
            // A dataset that is deleted is gone at the next request.
            return response.with("Cache-Control", hasLandmarks ? "public, no-cache" : "public, max-age=300")
        }
        return try app.database.read { read in
            let viewer = try app.viewer(of: request, in: read)
            let search = try Search(request)
            let landmarks = try search.wantsLandmarks(app) ? search.landmarks(app, read) : .none
            let json = try search.json(app, landmarks, pins: search.pins(of: viewer, app, read)).json
            return .privateJSON(json).with("ETag", weakTag(of: json))
        }
    }

    /// A weak one, since the bytes may come compressed.
    private static func weakTag(of json: [UInt8]) -> String { "W/" + Response.etag(of: json) }

    /// What is asked for.
    private struct Search {
        let text: String
        let bias: PlaceBias
        let language: LanguageTag?
        let kinds: Set<SearchKind>
        let limit: Int

        /// - Throws: `HTTPError` 400.
        init(_ request: Request) throws {
            var query = try QueryFields(request)
            text = query.required("q", .text(1...searchLength)) ?? ""
            bias = PlaceBias(
                point: query.optional("near", .coordinate), box: query.optional("bbox", .boundingBox))
            language = query.optional("lang", .language)
            kinds = Set(query.repeated("kind", limit: SearchKind.allCases.count, .choice(SearchKind.self)))
            limit = query.optional("limit", .integer(1...500)) ?? 50
            try query.finish()
        }

        private func wants(_ kind: SearchKind) -> Bool { kinds.isEmpty || kinds.contains(kind) }

        func pins(of viewer: Viewer, _ app: App, _ read: ReadTransaction) throws -> [Found] {
            guard wants(.pin) else { return [] }
            let folding = app.gazetteer?.search.index.folding ?? .alone
            let words = folding.words(text.unicodeScalars).words
            func points(_ match: OwnerPinNames.Match, _ coordinate: Coordinate, _ isOwn: Bool) -> Int {
                PlaceSearch.points(match, isOwn: isOwn) + bias.bonus(at: coordinate)
            }
            let named = try VisiblePins(of: viewer, in: read, app.planner)
                .named(words, folding, app.pinNames, limit: limit, points: points)
            if !named.isWhole { app.readNames(for: viewer.id, folding) }
            return named.pins.map { named in
                let isOwn = named.pin.ownerId == viewer.id
                return Found(
                    points: points(named.match, named.pin.coordinate, isOwn),
                    item: .pin(PinSearchItem(named, near: bias.point)))
            }
        }

        func wantsLandmarks(_ app: App) -> Bool { wants(.landmark) && !app.landmarkNames.isEmpty }

        func landmarks(_ app: App, _ read: ReadTransaction) throws -> FoundLandmarks {
            let current = try CurrentLandmarks(in: read)
            let shards = current.datasets.flatMap(app.landmarkNames.shards)
            guard !shards.isEmpty else { return .none }
            func look(_ places: Gazetteer?) throws -> FoundLandmarks {
                var search = LandmarkSearch(text, shards, bias: bias, places, limit: limit)
                let results = search.results()
                let rows = try current.landmarks(results.map(\.number))
                let found = results.compactMap { result in
                    rows[result.number].map { (result: result, landmark: $0) }
                }.prefix(limit)
                let datasets = Set(found.map(\.landmark.datasetId))
                return FoundLandmarks(
                    items: found.map { found in
                        let address = places?.reverse(found.landmark.coordinate).label
                        return Found(
                            points: found.result.points,
                            item: .landmark(
                                LandmarkSearchItem(
                                    found.landmark, found.result.match, text: text, near: bias.point, in: language,
                                    address: address)))
                    }, datasets: current.datasets.filter { datasets.contains($0.id) })
            }
            return try app.gazetteer == nil ? look(nil) : app.withPlaces { try look($0) }
        }

        /// The answer: places, landmarks and pins, the best first; of those that count the same places come first.
        func json(
            _ app: App, _ landmarks: FoundLandmarks, pins: [Found] = []
        ) throws -> (json: [UInt8], hasLandmarks: Bool) {
            guard wants(.place) else { return json(landmarks.items + pins, nil, nil, landmarks.datasets) }
            return try app.withPlaces { places in
                let found = places.search.results(text, bias: bias, limit: limit).map {
                    Found(points: $0.points, item: .place($0))
                }
                let names = try places.names(in: language)
                let streets = places.streets(text, bias: bias, limit: limit).map {
                    Found(
                        points: $0.points,
                        item: .street(StreetSearchItem($0, places.geocoder, near: bias.point, in: names)))
                }
                return json(
                    found + streets + landmarks.items + pins, places.search.index, names, landmarks.datasets)
            }
        }

        private func json(
            _ found: [Found], _ index: PlaceIndex?, _ names: LanguageNames?, _ datasets: [LandmarkDataset]
        ) -> (json: [UInt8], hasLandmarks: Bool) {
            // Stable, which `sorted` of the standard library is without promising it.
            let order = found.indices.sorted { (found[$1].points, $0) < (found[$0].points, $1) }.prefix(limit)
            var shown: Set<Identifier<Dataset>> = []
            var json = JSONWriter(capacity: 320 * (order.count + 1))
            json.object { json in
                json.key("items")
                json.array { json in
                    for position in order {
                        switch found[position].item {
                        case .pin(let pin): pin.write(to: &json)
                        case .street(let street): street.write(to: &json)
                        case .landmark(let landmark):
                            landmark.write(to: &json)
                            shown.insert(landmark.landmark.datasetId)
                        case .place(let result):
                            guard let index else { continue }
                            PlaceSearchItem(result, of: index, near: bias.point, in: names).write(to: &json)
                        }
                    }
                }
                json.key("next")
                json.null()
                json.key("attribution")
                json.string(attribution)
                guard !shown.isEmpty else { return }
                json.key("attributions")
                json.array { json in
                    for dataset in datasets where shown.contains(dataset.id) { dataset.writeAttribution(to: &json) }
                }
            }
            return (json.bytes, !shown.isEmpty)
        }
    }

    /// Whom to thank for the names.
    private static let attribution = "Places: GeoNames (geonames.org), CC BY 4.0"

    /// Landmarks that were found, and the datasets that they are of.
    private struct FoundLandmarks {
        var items: [Found] = []
        var datasets: [LandmarkDataset] = []

        static let none = FoundLandmarks()
    }

    /// Something that was found, of any kind.
    private struct Found {
        enum Item {
            case place(PlaceSearch.Result)
            case street(StreetSearchItem)
            case landmark(LandmarkSearchItem)
            case pin(PinSearchItem)
        }

        let points: Int
        let item: Item
    }
}

extension App {
    /// Reads the names of all pins that somebody sees into memory, while the next letter is typed. Who sees thousands of
    /// friends' pins would wait for them; what fails is tried again by the next search.
    fileprivate func readNames(for viewer: Identifier<User>, _ folding: PlaceFolding) {
        pinNames.later { [database, planner, pinNames] in
            for _ in 0..<100 {
                let isWhole = try? database.read {
                    try VisiblePins(of: viewer, in: $0, planner).readNames(folding, into: pinNames, limit: 10_000)
                }
                if isWhole != false { return }
            }
        }
    }
}

extension PlaceSearch {
    /// What a pin counts beside places: as much as a city of a million people, the viewer's own a little more.
    static func points(_ match: OwnerPinNames.Match, isOwn: Bool) -> Int {
        let bonus =
            switch match {
            case .whole: Bonus.correct + Bonus.exact
            case .beginning: Bonus.correct
            case .words: Bonus.correct - 700
            case .misspelt(let errors, let isWhole):
                Bonus.withErrors + (isWhole ? Bonus.wholeWithErrors : 0) + (errors > 1 ? Bonus.secondError : 0)
            }
        return bonus + Bonus.pin + (isOwn ? 200 : 0)
    }
}
