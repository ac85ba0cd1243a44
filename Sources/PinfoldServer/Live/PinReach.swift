import SocialModel
import Storage

/// What the changes of one pin mean for friends of its owner, by the rule of `VisiblePins.isForViewer`.
struct PinReach {
    enum Meaning {
        case created, updated, removed
        /// It neither is nor was visible.
        case nothing
    }

    private let story: PinStory
    /// Nil where the pin is gone.
    private let audience: Int64?
    private let newFriends: Set<Int64>
    private let formerMembers: [Int64: Set<Int64>]
    private var members: [Int64: Set<Int64>] = [:]
    /// The same for all friends, where no circle and no new friend is concerned.
    private var common: Meaning?

    /// - Parameters:
    ///   - audience: that of the pin now; nil where it is gone.
    ///   - newFriends: who became a friend of the owner meanwhile.
    ///   - formerMembers: who left which circle meanwhile.
    init(
        _ story: PinStory, _ audience: Int64?, newFriends: Set<Int64>, formerMembers: [Int64: Set<Int64>],
        in read: some Transaction
    ) throws {
        self.story = story
        self.audience = audience
        self.newFriends = newFriends
        self.formerMembers = formerMembers
        let audiences = Set([story.before, audience] + story.changes.map(\.audience)).compactMap { $0 }
        for circle in audiences where circle > 1 {
            members[circle] = Set(
                try read.rows("SELECT memberId FROM circleMember WHERE circleId = \(circle)") { $0.int64(0) })
        }
        if members.isEmpty, newFriends.isEmpty { common = meaning(0) }
    }

    /// - Parameter viewer: a friend of the owner's.
    func meaning(for viewer: Int64) -> Meaning { common ?? meaning(viewer) }

    private func meaning(_ viewer: Int64) -> Meaning {
        let wasVisible = couldSee(viewer, story.before) && !newFriends.contains(viewer)
        if let audience, isVisible(viewer, audience) { return wasVisible ? .updated : .created }
        let wasMeanwhile = story.changes.contains { couldSee(viewer, $0.audience) }
        return wasVisible || wasMeanwhile ? .removed : .nothing
    }

    private func isVisible(_ viewer: Int64, _ audience: Int64) -> Bool {
        audience == 1 || audience > 1 && members[audience]?.contains(viewer) ?? false
    }

    private func couldSee(_ viewer: Int64, _ audience: Int64?) -> Bool {
        guard let audience else { return false }
        return isVisible(viewer, audience) || formerMembers[audience]?.contains(viewer) ?? false
    }
}
