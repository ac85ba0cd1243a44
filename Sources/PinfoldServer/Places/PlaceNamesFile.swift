import Foundation
import Storage

/// The bundled names of places by language. `data/README.md` has its form.
struct PlaceNamesFile {
    private let file: GazetteerFile

    /// The file in the folder of the bundled gazetteer; nil if there is none, and then no place has names by language.
    init?(beside bundle: String) {
        let path = URL(fileURLWithPath: bundle).deletingLastPathComponent()
            .appendingPathComponent("place-names.tsv.zst").path
        guard access(path, F_OK) == 0 else { return nil }
        file = GazetteerFile(path: path, heading: "#pinfold-names", noun: "table of names")
    }

    /// Names the contents; see `GazetteerFile.version`.
    func version() throws -> String { try file.version() }

    /// Hands each name to `body`, a language after the other.
    ///
    /// - Throws: `GazetteerError` for a file that is damaged anywhere, or what `body` throws.
    func forEachName(_ body: (_ language: String, _ id: Int64, _ name: String) throws -> Void) throws {
        try file.forEachRow(progress: { _ in }) { row in
            guard row.count == 4, row.equals(0, "name") else { throw row.bad("it is no name") }
            try body(try row.text(1), Int64(try row.integer(2)), try row.text(3))
        }
    }

    /// Stores all names.
    func fill(_ write: WriteTransaction) throws {
        try forEachName { language, id, name in
            try write.run("INSERT INTO localName VALUES (\(language), \(id), \(name))")
        }
    }

    static let migration = Migration(
        name: "names by language",
        sql: """
            CREATE TABLE localName (
                language TEXT NOT NULL,
                id INTEGER NOT NULL,
                name TEXT NOT NULL,
                PRIMARY KEY (language, id)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX localNameById ON localName (id);
            CREATE INDEX divisionById ON division (id);
            """)
}
