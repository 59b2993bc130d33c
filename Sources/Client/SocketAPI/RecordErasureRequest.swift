import Foundation

/// `POST /v1/audit/erasures`: records to which all that is named applies lose their fields, and what is kept of their
/// sessions is erased. `GET` with the same in its query only tells what that would be. Only VoiceGate's own command may
/// call it, and erase only in the foreground.
public struct RecordErasureRequest: Sendable, Hashable, Codable {
    public var client: String?
    /// Only what happened before.
    public var before: Date?
    /// UUID.
    public var session: String?
    /// The person, by the system's number. Absent: whoever asks; another person's can be erased by root alone.
    public var user: UInt32?

    public init(client: String? = nil, before: Date? = nil, session: String? = nil, user: UInt32? = nil) {
        self.client = client
        self.before = before
        self.session = session
        self.user = user
    }
}
