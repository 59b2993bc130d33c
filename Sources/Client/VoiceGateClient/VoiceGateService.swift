import Foundation
import NIOHTTP1
import VoiceGateWire

/// VoiceGate's service on this machine.
///
/// The kernel identifies the connecting process to the service, so the user is asked about the program that uses this
/// library, which needs its own Info.plist. All methods throw `ClientError`, and `CancellationError` when their task is
/// cancelled, which also closes the connection.
public struct VoiceGateService: SpeechService, ServiceConnection {
    /// Where the service listens.
    public let socketPath: String
    /// The language of the service's messages: a BCP 47 tag such as `ja`.
    public let languageTag: String

    /// - Parameters:
    ///   - socketPath: where the service listens; default: this user's socket.
    ///   - languageTag: default: that of this process's locale.
    public init(socketPath: String? = nil, languageTag: String? = nil) {
        self.socketPath = socketPath ?? ServicePaths().socket
        self.languageTag = languageTag ?? Self.languageTag(environment: ProcessInfo.processInfo.environment)
    }

    /// The language of the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and not empty (setlocale(3)).
    static func languageTag(environment: [String: String]) -> String {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let name = locale.prefix { $0 != "." && $0 != "@" }
        return ["", "C", "POSIX"].contains(String(name)) ? "en" : String(name).replacing("_", with: "-")
    }

    /// Of a sound file after a line of hints.
    static let hintsMediaType = "application/x-voicegate-transcription"

    /// The service's version and state.
    public func health() async throws -> ServiceHealth { try await answer(.GET, "/v1/health") }

    // MARK: Permission

    public func permissions() async throws -> Permissions { try await answer(.GET, "/v1/authorization") }

    public func permissionEvents(after cursor: String?) async throws -> EventStream<PermissionEvent> {
        try await stream(.GET, "/v1/authorization/changes", query: ["after": cursor])
    }

    @discardableResult
    public func requestAuthorization(
        for resource: Resource?, scope: Scope?, language: String?
    ) async throws -> Permissions {
        struct Request: Encodable {
            let resource: Resource?
            let scope: Scope?
            let language: String?
        }
        return try await answer(
            .POST, "/v1/authorization/requests", Request(resource: resource, scope: scope, language: language))
    }

    @discardableResult
    public func requestTemporaryFullFidelity(purposeKey: String) async throws -> Permissions {
        try await answer(.POST, "/v1/authorization/temporary-full-fidelity", ["purposeKey": purposeKey])
    }

    /// Ends everything that listens, and refuses everything from now on, also after a restart of the service. Only the user ends
    /// that.
    public func mute() async throws { try await perform(.PUT, "/v1/mute") }

    // MARK: Text

    public func dictate(_ request: DictationRequest) async throws -> DictationStream {
        try await stream(.POST, "/v1/dictation", request)
    }

    public func send(_ control: SessionControl, toSession session: String) async throws {
        try await perform(.POST, "/v1/dictation/\(escaped(session))/\(control.rawValue)")
    }

    /// This program's running dictations, newest first.
    public func runningDictations() async throws -> [RunningDictation] {
        struct Reply: Decodable { let sessions: [RunningDictation] }
        return (try await answer(.GET, "/v1/dictation") as Reply).sessions
    }

    public func transcribe<File: AsyncSequence & Sendable>(
        _ file: File, hints: TranscriptionHints, language: String?, startingAt start: Double
    ) async throws -> DictationStream where File.Element == [UInt8] {
        let hasHints = hints != TranscriptionHints()
        let line = hasHints ? [UInt8](try JSONCoding.encoder().encode(hints)) + [UInt8(ascii: "\n")] : []
        return try await upload(
            HeadedFile(head: line, file: file),
            to: uri("/v1/audio/transcriptions", ["from": start > 0 ? "\(start)" : nil, "language": language]),
            [
                ("Content-Type", hasHints ? Self.hintsMediaType : "application/octet-stream"),
                ("Accept", "application/x-ndjson"),
            ])
    }

    // MARK: Devices and indicator

    /// The capture devices; those that cannot be used have the reason.
    public func devices() async throws -> [CaptureDevice] {
        struct Reply: Decodable { let devices: [CaptureDevice] }
        return (try await answer(.GET, "/v1/devices") as Reply).devices
    }

    /// What listens or transcribes now, or did until a moment ago.
    public func indicator() async throws -> IndicatorState { try await answer(.GET, "/v1/indicator") }

    /// What listens now, and again after each change. A slow reader gets the newest state only.
    public func indicatorChanges() async throws -> EventStream<IndicatorState> {
        try await stream(.GET, "/v1/indicator/changes")
    }

    /// The newest records of the consent log about this program, oldest first.
    ///
    /// - Parameter limit: the most that are returned.
    public func consentRecords(limit: Int) async throws -> EventStream<ConsentRecord> {
        try await stream(.GET, "/v1/audit/records", query: ["limit": "\(limit)"])
    }
}

/// Monitors: the service listens for this program.
extension VoiceGateService {
    /// Registers a monitor for this program.
    ///
    /// - Parameter request: what it waits for, and what happens then.
    /// - Throws: `ClientError` with `refused` if the permission does not include it.
    public func registerMonitor(_ request: MonitorRequest) async throws -> Monitor {
        try await answer(.POST, "/v1/monitors", request)
    }

    /// The monitors of this program.
    public func monitors() async throws -> [Monitor] {
        struct Reply: Decodable { let monitors: [Monitor] }
        return (try await answer(.GET, "/v1/monitors") as Reply).monitors
    }

    /// What happens to the monitors of this program, as long as the stream is read: while it is open, a monitor does not start
    /// the program, and the service sends events here. Acknowledge each `triggered`.
    public func monitorEvents() async throws -> EventStream<MonitorEvent> {
        try await stream(.GET, "/v1/monitors/events")
    }

    /// Reports that the program has got the event. One that is not acknowledged counts as a failure, and is sent again.
    ///
    /// - Parameter event: that was received.
    public func acknowledge(_ event: MonitorEvent) async throws {
        try await perform(.POST, "/v1/monitors/events/\(escaped(event.identifier))/acknowledgement")
    }

    /// Removes a monitor.
    ///
    /// - Parameter identifier: of the monitor.
    public func removeMonitor(_ identifier: String) async throws {
        try await perform(.DELETE, "/v1/monitors/\(escaped(identifier))")
    }
}
