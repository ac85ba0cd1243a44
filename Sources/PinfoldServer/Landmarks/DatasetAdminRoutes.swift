import HTTP
import SocialModel
import Storage

/// What admins and curators do to datasets that are there.
enum DatasetAdminRoutes {
    static func change(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try viewer.requireCurator()
        try request.refuseQuery()
        let name = request.parameter("datasetId") ?? ""
        let current = try app.database.read { try find(name, in: $0) }
        var body = try BodyFields(request)
        let title = body.optional("title", .line(1...200))
        let description = body.change("description", .lines(1...2000))
        let licence = body.change("licence", .line(1...200))
        let attribution = body.change("attribution", .line(1...500))
        let sourceURL = body.change("sourceURL", .webAddress)
        try body.unchanged(
            membersOf: current, ["id", "name", "version", "count", "extent", "createdAt", "updatedAt"])
        try body.finish()
        return Write { write, viewer in
            try viewer.requireCurator()
            let dataset = try find(name, in: write)
            try request.requireMatch(dataset)
            try write.run(
                """
                UPDATE dataset SET title = \(title ?? dataset.title),
                    description = \(description.applied(to: dataset.description)),
                    licence = \(licence.applied(to: dataset.licence)),
                    attribution = \(attribution.applied(to: dataset.attribution)),
                    sourceURL = \(sourceURL.applied(to: dataset.sourceURL)), updatedAt = \(write.now)
                WHERE id = \(dataset.id)
                """)
            try Audit.log(.datasetChange, dataset.name, by: viewer.id, in: write)
            app.imports.wake()
            return .json(try find(dataset.name, in: write))
        }
    }

    /// It is gone at once; its rows follow.
    static func delete(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try viewer.requireCurator()
        try request.refuseInput()
        let name = request.parameter("datasetId") ?? ""
        return Write { write, viewer in
            try viewer.requireCurator()
            let dataset = try find(name, in: write)
            try request.requireMatch(dataset)
            try requireNoImport(of: dataset.name, in: write)
            try write.run("UPDATE dataset SET name = NULL, updatedAt = \(write.now) WHERE id = \(dataset.id)")
            try Audit.log(.datasetDelete, dataset.name, by: viewer.id, in: write)
            app.imports.wake()
            return .noContent
        }
    }

    static func versions(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        _ = try app.curator(of: request, in: read)
        var query = try QueryFields(request)
        let page = Page(&query)
        try query.finish()
        let dataset = try find(request.parameter("datasetId") ?? "", in: read)
        let list = "versions \(dataset.id)"
        let last = try app.identifier(before: page.cursor, of: list)
        let found = try DatasetVersion.all(of: dataset, to: last, limit: page.limit + 1, in: read)
        return .json(app.page(found.map { ($0, key: String($0.number)) }, limit: page.limit, list))
    }

    /// Has the dataset be what it was in an earlier version, at once.
    static func restore(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try viewer.requireCurator()
        try request.refuseInput()
        let name = request.parameter("datasetId") ?? ""
        guard let number = request.parameter("versionNumber").flatMap({ Int64($0) }) else { throw HTTPError.notFound }
        return Write { write, viewer in
            try viewer.requireCurator()
            let dataset = try find(name, in: write)
            try requireNoImport(of: dataset.name, in: write)
            guard let head = try DatasetHead(named: dataset.name, in: write),
                try head.restore(number, by: viewer.id, in: write)
            else { throw HTTPError.notFound }
            var detail = JSONWriter()
            detail.object { json in
                json.key("restores")
                json.integer(number)
                json.key("version")
                json.integer(head.next)
            }
            try Audit.log(.datasetRestore, dataset.name, detail: detail, by: viewer.id, in: write)
            app.landmarkNames.refresh()
            return .json(try find(dataset.name, in: write))
        }
    }

    private static func find(_ name: String, in read: some Transaction) throws -> LandmarkDataset {
        guard let dataset = try LandmarkDataset.find(name, in: read) else { throw HTTPError.notFound }
        return dataset
    }

    private static func requireNoImport(of dataset: String, in read: some Transaction) throws {
        guard try !ImportJob.isUnderWay(of: dataset, in: read) else {
            throw HTTPError.conflict("import-running", "An import of this dataset waits or runs")
        }
    }
}

/// What a dataset was, or is.
struct DatasetVersion: JSONWritable {
    let number: Int64
    let restores: Int64?
    let isCurrent: Bool
    let count: Int
    let counts: LandmarkImport.Counts
    let createdBy: String?
    let createdAt: Timestamp

    /// Those with numbers up to `last`, newest first.
    static func all(
        of dataset: LandmarkDataset, to last: Int64, limit: Int, in read: some Transaction
    ) throws -> [DatasetVersion] {
        try read.rows(
            """
            SELECT number, restores, count, inserted, updated, unchanged, removed, rejected, username,
                datasetVersion.createdAt
            FROM datasetVersion LEFT JOIN account ON account.id = accountId
            WHERE datasetId = \(dataset.id) AND number <= \(last) ORDER BY number DESC LIMIT \(limit)
            """
        ) { row in
            DatasetVersion(
                number: row.int64(0), restores: row.optionalInt64(1), isCurrent: row.int64(0) == dataset.version,
                count: row.int(2),
                counts: LandmarkImport.Counts(
                    inserted: row.int(3), updated: row.int(4), unchanged: row.int(5), removed: row.int(6),
                    rejected: row.int(7)),
                createdBy: row.optionalText(8), createdAt: row.timestamp(9))
        }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("number")
            json.integer(number)
            json.key("restores")
            if let restores { json.integer(restores) } else { json.null() }
            json.key("current")
            json.bool(isCurrent)
            let counts: KeyValuePairs = [
                "count": count, "inserted": counts.inserted, "updated": counts.updated,
                "unchanged": counts.unchanged, "removed": counts.removed, "rejected": counts.rejected,
            ]
            for (name, count) in counts {
                json.key(escaping: name)
                json.integer(Int64(count))
            }
            json.key("createdBy")
            json.optionalString(createdBy)
            json.key("createdAt")
            json.time(createdAt.milliseconds)
        }
    }
}

extension FieldReader where Source == JSONValue, Value == String {
    /// A URL of the web.
    fileprivate static var webAddress: FieldReader {
        FieldReader { json in
            guard case .string(let text) = json, let address = LandmarkText.webAddress(text) else {
                return .failure(FieldProblem(LandmarkText.addressRule))
            }
            return .success(address)
        }
    }

    /// Text, cleaned as that of landmarks is.
    fileprivate static func lines(_ length: ClosedRange<Int>) -> FieldReader {
        let text = FieldReader.text(length)
        return FieldReader { json in
            text.read(json).flatMap { text in
                LandmarkText.cleaned(text).map(Result.success) ?? .failure(FieldProblem("must have something visible"))
            }
        }
    }

    /// The same, with blanks for line feeds.
    fileprivate static func line(_ length: ClosedRange<Int>) -> FieldReader {
        let lines = lines(length)
        return FieldReader { lines.read($0).map(LandmarkText.oneLine) }
    }
}
