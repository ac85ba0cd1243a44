import HTTP
import SocialModel
import Storage

/// An import: queued, run by `ImportWorker`, and kept as its report.
package struct ImportJob: Sendable {
    package enum State: String, CaseIterable, Sendable {
        case queued, running, succeeded, failed, cancelled

        package var isEnd: Bool { self != .queued && self != .running }
    }

    package let id: Identifier<ImportJob>
    package let request: ImportRequest
    package let dataset: Identifier<Dataset>?
    package let state: State
    package let findings: ImportFindings
    package let bytes: Int64
    /// Rows of the file so far, good or not; and how many it has, if it says so.
    package let read: Int
    package let total: Int?
    /// How much of the file is read, 0 to 1.
    package let part: Double
    package let inserted: Int
    package let updated: Int
    package let unchanged: Int
    package let removed: Int
    package let rejected: Int
    /// Why it failed: a slug and a sentence.
    package let problem: String?
    package let message: String?
    /// Who began it; nil for the command line, and for an account that is gone.
    let account: Identifier<User>?
    let createdBy: String?
    package let createdAt: Timestamp
    package let startedAt: Timestamp?
    package let finishedAt: Timestamp?
    /// The state that its rows are written under, once it has begun. One that has ended has it until none of them are
    /// left, or none but those of a state that the dataset has or had.
    let toState: Int64?
    /// The first rows that did not go in.
    package var faults: [Fault] = []

    /// A row that did not go in.
    package struct Fault: Sendable, Equatable {
        package let row: Int
        package let field: String
        package let message: String
    }

    /// Of the faults that are in a job itself.
    static let shownFaults = 100
    /// Of those that are kept; all are counted.
    static let keptFaults = 10_000
}

extension ImportJob: JSONWritable {
    /// As the API shows it.
    package var json: String {
        var json = JSONWriter()
        write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("id")
            json.identifier(id)
            json.key("dataset")
            json.string(request.dataset)
            json.key("datasetId")
            if let dataset { json.identifier(dataset) } else { json.null() }
            json.key("fileName")
            json.string(request.fileName)
            json.key("bytes")
            json.integer(bytes)
            json.key("dryRun")
            json.bool(request.isDryRun)
            json.key("state")
            json.string(state.rawValue)
            json.key("progress")
            json.object { json in
                json.key("read")
                json.integer(Int64(read))
                json.key("total")
                if let total { json.integer(Int64(total)) } else { json.null() }
                json.key("part")
                json.number(part)
            }
            let counts: KeyValuePairs = [
                "inserted": inserted, "updated": updated, "unchanged": unchanged, "removed": removed,
                "rejected": rejected,
            ]
            for (name, count) in counts {
                json.key(escaping: name)
                json.integer(Int64(count))
            }
            json.key("errors")
            json.array { json in for fault in faults { fault.write(to: &json) } }
            json.key("problem")
            writeProblem(to: &json)
            findings.writeMembers(to: &json)
            json.key("createdBy")
            json.optionalString(createdBy)
            json.key("createdAt")
            json.time(createdAt.milliseconds)
            json.key("startedAt")
            json.optionalTime(startedAt)
            json.key("finishedAt")
            json.optionalTime(finishedAt)
        }
    }

    private func writeProblem(to json: inout JSONWriter) {
        guard let problem else { return json.null() }
        json.object { json in
            json.key("type")
            json.string("/problems/" + problem)
            json.key("title")
            json.string("The import failed")
            json.key("detail")
            json.optionalString(message)
        }
    }
}

extension ImportJob.Fault: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("row")
            json.integer(Int64(row))
            json.key("field")
            json.string(field)
            json.key("message")
            json.string(message)
        }
    }
}

extension ImportFindings {
    /// `format`, `crs`, `columns`, `mapping`, `warnings` and `sample`.
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.key("format")
        json.optionalString(format)
        json.key("crs")
        json.optionalString(referenceSystem)
        json.key("columns")
        json.array { json in for column in columns { json.string(column) } }
        json.key("mapping")
        json.object { json in
            for (field, column) in mapping.sorted(by: { $0.key < $1.key }) {
                json.key(escaping: field)
                json.string(column)
            }
        }
        json.key("warnings")
        json.array { json in for warning in warnings { json.string(warning) } }
        json.key("sample")
        json.array { json in for landmark in sample { json.raw(Array(landmark.utf8)) } }
    }
}
