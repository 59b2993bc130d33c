import Authorization

/// What an erasure did, or would do.
public struct RecordErasureReply: Sendable, Hashable, Codable {
    /// Records that stay, because something stands on them.
    public struct Kept: Sendable, Hashable, Codable {
        public var records: Int
        public var reason: KeepingReason
        /// What ends it, so that they can be erased.
        public var command: String?

        public init(records: Int, reason: KeepingReason, command: String?) {
            self.records = records
            self.reason = reason
            self.command = command
        }
    }

    /// Records whose fields are gone. Their places stay, so that everything else can still be proven.
    public var records: Int
    /// Recordings, transcripts and the like that are gone.
    public var items: Int
    public var kept: [Kept]
    /// UUID of the request, which its records name; absent where nothing was to be done yet.
    public var request: String?

    public init(records: Int, items: Int, kept: [Kept], request: String? = nil) {
        self.records = records
        self.items = items
        self.kept = kept
        self.request = request
    }
}
