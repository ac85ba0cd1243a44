import SocialModel
import Storage

extension Identifier: SQLValueConvertible {
    package var sqlValue: SQLValue { .integer(rawValue) }
}

extension Row {
    func identifier<Subject>(_ column: Int) -> Identifier<Subject> { Identifier(int64(column)) }

    func timestamp(_ column: Int) -> Timestamp { Timestamp(milliseconds: int64(column)) }
}
