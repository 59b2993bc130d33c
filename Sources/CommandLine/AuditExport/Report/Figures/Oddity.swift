/// Something that a reader should ask about.
struct Oddity: Sendable {
    enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// A session without a yes before it.
        case withoutYes
        /// A session that began and has no end.
        case withoutEnd
        /// Data whose time is over and that no record says was erased.
        case keptTooLong
        /// A yes that nothing used.
        case unusedYes
        /// A use long after the person was last asked.
        case longUnasked
        /// A question that nobody answered.
        case unanswered
        /// A record whose time is before that of the one before it, or a jump that the service saw.
        case clock
        /// Fields that are gone.
        case erased
    }

    let record: UInt64
    let milliseconds: Int64
    let client: String?
    /// What it is about: a resource, a kind, a number of days or seconds.
    let detail: String?
}
