import Foundation
import Geo
import SocialModel

@testable import PinfoldClient

extension Pin {
    /// A pin of a world that a test makes up.
    static func sample(_ id: Int64, name: String = "Ramen", owner: Int64 = 7, at latitudeE7: Int32 = 0) -> Pin {
        Pin(
            id: Identifier(id), ownerId: Identifier(owner), ownerUsername: "ana",
            coordinate: Coordinate(latitudeE7: latitudeE7, longitudeE7: 0), name: name, address: nil,
            addressSource: nil, comment: "漢字\nsecond line", rating: 3, category: .food, audience: nil,
            createdAt: Timestamp(milliseconds: id), updatedAt: Timestamp(milliseconds: id))
    }

    var json: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}

/// Events as the server writes them.
enum LiveText {
    static func event(_ type: String, cursor: Int, _ members: String) -> String {
        """
        id: c\(cursor)
        event: \(type)
        data: {"type": "\(type)", "cursor": "c\(cursor)", "at": "2026-11-29T12:00:00.000Z", \(members)}


        """
    }

    static func user(_ id: Int64) -> String {
        #""user": {"id": "\#(id)", "username": "ana", "displayName": "Ana", "createdAt": "2026-11-29T12:00:00.000Z"}"#
    }

    static func decodedUser(_ id: Int64) throws -> User {
        struct Wrapped: Decodable {
            let user: User
        }
        return try JSONDecoder().decode(Wrapped.self, from: Data("{\(user(id))}".utf8)).user
    }
}
