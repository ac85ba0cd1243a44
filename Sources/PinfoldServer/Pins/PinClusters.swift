import Geo
import HTTP
import SocialModel

/// What a map of a box shows at one zoom.
struct PinClusters {
    enum Item {
        case cluster(PinCluster)
        case pin(Pin)
    }

    /// The most items of an answer.
    static let limit = 5_000
    /// The most bytes of the texts of an answer's pins, but for zoom 0, whose 64 cells are few enough.
    static let textLimit = 4 << 20

    /// That of the items; less than what was asked for where that would have been too much.
    let zoom: Int
    let items: [Item]
}

extension VisiblePins {
    /// The clusters of `query`, but for its area, whose points lie in `box`, and the pins that are alone in their
    /// cells; from zoom 14 on each pin. The cells of the outermost rows go on to the poles.
    ///
    /// All pins of a cell are counted, those outside of the box too, so that a cluster stays as it is while a map moves.
    /// Where there would be more than `PinClusters.limit`, it is the nearest zoom below that has no more. Where the texts
    /// of the pins would be longer than `PinClusters.textLimit`, it is a lower zoom too.
    func clusters(in box: BoundingBox, zoom asked: Int, _ query: PinQuery) throws -> PinClusters {
        var zoom = asked
        if zoom >= PinCluster.pinZoom {
            if let pins = try pinsOneByOne(in: box, query) {
                return PinClusters(zoom: zoom, items: pins.map { .pin($0) })
            }
            zoom = PinCluster.pinZoom - 1
        }
        var area: BoundingBox?
        var placed: [PlacedPin] = []
        while true {
            let whole = PinCluster.grid(zoom: zoom).box(covering: box)
            if whole != area { placed = try placedPins(in: whole, query) }
            area = whole
            let shown = clusters(of: placed, zoom: zoom).filter { box.contains($0.coordinate) }
            if shown.count > PinClusters.limit {
                zoom = nextZoom(below: zoom, placed, in: box)
            } else if let pins = try pins(
                shown.filter { $0.count == 1 }.map(\.id), textLimit: zoom == 0 ? .max : PinClusters.textLimit)
            {
                let items = shown.compactMap { cluster -> PinClusters.Item? in
                    cluster.count > 1 ? .cluster(cluster) : pins[cluster.id].map { .pin($0) }
                }
                return PinClusters(zoom: zoom, items: items)
            } else {
                // Halved, because each try reads the pins again.
                zoom /= 2
            }
        }
    }

    /// Each pin in the box, by id; nil if they are too many or too long.
    private func pinsOneByOne(in box: BoundingBox, _ query: PinQuery) throws -> [Pin]? {
        var query = query
        query.area = .box(box)
        var ids: [Int64] = []
        do {
            try forEachEntry(query) { pin in
                guard ids.count < PinClusters.limit else { throw TooMany() }
                ids.append(pin.id)
            }
        } catch is TooMany {
            return nil
        }
        guard let pins = try pins(ids, textLimit: PinClusters.textLimit) else { return nil }
        return ids.sorted().compactMap { pins[$0] }
    }

    /// The pins in the box, so ordered that those of a cell follow one another, whatever the zoom.
    private func placedPins(in box: BoundingBox, _ query: PinQuery) throws -> [PlacedPin] {
        var query = query
        query.area = .box(box)
        var pins: [PlacedPin] = []
        try forEachEntry(query) { pins.append(PlacedPin(quadkey: MercatorGrid.quadkey(of: $0.coordinate), entry: $0)) }
        pins.sort { $0.quadkey < $1.quadkey }
        return pins
    }

    /// The clusters of all cells that have pins.
    private func clusters(of pins: [PlacedPin], zoom: Int) -> [PinCluster] {
        let grid = PinCluster.grid(zoom: zoom)
        var clusters: [PinCluster] = []
        var last: UInt64?
        for pin in pins {
            let cell = grid.prefix(of: pin.quadkey)
            if cell != last { clusters.append(PinCluster()) }
            last = cell
            clusters[clusters.count - 1].add(pin.entry)
        }
        return clusters
    }

    /// The greatest zoom below one that shows too much which might show little enough.
    ///
    /// A cell that does not lie on the border of the box shows its cluster whatever else there is, so where these are
    /// too many already no pins need be read.
    private func nextZoom(below zoom: Int, _ pins: [PlacedPin], in box: BoundingBox) -> Int {
        for next in (1..<zoom).reversed() {
            let grid = PinCluster.grid(zoom: next)
            let columns = [box.west, box.east].map { grid.column(longitudeE7: $0) % grid.side }
            let rows = [box.south, box.north].map(grid.row(latitudeE7:))
            var inside = 0
            var last: UInt64?
            for pin in pins where grid.prefix(of: pin.quadkey) != last {
                last = grid.prefix(of: pin.quadkey)
                let cell = grid.cell(of: pin.quadkey)
                if !columns.contains(cell.column), !rows.contains(cell.row) { inside += 1 }
            }
            if inside <= PinClusters.limit { return next }
        }
        return 0
    }

    /// The pins with these ids; nil if their texts are longer.
    private func pins(_ ids: [Int64], textLimit: Int) throws -> [Int64: Pin]? {
        var found: [Int64: Pin] = Dictionary(minimumCapacity: ids.count)
        var room = textLimit
        for chunk in chunks(of: ids) {
            for (id, pin) in try pins(chunk) {
                room -= pin.textBytes
                found[id] = pin
            }
            if room < 0 { return nil }
        }
        return found
    }
}

/// There are more pins than an answer has items.
private struct TooMany: Error {}

private struct PlacedPin {
    let quadkey: UInt64
    let entry: PinEntry
}

extension PinClusters: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("items")
            json.array { json in
                for item in items { write(item, to: &json) }
            }
            json.key("next")
            json.null()
            json.key("zoom")
            json.integer(Int64(zoom))
        }
    }

    private func write(_ item: Item, to json: inout JSONWriter) {
        json.object { json in
            switch item {
            case .cluster(let cluster):
                writeMembers(
                    "cluster", cluster.coordinate, count: cluster.count,
                    expansionZoom: cluster.expansionZoom(at: zoom), meanRating: cluster.meanRating, cluster.category,
                    to: &json)
            case .pin(let pin):
                writeMembers(
                    "pin", pin.coordinate, count: 1, expansionZoom: nil, meanRating: pin.rating.map(Double.init),
                    pin.category, to: &json)
                json.key("pin")
                pin.write(to: &json)
            }
        }
    }

    private func writeMembers(
        _ kind: String, _ coordinate: Coordinate, count: Int64, expansionZoom: Int?, meanRating: Double?,
        _ category: Pin.Category, to json: inout JSONWriter
    ) {
        json.key("kind")
        json.string(kind)
        json.key("latitude")
        json.e7(coordinate.latitudeE7)
        json.key("longitude")
        json.e7(coordinate.longitudeE7)
        json.key("count")
        json.integer(count)
        json.key("expansionZoom")
        if let expansionZoom { json.integer(Int64(expansionZoom)) } else { json.null() }
        json.key("meanRating")
        if let meanRating { json.number(meanRating) } else { json.null() }
        json.key("category")
        json.string(category.rawValue)
    }
}
