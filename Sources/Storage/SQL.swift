/// The text of one SQL statement and the values bound to it.
///
/// Written as a string literal whose interpolations become bound values, never text:
///
///     try read.rows("SELECT id FROM account WHERE username = \(name)") { $0.int64(0) }
///
/// The text is also what prepared statements are cached by, so keep it to a few forms for each query: pad lists to one
/// length rather than having each length be a statement of its own.
package struct SQL: ExpressibleByStringInterpolation, Sendable {
    /// The statement with a `?` for each value.
    package private(set) var text: String
    /// The values of the `?`, in order.
    package private(set) var values: [SQLValue]

    package init(stringLiteral text: String) {
        self.text = text
        values = []
    }

    package init(stringInterpolation interpolation: StringInterpolation) {
        text = interpolation.text
        values = interpolation.values
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var values: [SQLValue] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount)
            values.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Binds `value`.
        package mutating func appendInterpolation(_ value: some SQLValueConvertible) {
            text += "?"
            values.append(value.sqlValue)
        }

        /// Binds `value`, or NULL for `nil`.
        package mutating func appendInterpolation(_ value: (some SQLValueConvertible)?) {
            text += "?"
            values.append(value?.sqlValue ?? .null)
        }

        /// Binds each value, separated by commas: `WHERE id IN (\(list: ids))`.
        package mutating func appendInterpolation(list: some Collection<some SQLValueConvertible>) {
            text.reserveCapacity(text.utf8.count + 2 * list.count)
            values.reserveCapacity(values.count + list.count)
            for value in list {
                text += "?,"
                values.append(value.sqlValue)
            }
            if !list.isEmpty { text.removeLast() }
        }

        /// Inserts fixed text: `ORDER BY \(literal: ascending ? "id" : "id DESC")`.
        package mutating func appendInterpolation(literal: StaticString) {
            text += literal.description
        }

        /// Inserts another piece of SQL with its values.
        package mutating func appendInterpolation(_ fragment: SQL) {
            text += fragment.text
            values += fragment.values
        }
    }
}
