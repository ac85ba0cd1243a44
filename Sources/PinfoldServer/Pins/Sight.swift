import SocialModel
import Storage

/// Whose pins an account may see: its own, its friends', and those of the circles that it is in.
///
/// It is true for one value of the account's `sightVersion`, which the schema's triggers raise in the transaction of
/// every change that concerns it.
final class Sight: Sendable {
    let viewer: Identifier<User>
    let version: Int64
    /// The viewer first, then the friends, ascending.
    let owners: [Int64]
    let ownerSet: IntegerSet
    let circleSet: IntegerSet
    /// About how many pins the owners have: from a sample, as of when this was read.
    let pins: Int
    /// It is about some of the owners only.
    let isPart: Bool

    /// Of the snapshot: the version that is valid in it, -1 if there is no such account, and where its event log ends.
    static func state(
        of viewer: Identifier<User>, in read: some Transaction
    ) throws -> (version: Int64, sequence: Int64) {
        try read.row(
            """
            SELECT (SELECT sightVersion FROM account WHERE id = \(viewer)),
                (SELECT seq FROM sqlite_sequence WHERE name = 'event')
            """
        ) { ($0.optionalInt64(0) ?? -1, $0.int64(1)) } ?? (-1, 0)
    }

    init(of viewer: Identifier<User>, version: Int64, in read: some Transaction, _ grant: Grant) throws {
        self.viewer = viewer
        self.version = version
        let friends = try read.rows("SELECT friendId FROM friendship WHERE accountId = \(viewer) ORDER BY friendId") {
            $0.int64(0)
        }
        let circles = try read.rows("SELECT circleId FROM circleMember WHERE memberId = \(viewer)") { $0.int64(0) }
        owners = [viewer.rawValue] + friends
        isPart = false
        ownerSet = IntegerSet(owners)
        circleSet = IntegerSet(circles)
        pins = try Self.countPins(of: owners, in: read, grant)
    }

    /// The part of a sight that is about some of its owners.
    init(_ whole: Sight, of wanted: Set<Identifier<User>>) {
        viewer = whole.viewer
        version = whole.version
        owners = whole.owners.filter { wanted.contains(Identifier($0)) }
        isPart = true
        ownerSet = IntegerSet(owners)
        circleSet = whole.circleSet
        pins = whole.pins * owners.count / max(whole.owners.count, 1)
    }

    /// Where the owner stands in `owners`.
    func index(of owner: Int64) -> Int? {
        guard ownerSet.contains(owner) else { return nil }
        if owner == owners.first { return 0 }
        var (low, high) = (1, owners.count)
        while low < high {
            let middle = (low + high) / 2
            if owners[middle] < owner { low = middle + 1 } else { high = middle }
        }
        return low < owners.count && owners[low] == owner ? low : nil
    }

    private static let sampledOwners = 200
    private static let countedPins = 20_000

    private static func countPins(of owners: [Int64], in read: some Transaction, _ grant: Grant) throws -> Int {
        let step = max(1, (owners.count + sampledOwners - 1) / sampledOwners)
        let sample = stride(from: 0, to: owners.count, by: step).map { owners[$0] }
        let count = try read.row(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM pin INDEXED BY pinByOwner WHERE ownerId IN (\(list: padded(sample))) LIMIT \(countedPins))
            """, grant: grant
        ) { $0.int(0) }
        return (count ?? 0) * owners.count / max(sample.count, 1)
    }
}
