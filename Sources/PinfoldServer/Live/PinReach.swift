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
    private var members: [Int64: Set<Int64>] = [:]
    /// The same for all friends, where no circle is concerned.
    private var common: Meaning?

    /// - Parameter audience: that of the pin now; nil where it is gone.
    init(_ story: PinStory, _ audience: Int64?, in read: some Transaction) throws {
        self.story = story
        self.audience = audience
        let audiences = Set([story.before, audience] + story.changes.map(\.audience)).compactMap { $0 }
        for circle in audiences where circle > 1 {
            members[circle] = Set(
                try read.rows("SELECT memberId FROM circleMember WHERE circleId = \(circle)") { $0.int64(0) })
        }
        if members.isEmpty { common = meaning { $0 == 1 } }
    }

    /// - Parameter viewer: the owner, or a friend of theirs who was one all the time and was in the same circles.
    func meaning(for viewer: Int64) -> Meaning {
        if viewer == story.owner { return meaning { _ in true } }
        return common ?? meaning { $0 == 1 || members[$0]?.contains(viewer) ?? false }
    }

    private func meaning(_ isFor: (Int64) -> Bool) -> Meaning {
        let wasVisible = story.before.map(isFor) ?? false
        if let audience, isFor(audience) { return wasVisible ? .updated : .created }
        let wasMeanwhile = story.changes.contains { $0.audience.map(isFor) ?? false }
        return wasVisible || wasMeanwhile ? .removed : .nothing
    }
}
