import Foundation
import Storage
import Testing

@Suite struct ValueTests {
    private enum Note: SQLValueConvertible {
        case one
        var sqlValue: SQLValue { .text("one") }
    }

    @Test func `values come back as they were bound`() throws {
        let scratch = try Scratch()
        let nothing: String? = nil
        let some: Int? = 7
        try scratch.pool.read { read in
            let sql: SQL = """
                SELECT \(Int64.min), \(Int.max), \(Int32.min), \(1.5), \("a\0b"), \(true), \([0, 255] as [UInt8]), \(nothing),
                    \(some), \("") , \([] as [UInt8]), \(Note.one), \("🜁ẞ")
                """
            let checked: Bool? = try read.row(sql) { row in
                #expect(row.int64(0) == .min)
                #expect(row.int(1) == .max)
                #expect(row.int(2) == Int(Int32.min))
                #expect(row.double(3) == 1.5)
                #expect(row.text(4) == "a\0b")
                #expect(row.bool(5))
                #expect(row.blob(6) == [0, 255])
                #expect(row.isNull(7))
                #expect(row.optionalText(7) == nil && row.optionalInt(7) == nil && row.optionalDouble(7) == nil)
                #expect(row.text(7) == "" && row.blob(7) == [] && row.int(7) == 0)
                #expect(row.optionalInt(8) == 7)
                #expect(!row.isNull(9) && row.text(9) == "")
                #expect(!row.isNull(10) && row.optionalBlob(10) == [])
                #expect(row.text(11) == "one")
                #expect(row.withUTF8(12) { Array($0) } == Array("🜁ẞ".utf8))
                return true
            }
            #expect(checked == true)
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that is not finite is refused`(number: Double) throws {
        let scratch = try Scratch()
        #expect(throws: DatabaseError.self) {
            try scratch.pool.read { try $0.exists("SELECT 1 WHERE \(number) IS NULL") }
        }
    }

    @Test func `lists, literals and fragments keep their values in order`() throws {
        let scratch = try Scratch()
        let condition: SQL = "value > \(1)"
        let descending = true
        let found = try scratch.pool.read { read in
            try read.rows(
                """
                WITH number(value) AS (VALUES (1), (2), (3), (4))
                SELECT value FROM number WHERE \(condition) AND value IN (\(list: [1, 2, 4])) AND value <> \(9)
                ORDER BY value \(literal: descending ? "DESC" : "ASC")
                """
            ) { $0.int(0) }
        }
        #expect(found == [4, 2])
        #expect(("IN (\(list: [Int]()))" as SQL).text == "IN ()")
    }

    @Test func `a text holds one statement and its values`() throws {
        let scratch = try Scratch()
        for sql: SQL in ["", "-- nothing", "SELECT 1; SELECT 2", "SELECT ?", "SELEC 1"] {
            #expect(throws: DatabaseError.self) { try scratch.pool.read { try $0.exists(sql) } }
        }
        #expect(try scratch.pool.read { try $0.exists("SELECT 1;\n") })
    }
}
