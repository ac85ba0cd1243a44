import Geo
import HTTP
import SocialModel
import Storage

/// Many pins in one request, each with a result of its own.
extension PinRoutes {
    static let batchLimit = 1000
    /// Bytes of a batch's body.
    static let batchBytes = 8 << 20
    /// Bytes of the answer behind which results name their pin by its id alone, and the same for an answer that is kept
    /// for its `Idempotency-Key`.
    private static let batchRoom = 8 << 20
    private static let keptRoom = 256 << 10
    /// Faults that are told of one row.
    private static let rowFaults = 10
    /// Unknown fields of the body that are told of.
    private static let unknownLimit = 50

    /// On the pool: a thousand pins take a while to check.
    static func batch(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        let rows = try batchRows(request, app, viewer)
        let prepared = try app.database.read { read in
            try rows.map { row in
                guard case .success(var upsert) = row else { return row }
                return try row.mapFaults { _ in
                    try upsert.prepare(of: viewer, in: read, app)
                    return upsert
                }
            }
        }
        let room = request.header("Idempotency-Key") == nil ? batchRoom : keptRoom
        return Write { write, viewer in
            let owner = try PinOwner(viewer.id, in: write)
            var json = JSONWriter(capacity: 512 * prepared.count)
            try json.object { json in
                json.key("results")
                try json.array { json in
                    for row in prepared {
                        let result = try row.mapFaults {
                            try $0.store(by: viewer, owner, in: write, app)
                        }
                        writeResult(result, hasRoom: json.bytes.count < room, to: &json)
                    }
                }
            }
            return .privateJSON(json.bytes).with("ETag", Response.etag(of: json.bytes))
        }
    }

    private static func writeResult(
        _ result: BatchRow<(pin: Pin, outcome: PinUpsert.Outcome)>, hasRoom: Bool, to json: inout JSONWriter
    ) {
        json.object { json in
            json.key("status")
            switch result {
            case .success(let (pin, outcome)):
                json.integer(outcome == .created ? 201 : 200)
                json.key("id")
                json.identifier(pin.id)
                guard hasRoom else { return }
                json.key("pin")
                pin.write(to: &json)
            case .failure(let faulty):
                json.integer(400)
                json.key("errors")
                json.array { json in
                    for fault in faulty.faults.prefix(rowFaults) {
                        json.object { json in
                            json.key("field")
                            json.string(fault.field)
                            json.key("message")
                            json.string(fault.message)
                        }
                    }
                }
            }
        }
    }

    // MARK: The body

    /// The body is read row by row: what a row holds never makes a tree of the whole body.
    private static func batchRows(_ request: Request, _ app: App, _ viewer: Viewer) throws -> [BatchRow<PinUpsert>] {
        try BodyFields.requireJSON(request)
        let ranges: [Range<Int>]
        do { ranges = try batchRanges(request.body) } catch let fault as ImportFault {
            throw HTTPError.malformed("the body \(fault.message)")
        }
        return try ranges.map { range in
            guard range.count <= JSONImport.rowBytes else {
                return .failure(Faulty([HTTPError.FieldFault("pins", "must be objects of at most 256 KiB")]))
            }
            do {
                guard case .object(let members) = try JSONValue(parsing: Array(request.body[range])) else {
                    return .failure(Faulty([HTTPError.FieldFault("pins", "must be objects")]))
                }
                return try BatchRow<Void>.success(()).mapFaults { try upsert(members, app, viewer) }
            } catch let fault as JSONValue.Fault {
                throw HTTPError.malformed("the body \(fault.message) (at byte \(range.lowerBound + fault.offset))")
            }
        }
    }

    private static func batchRanges(_ body: [UInt8]) throws -> [Range<Int>] {
        var scanner = JSONScanner(body)
        var pins: Range<Int>?
        var unknown: [HTTPError.FieldFault] = []
        try scanner.members { name, range in
            if name != "pins" {
                if unknown.count < unknownLimit { unknown.append(HTTPError.FieldFault(name, "is not a known field")) }
            } else if pins == nil {
                pins = range
            } else {
                throw ImportFault("has the member \"pins\" twice")
            }
        }
        scanner.skipSpace()
        guard scanner.next == nil else { throw scanner.fault() }
        let faulty = HTTPError.FieldFault("pins", "must be a list of 1 to \(batchLimit) pins")
        guard let pins else {
            throw HTTPError.badRequest([HTTPError.FieldFault("pins", "is required")] + unknown)
        }
        guard unknown.isEmpty else { throw HTTPError.badRequest(unknown) }
        guard body[pins.lowerBound] == UInt8(ascii: "[") else { throw HTTPError.badRequest([faulty]) }
        var ranges: [Range<Int>] = []
        var list = JSONScanner(body, in: pins)
        try list.elements { range in
            guard ranges.count < batchLimit else { throw HTTPError.badRequest([faulty]) }
            ranges.append(range)
        }
        guard !ranges.isEmpty else { throw HTTPError.badRequest([faulty]) }
        return ranges
    }

    private static func upsert(_ members: [JSONValue.Member], _ app: App, _ viewer: Viewer) throws -> PinUpsert {
        var body = BodyFields(members)
        let draft = PinDraft(new: &body)
        let externalId = body.nullable("externalId", .text(1...200))
        let createdAt = body.nullable("createdAt", .time(until: app.clock()))
        try body.finish()
        guard let coordinate = draft.coordinate, let name = draft.name else { throw HTTPError.badRequest([]) }
        return PinUpsert(
            try draft.newPin(at: coordinate, name: name, of: viewer) { app.address(of: $0) }, change: draft,
            externalId: externalId, createdAt: createdAt)
    }
}

/// A row of a batch, or what is wrong with it.
private typealias BatchRow<Value> = Result<Value, Faulty>

/// The faults of one row, which stops no other.
private struct Faulty: Error {
    let faults: [HTTPError.FieldFault]

    init(_ faults: [HTTPError.FieldFault]) {
        self.faults = faults
    }
}

extension Result where Failure == Faulty {
    /// The next step with the row, if there is no fault yet.
    ///
    /// - Throws: what `step` throws, but for bad input, which becomes the row's fault.
    fileprivate func mapFaults<Next>(_ step: (Success) throws -> Next) throws -> Result<Next, Faulty> {
        switch self {
        case .failure(let faulty): return .failure(faulty)
        case .success(let value):
            do {
                return .success(try step(value))
            } catch let error as HTTPError where error.status == 400 {
                return .failure(Faulty(error.faults))
            }
        }
    }
}
