/// `PUT /v1/mute` and `DELETE /v1/mute`: whether everything is muted now.
public struct MuteReply: Sendable, Hashable, Codable {
    public var muted: Bool

    public init(muted: Bool) { self.muted = muted }
}
