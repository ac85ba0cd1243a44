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
    private let start: Int64
    private let end: Int64
    private var members: [Int64: Set<Int64>] = [:]
    /// The same for all friends, where no circle is concerned.
    private var common: Meaning?

    /// - Parameters:
    ///   - audience: that of the pin now; nil where it is gone.
    ///   - start: the changes are those of the log from here to `end`.
    init(_ story: PinStory, _ audience: Int64?, from start: Int64, to end: Int64, in read: some Transaction) throws {
        self.story = story
        self.audience = audience
        (self.start, self.end) = (start, end)
        let audiences = Set([story.before, audience] + story.changes.map(\.audience)).compactMap { $0 }
        for circle in audiences where circle > 1 {
            members[circle] = Set(
                try read.rows("SELECT memberId FROM circleMember WHERE circleId = \(circle)") { $0.int64(0) })
        }
        if members.isEmpty { common = meaning(0) }
    }

    /// - Parameters:
    ///   - viewer: a friend of the owner's.
    ///   - history: whom the viewer saw meanwhile, if that has changed.
    func meaning(for viewer: Int64, _ history: SightHistory?) -> Meaning {
        guard let history else { return common ?? meaning(viewer) }
        if let audience, isVisible(viewer, audience) {
            return history.couldSee(story.owner, story.before, from: start, before: start + 1) ? .updated : .created
        }
        return story.couldBeSeen(history, from: start, to: end) ? .removed : .nothing
    }

    private func meaning(_ viewer: Int64) -> Meaning {
        let wasVisible = isVisible(viewer, story.before)
        if isVisible(viewer, audience) { return wasVisible ? .updated : .created }
        let wasMeanwhile = story.changes.contains { isVisible(viewer, $0.audience) }
        return wasVisible || wasMeanwhile ? .removed : .nothing
    }

    private func isVisible(_ viewer: Int64, _ audience: Int64?) -> Bool {
        guard let audience else { return false }
        return audience == 1 || audience > 1 && members[audience]?.contains(viewer) ?? false
    }
}
