import Authorization
import Consent

/// `apple`: accesses to the microphone as NDJSON in the shape of Apple's App Privacy Report, two lines a session:
/// `{"accessor":{"identifier":…,"identifierType":"bundleID"},"category":"microphone","identifier":UUID,
/// "kind":"intervalBegin"|"intervalEnd","timeStamp":…,"type":"access"}`.
public struct AppPrivacyReport: RecordFormat {
    public init() {}

    public mutating func add(_ record: AuditRecord) -> String {
        let kind: String
        switch record.recordKind {
        case .sessionStarted: kind = "intervalBegin"
        case .sessionStopped: kind = "intervalEnd"
        default: return ""
        }
        guard record.usesMicrophone, let session = record.text("session"), let client = record.text("client") else {
            return ""
        }
        let line = JSONValue.object([
            "accessor": .object(["identifier": .string(client), "identifierType": .string("bundleID")]),
            "category": .string("microphone"), "identifier": .string(session), "kind": .string(kind),
            "timeStamp": .string(record.time), "type": .string("access"),
        ])
        return line.canonical + "\n"
    }
}
