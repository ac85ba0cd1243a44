import Geo
import SocialModel
import Storage
import Synchronization

extension LandmarkImport {
    /// A chunk of changes on its way to the disk.
    final class Writing: Sendable {
        struct Result: Sendable {
            /// Rows of the file whose key an earlier row has.
            var duplicates: [Int] = []
            var places: [PlaceEntry] = []
            /// What it took on the writer's thread.
            var seconds = 0.0
        }

        let count: Int
        private let waiting = Waiting<Result>()

        init(_ changes: [Change], _ dataset: DatasetHead, in database: DatabasePool) {
            count = changes.count
            database.submit { write in
                let clock = ContinuousClock()
                var result = Result()
                result.seconds =
                    try clock.measure {
                        try write.store(changes, dataset, &result)
                    } / .seconds(1)
                return result
            } completion: { [waiting] in
                waiting.finish($0)
            }
        }

        /// - Throws: `DatabaseError`.
        func wait() throws -> Result { try waiting.result().get() }
    }

    /// Where a row is.
    struct PlaceEntry: Sendable {
        let place: Int64
        let number: Int64
        let category: Int64

        init(of draft: LandmarkDraft, number: Int64) {
            place = HilbertCurve.position(of: draft.coordinate)
            category = draft.category.code
            self.number = number
        }
    }

    /// What happens at the end to a row that the file did not have.
    enum Sweep: Sendable {
        case close(Int64)
        case copy(Int64)

        var number: Int64 {
            switch self {
            case .close(let number), .copy(let number): number
            }
        }

        func write(_ dataset: DatasetHead, in write: WriteTransaction) throws {
            switch self {
            case .close(let number): try write.closeLandmark(number, dataset)
            case .copy(let number): try write.copyLandmark(number, dataset)
            }
        }
    }
}

extension WriteTransaction {
    /// Writes changes under the dataset's next state.
    fileprivate func store(
        _ changes: [LandmarkImport.Change], _ dataset: DatasetHead, _ result: inout LandmarkImport.Writing.Result
    ) throws {
        result = LandmarkImport.Writing.Result()
        try prepare(
            """
            INSERT INTO landmark (number, landmarkId, datasetId, fromState, digest, key, longitude, latitude, category,
                name, updatedAt, sourceCategory, names, description, address, website, phone, openingHours, imageURL,
                properties)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """
        ) { insert in
            for change in changes {
                let number = newIdentifier()
                switch change {
                case .insert(let draft, let digest, let landmark):
                    if try insert.run(draft.values(number, landmark ?? number, dataset, digest, now)) == 1 {
                        result.places.append(LandmarkImport.PlaceEntry(of: draft, number: number))
                        try storeShape(of: draft, number)
                    } else {
                        result.duplicates.append(draft.row)
                    }
                case .update(let draft, let digest, let landmark, let old):
                    try closeLandmark(old, dataset)
                    if try insert.run(draft.values(number, landmark, dataset, digest, now)) == 1 {
                        result.places.append(LandmarkImport.PlaceEntry(of: draft, number: number))
                        try storeShape(of: draft, number)
                    }
                case .copy(let old): try copyLandmark(old, dataset)
                }
            }
        }
    }

    /// Writes where rows of the dataset's next state are. What is there already stays.
    func store(_ entries: ArraySlice<LandmarkImport.PlaceEntry>, _ dataset: DatasetHead) throws {
        try prepare(
            """
            INSERT INTO landmarkPlace (place, number, datasetId, fromState, category) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """
        ) { insert in
            for entry in entries {
                try insert.run([
                    .integer(entry.place), .integer(entry.number), .integer(dataset.id), .integer(dataset.next),
                    .integer(entry.category),
                ])
            }
        }
    }

    private func storeShape(of draft: LandmarkDraft, _ number: Int64) throws {
        guard let shape = draft.shape else { return }
        try run("INSERT INTO landmarkShape (number, geom) VALUES (\(number), GeomFromWKB(\(shape), 4326))")
    }

    /// From the next state on the row does not count.
    fileprivate func closeLandmark(_ number: Int64, _ dataset: DatasetHead) throws {
        try run(
            """
            UPDATE landmark SET untilState = \(dataset.next) WHERE number = \(number) AND untilState = \(Int64.max)
            """)
    }

    /// The row counts in the next state too.
    fileprivate func copyLandmark(_ old: Int64, _ dataset: DatasetHead) throws {
        let number = newIdentifier()
        let isNew =
            try run(
                """
                INSERT INTO landmark (number, landmarkId, datasetId, fromState, digest, key, longitude, latitude,
                    category, name, updatedAt, sourceCategory, names, description, address, website, phone,
                    openingHours, imageURL, properties)
                SELECT \(number), landmarkId, datasetId, \(dataset.next), digest, key, longitude, latitude, category,
                    name, updatedAt, sourceCategory, names, description, address, website, phone, openingHours,
                    imageURL, properties
                FROM landmark WHERE number = \(old) ON CONFLICT DO NOTHING
                """) == 1
        if isNew {
            try run(
                """
                INSERT INTO landmarkPlace (place, number, datasetId, fromState, category)
                SELECT hilbert(longitude, latitude), number, datasetId, fromState, category
                FROM landmark WHERE number = \(number)
                """)
            try run(
                """
                INSERT INTO landmarkShape (number, geom)
                SELECT \(number), geom FROM landmarkShape WHERE number = \(old)
                """)
        }
    }
}

extension LandmarkDraft {
    /// In the order of the statement that stores them.
    fileprivate func values(
        _ number: Int64, _ landmark: Int64, _ dataset: DatasetHead, _ digest: Int64, _ now: Int64
    ) -> [SQLValue] {
        func value(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }
        return [
            .integer(number), .integer(landmark), .integer(dataset.id), .integer(dataset.next), .integer(digest),
            .text(key), coordinate.longitudeE7.sqlValue, coordinate.latitudeE7.sqlValue, .integer(category.code),
            .text(name), .integer(now), value(sourceCategory), value(names), value(description), value(address),
            value(website), value(phone), value(openingHours), value(imageURL), value(properties),
        ]
    }
}
