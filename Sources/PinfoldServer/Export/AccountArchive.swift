import HTTP
import SocialModel
import Storage

/// Everything of one account's own as a ZIP file, from one snapshot of the database.
///
/// Nobody else's is in it but what the API shows the account of its friends, requests and blocks; no secret is in it.
struct AccountArchive<Snapshot: Transaction> {
    let viewer: Viewer
    /// Milliseconds since 1970.
    let now: Int64
    let read: Snapshot

    /// How many rows of a list are in memory at once.
    private static var pageSize: Int { 500 }

    func write(to archive: ZipArchive) throws {
        let pins = VisiblePins(of: viewer, in: read)
        try archive.add("README.txt") { try archive.write(Array(accountArchiveGuide.utf8)) }
        try archive.add("profile.json") {
            var json = JSONWriter()
            try Account.own(of: viewer, in: read).write(to: &json)
            try archive.write(json.bytes)
        }
        try archive.add("privacy.json") {
            var json = JSONWriter()
            try Privacy.settings(of: viewer.id, in: read).write(to: &json)
            try archive.write(json.bytes)
        }
        try archive.add("pins.json") {
            try list(to: archive) { add in try pins.forEachOwn { pin, _ in try add(pin) } }
        }
        for format in [PinFileFormat.geojson, .gpx] {
            try archive.add("pins.\(format.rawValue)") { try format.write(pins, to: archive) }
        }
        try addList("friends.json", to: archive, from: "") { name in
            try Friendship.friends(of: viewer.id, after: name, limit: Self.pageSize, in: read)
                .map { ($0.friend, $0.key) }
        }
        try addList("friend-requests.json", to: archive, from: Int64.max) { last in
            try FriendRequest.all(
                of: viewer, direction: nil, status: nil, to: last, limit: Self.pageSize, in: read
            ).map { ($0, $0.id.rawValue - 1) }
        }
        try addList("blocks.json", to: archive, from: "") { name in
            try Block.blocked(by: viewer, after: name, limit: Self.pageSize, in: read).map { ($0.user, $0.key) }
        }
        try addList("circles.json", to: archive, from: Int64.max) { last in
            try Circle.all(of: viewer.id, to: last, limit: Self.pageSize, in: read).map { ($0, $0.id.rawValue - 1) }
        }
        try addList("sessions.json", to: archive, from: Int64.max) { last in
            try Session.all(of: viewer, to: last, limit: Self.pageSize, at: now, in: read)
                .map { ($0, $0.id.rawValue - 1) }
        }
        try addList("api-tokens.json", to: archive, from: Int64.max) { last in
            try APIToken.all(of: viewer.id, to: last, limit: Self.pageSize, in: read)
                .map { ($0, $0.id.rawValue - 1) }
        }
    }

    /// Adds a list as the API gives it, all pages in one.
    ///
    /// - Parameter page: the items behind a place, each with the place behind it.
    private func addList<Item: JSONWritable, Place>(
        _ name: String, to archive: ZipArchive, from start: Place,
        _ page: (Place) throws -> [(item: Item, place: Place)]
    ) throws {
        try archive.add(name) {
            try list(to: archive) { add in
                var found = try page(start)
                while let last = found.last {
                    for (item, _) in found { try add(item) }
                    found = found.count < Self.pageSize ? [] : try page(last.place)
                }
            }
        }
    }

    private func list<Item: JSONWritable>(
        to output: some ByteOutput, _ items: (_ add: (Item) throws -> Void) throws -> Void
    ) throws {
        var json = JSONWriter()
        json.beginObject()
        json.key("items")
        json.beginArray()
        try items { item in
            item.write(to: &json)
            try json.drain(output.write)
        }
        json.endArray()
        json.key("next")
        json.null()
        json.endObject()
        try json.drain(output.write)
    }
}

private let accountArchiveGuide = """
    This is what Pinfold keeps of you, as of the moment when you asked for it. What you delete can be brought back for ten
    minutes, and is not in here.

    profile.json          Your account: names, e-mail address, phone, what you keep here.
    privacy.json          Your privacy settings.
    pins.json             Your pins as the service shows them to you, oldest first.
    pins.geojson          The same pins as GeoJSON (RFC 7946), for maps and GIS programs.
    pins.gpx              The same pins as GPX 1.1 waypoints, for navigation devices and programs; with them the ids
                          that imports know them by.
    friends.json          Your friends, and since when.
    friend-requests.json  Who asked you, whom you asked, and what became of it.
    blocks.json           Whom you have blocked.
    circles.json          Your circles of friends, with the ids of their members.
    sessions.json         Where you are signed in: address and program of each sign-in.
    api-tokens.json       The tokens that you have made for scripts: their names, scopes and times.

    The JSON files are in UTF-8 and have the form of the service's API: a list is under "items". Ids are 64-bit numbers in
    text, times are in UTC, coordinates are degrees of WGS 84. Neither your password nor any token is in here: the
    service keeps only what it can check them by.

    """
