import AsyncHTTPClient
import Crypto
import FleetDatabase
import Foundation
import NIOCore

/// Sends alarms as JSON to one address. Each is sent until it is answered with a 2xx status, so that one can come twice: its
/// number tells.
struct Webhook: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let url: String
    private let secret: SymmetricKey?

    init(_ settings: CollectorSettings.Webhook) throws {
        try OutgoingRequest.check(settings.url, of: "The webhook")
        url = settings.url
        secret = try settings.secretFile.map { file in
            guard let data = FileManager.default.contents(atPath: file), !data.isEmpty else {
                throw CollectorSettings.Problem(description: "The secret file \(file) cannot be read, or is empty.")
            }
            return SymmetricKey(
                data: Data(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines).utf8))
        }
    }

    func send(_ alarm: Alarm) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = try encoder.encode(alarm)
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        if let secret {
            let code = HMAC<SHA256>.authenticationCode(for: body, using: secret)
            request.headers.add(
                name: "X-VoiceGate-Signature", value: "sha256=" + Data(code).bytea.dropFirst(2))
        }
        request.body = .bytes(ByteBuffer(bytes: body))
        let answer = try await OutgoingRequest.send(request)
        guard (200..<300).contains(answer.status) else {
            throw Failure(description: "\(url) answered \(answer.status)")
        }
    }
}
