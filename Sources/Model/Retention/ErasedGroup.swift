import Authorization

/// Items that one record of their erasure can name.
struct ErasedGroup: Hashable, Comparable {
    let client: String
    let user: UInt32
    let reason: String

    init(_ entry: KeptEntry) {
        client = entry.item.client.rawValue
        user = entry.item.user
        reason = entry.reason?.rawValue ?? ""
    }

    static func < (left: ErasedGroup, right: ErasedGroup) -> Bool {
        (left.client, left.user, left.reason) < (right.client, right.user, right.reason)
    }
}
