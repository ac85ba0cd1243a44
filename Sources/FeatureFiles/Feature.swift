/// One record of a file of geographic data, as the file has it: nothing is judged but the form.
package struct Feature: Sendable, Equatable {
    /// Where the file has it, from 1: the line of a text, the number of the record or element of other formats.
    package var row: Int
    /// The record's own identifier, where its format has one: `id` of GeoJSON and KML, `fid` of a GeoPackage,
    /// `node/240109189` of OpenStreetMap.
    package var id: String?
    /// By the columns of the file, see `FeatureFile.columns`; shorter than those if the last are missing.
    package var values: [Value]
    /// In the coordinate reference system of the file; nil if it has none.
    package var geometry: Geometry?

    package init(row: Int, id: String? = nil, values: [Value], geometry: Geometry?) {
        self.row = row
        self.id = id
        self.values = values
        self.geometry = geometry
    }

    package enum Value: Sendable, Equatable {
        case null
        case text(String)
        /// A number, truth value, array or object, as its JSON text (RFC 8259).
        case json(String)
    }

    package enum Geometry: Sendable, Equatable {
        /// x is the easting or longitude and y the northing or latitude, whatever order the file or the system has.
        case point(x: Double, y: Double)
        /// Anything but one point, as well-known binary in two dimensions (OGC 06-103r4, 8.2), x before y, little-endian.
        case shape([UInt8])
    }
}

/// What is wrong with one record of a file; the others can be used.
package struct FeatureFault: Error, Sendable, Equatable {
    /// As `Feature.row`.
    package var row: Int
    /// The column or part at fault; `feature` for the record as a whole.
    package var field: String
    /// What is wrong with it: goes behind the field's name.
    package var message: String

    package init(row: Int, field: String, message: String) {
        self.row = row
        self.field = field
        self.message = message
    }
}

/// Why a file cannot be read at all, or no further: goes behind "the file", and says what to do where there is something.
package struct FeatureFileFault: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
    /// The columns that the file has, where it is they that cannot be used as they are.
    package let columns: [String]

    package init(_ description: String, columns: [String] = []) {
        self.description = description
        self.columns = columns
    }
}
