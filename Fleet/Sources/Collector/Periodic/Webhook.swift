import Base
import Cryptography
import FleetDatabase
import Foundation

/// Sends alarms as JSON to one address. Each is sent until it is answered with a 2xx status, so that one can come twice: its
/// number tells.
struct Webhook: Sendable {
    let url: String
    private let secret: SymmetricKey?

    init(_ settings: CollectorSettings.Webhook) throws {
        try OutgoingRequest.check(settings.url, of: "The webhook")
        url = settings.url
        secret = try settings.secretFile.map { file in
            SymmetricKey(data: try CollectorSettings.secret(in: file, "secret").utf8)
        }
    }

    func send(_ alarm: Alarm) async throws {
        let body = Data(alarm.message.utf8)
        var headers = [("Content-Type", "application/json")]
        if let secret {
            let code = HMACSHA256.authenticationCode(for: body, using: secret)
            headers.append(("X-VoiceGate-Signature", "sha256=" + Hexadecimal.encode(code)))
        }
        let answer = try await OutgoingRequest.post(body, to: url, headers: headers)
        guard (200..<300).contains(answer.status) else {
            throw OutgoingRequest.Refused(description: "\(url) answered \(answer.status)")
        }
    }
}
