import SocketAPI

/// What `voicegate status --json` prints.
struct StatusReport: Encodable {
    var authorization: AuthorizationReply
    var indicator: IndicatorReply
}
