import HTTP
import SocialModel

/// An account as its owner sees it.
struct Account: Sendable {
    var user: User
    var email: String
    var phone: String?
    var role: Role
    var incomingRequests: Int
    var pins: Int
}

/// Another account as a viewer sees it.
struct Profile: Sendable {
    let user: User
    let relationship: Relationship
}

extension User: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { writeMembers(to: &$0) }
    }

    func writeMembers(to json: inout JSONWriter) {
        json.key("id")
        json.identifier(id)
        json.key("username")
        json.string(username)
        json.key("displayName")
        json.string(displayName)
        json.key("bio")
        json.optionalString(bio)
        json.key("photoURL")
        json.optionalString(photoURL)
        json.key("createdAt")
        json.time(createdAt.milliseconds)
    }
}

extension Account: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            user.writeMembers(to: &json)
            json.key("email")
            json.string(email)
            json.key("phone")
            json.optionalString(phone)
            json.key("role")
            json.string(role.rawValue)
            json.key("counts")
            json.object { json in
                json.key("incomingRequests")
                json.integer(Int64(incomingRequests))
                json.key("unreadConversations")
                json.integer(0)
            }
            json.key("usage")
            json.object { json in
                json.key("pins")
                json.integer(Int64(pins))
            }
        }
    }
}

extension Profile: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            user.writeMembers(to: &json)
            json.key("relationship")
            json.string(relationship.rawValue)
        }
    }
}
