import Foundation
import VoiceGateWire

/// The service's answer to a request that it refused.
public struct Refusal: Sendable, Hashable {
    /// Why, for programs. Stable, in each language of the message.
    public let reason: Reason
    /// What happened and what to do next, for people, in the language of the request.
    public let message: String
    /// The status after a request for permission; a word that this version does not know is `denied`.
    public internal(set) var status: AuthorizationStatus?
    /// The resource that was refused.
    public let resource: Resource?
    /// The bundle identifier of this program, as the service found it.
    public let client: String?
    /// The command that changes it, such as `voicegate settings org.example.notes --allow microphone`.
    public let command: String?
    /// How long to wait before the same request may succeed; only if time alone helps.
    public let retryAfter: Duration?

    /// A refusal, as a test's service gives it.
    ///
    /// - Parameters:
    ///   - reason: why, for programs.
    ///   - message: for people.
    ///   - status: after a request for permission.
    ///   - resource: that was refused.
    ///   - client: this program's bundle identifier.
    ///   - command: that changes it.
    ///   - retryAfter: how long to wait.
    public init(
        _ reason: Reason, message: String, status: AuthorizationStatus? = nil, resource: Resource? = nil,
        client: String? = nil, command: String? = nil, retryAfter: Duration? = nil
    ) {
        (self.reason, self.message, self.status, self.resource) = (reason, message, status, resource)
        (self.client, self.command, self.retryAfter) = (client, command, retryAfter)
    }
}

extension Refusal {
    /// The body of an answer with an error's status, of which other members are ignored.
    private struct Body: Decodable {
        struct Detail: Decodable {
            let code: Reason
            let message: String
            let status: AuthorizationStatus?
            let resource: String?
            let client: String?
            let settings: String?
        }

        let error: Detail
    }

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - status: the HTTP status. 429 and 503 are understood without a body.
    ///   - body: JSON.
    ///   - retryAfter: the header of this name: seconds.
    /// - Returns: `nil` if the answer does not say why.
    init?(httpStatus status: UInt, _ body: Data, retryAfter: String?) {
        let wait = retryAfter.flatMap { Int64($0.trimmingCharacters(in: .whitespaces)) }.map { max($0, 0) }
        if let detail = try? JSONCoding.decoder().decode(Body.self, from: body).error {
            self.init(
                detail.code, message: detail.message, status: detail.status,
                resource: detail.resource.flatMap(Resource.init(rawValue:)), client: detail.client,
                command: detail.settings, retryAfter: wait.map { .seconds($0) })
        } else if status == 429 || status == 503 {
            let when = wait.map { "in \($0) s" } ?? "later"
            self.init(
                status == 429 ? .busy : .unavailable, message: "The service is busy. Try again \(when).",
                retryAfter: wait.map { .seconds($0) })
        } else {
            return nil
        }
    }
}
