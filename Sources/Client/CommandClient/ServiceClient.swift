import Authorization
import Foundation
import NIOHTTP1
import SocketAPI
import struct VoiceGateClient.ClientError
import struct VoiceGateClient.EventStream
import struct VoiceGateClient.Refusal
import protocol VoiceGateClient.ServiceConnection

package typealias ClientError = VoiceGateClient.ClientError
package typealias EventStream = VoiceGateClient.EventStream

/// Calls the service for VoiceGate's own command, which may do more than other programs. The values are those that the service
/// itself uses, because both are of one version; other programs use `VoiceGateService`, whose values are its own.
package struct ServiceClient: ServiceConnection {
    package let socketPath: String
    /// The language of the service's messages, and of prompts that this process shows.
    package let language: Language

    package var languageTag: String { language.rawValue }

    /// - Parameters:
    ///   - socketPath: where the service listens; default: this user's socket.
    ///   - language: default: that of this process's locale.
    package init(
        socketPath: String = ServicePaths().socket,
        language: Language = Language(environment: ProcessInfo.processInfo.environment)
    ) {
        self.socketPath = socketPath
        self.language = language
    }

    package func health() async throws -> HealthReply { try await answer(.GET, "/v1/health") }

    /// The capture devices; those that cannot be used have the reason.
    package func devices() async throws -> DevicesReply { try await answer(.GET, "/v1/devices") }

    /// One device, with the reason if it cannot be used. It is not opened.
    ///
    /// - Parameter name: `nil`: the one that the service uses by default.
    package func device(named name: String?) async throws -> DevicesReply {
        try await answer(.GET, "/v1/devices", query: ["device": name ?? ""])
    }

    /// What listens now, and what listened until a moment ago.
    package func indicator() async throws -> IndicatorReply { try await answer(.GET, "/v1/indicator") }

    /// What listens now, and again after each change. A slow reader gets the newest state only.
    package func indicatorChanges() async throws -> EventStream<IndicatorReply> {
        try await stream(.GET, "/v1/indicator/changes")
    }
}

extension ClientError {
    /// What the service answered; only with `refused`.
    package var reply: ErrorReply? {
        refusal.map {
            ErrorReply(
                code: $0.reason.rawValue, message: $0.message,
                status: $0.status.flatMap { AuthorizationStatus(rawValue: $0.rawValue) },
                resource: $0.resource.flatMap { Resource(rawValue: $0.rawValue) }, client: $0.client,
                settings: $0.command)
        }
    }
}

extension EventStream {
    /// All values until the stream ends.
    package func all() async throws -> [Element] { try await reduce(into: []) { $0.append($1) } }
}
