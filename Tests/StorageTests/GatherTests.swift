import Storage
import Testing

@Suite struct GatherTests {
    @Test func `the integers of all rows come in one piece`() throws {
        let scratch = try Scratch()
        try scratch.pool.write { write in
            for id in 1...3_000 {
                try write.run("INSERT INTO note (id, body, size) VALUES (\(id), 'x', \(id % 2 == 0 ? nil : 2.0))")
            }
        }
        func gathered(_ sql: SQL) throws -> [Int64]? {
            try scratch.pool.read { read in try read.gather(sql) { numbers in [Int64](numbers) } }
        }
        let expected: [Int64] = (1...3_000).flatMap { (id: Int64) -> [Int64] in [id, -id, id % 2 == 0 ? 0 : 2] }
        #expect(try gathered("SELECT gather(id, -id, size) FROM note ORDER BY id") == expected)
        #expect(try gathered("SELECT gather(id) FROM note WHERE id > 5000") == [])
        #expect(try gathered("SELECT gather(id) FROM note WHERE id > 5000 GROUP BY id") == nil)
        #expect(throws: DatabaseError.self) { try gathered("SELECT gather(id, 1 / json(body)) FROM note") }
    }

    @Test func `a set and a pattern are what they were made of`() throws {
        let scratch = try Scratch()
        let numbers = (0..<500).map { Int64($0) * 7_919 + 1 }
        let set = IntegerSet(numbers)
        for number in numbers { #expect(set.contains(number) && !set.contains(number + 1)) }
        #expect(!set.contains(0) && !IntegerSet([]).contains(1) && !set.contains(.min))
        let pattern = TextPattern([" ra", "men"])
        func value(_ sql: SQL) throws -> Int? {
            try scratch.pool.read { read in try read.row(sql) { row in row.int(0) } }
        }
        #expect(try value("SELECT memberOf(1, \(set)) + memberOf(7920, \(set)) * 2 + memberOf(2, \(set)) * 4") == 3)
        #expect(try value("SELECT memberOf(NULL, \(set)) + memberOf(1, NULL) + memberOf(1, 'set')") == 0)
        #expect(try value("SELECT containsAll(' best ramen', \(pattern))") == 1)
        #expect(try value("SELECT containsAll(' best rahmen ram', \(pattern))") == 1)
        #expect(try value("SELECT containsAll('ramen', \(pattern)) + containsAll(NULL, \(pattern))") == 0)
        #expect(
            try value("SELECT containsAll('x', NULL) + containsAll('x', \(set)) + memberOf(1, \(pattern))") == 0)
        #expect(try value("SELECT containsAll('x', \(TextPattern([])))") == 1)
    }
}
