import ArgumentParser
import Foundation
import SocketAPI
import VoiceGateClient

/// The indicator line by line, for the status bar that runs this command.
///
/// Never starts a service, and outlives it: without one nothing listens, and that is what is shown.
struct StatusBar: Sendable {
    enum Kind: String, ExpressibleByArgument, CaseIterable, Sendable {
        case waybar
        case polybar
    }

    let kind: Kind
    let client: VoiceGateClient
    let output: Output
    var pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(2)) }

    func run() async throws {
        var last: String?
        func show(_ reply: IndicatorReply) throws {
            let text = try line(reply)
            if text != last { try output.line(text) }
            last = text
        }
        while true {
            do {
                for try await reply in try await client.indicatorChanges() { try show(reply) }
            } catch is ClientError {
                // Not there yet, or not any more.
            }
            try show(IndicatorReply(sessions: []))
            try await pause()
        }
    }

    private func line(_ reply: IndicatorReply) throws -> String {
        switch kind {
        case .waybar: String(decoding: try JSONCoding.encoder().encode(IndicatorBar(reply)), as: UTF8.self)
        case .polybar: IndicatorBar.polybarLine(reply)
        }
    }
}
