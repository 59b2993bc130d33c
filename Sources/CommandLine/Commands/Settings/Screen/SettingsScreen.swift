import Consent
import Foundation
import SocketAPI
import VoiceGateClient

/// The settings full-screen at a terminal, until the person leaves.
struct SettingsScreen: Sendable {
    let client: VoiceGateClient
    /// The only one that is shown; `nil`: all.
    let shown: String?
    let environment: [String: String]

    /// Whether there is a terminal that could show it: one that reads and shows, and can be drawn on.
    static func isPossible(environment: [String: String]) -> Bool {
        let terminal = environment["TERM"] ?? ""
        return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && !terminal.isEmpty && terminal != "dumb"
    }

    /// - Returns: `false` where the terminal cannot be used; nothing was shown then.
    func run() async throws -> Bool {
        let mailbox = try ScreenMailbox()
        let signals = ScreenSignals { mailbox.post(.signal($0)) }
        let (effects, isEffect) = AsyncStream.makeStream(of: SettingsEffect.self)
        let settings = try await client.settingsChanges()
        let indicator = try await client.indicatorChanges()
        let tasks = [
            Task { await forward(settings, to: mailbox) { .settings($0) } },
            Task { await forward(indicator, to: mailbox) { .indicator($0) } },
            Task { for await effect in effects { await perform(effect, mailbox) } },
        ]
        defer {
            for task in tasks { task.cancel() }
            withExtendedLifetime(signals) {}
        }
        let loop = SettingsScreenLoop(mailbox: mailbox, environment: environment, client: shown) { isEffect.yield($0) }
        return try await Blocking.run { try loop.run() }
    }

    private func forward<Reply>(
        _ replies: EventStream<Reply>, to mailbox: ScreenMailbox, as news: (Reply) -> ScreenMailbox.News
    ) async {
        do {
            for try await reply in replies { mailbox.post(news(reply)) }
            mailbox.post(.failed(CommandError.serviceEnded))
        } catch {
            mailbox.post(.failed(error))
        }
    }

    private func perform(_ effect: SettingsEffect, _ mailbox: ScreenMailbox) async {
        do {
            switch effect {
            case .quit: break
            case .change(let name, let change):
                try await client.changeSettings(of: name, change)
                mailbox.post(.message("Done; it holds from now on."))
                mailbox.post(.records(try await records(of: name), client: name))
            case .readRecords(let name):
                mailbox.post(.records(try await records(of: name), client: name))
            }
        } catch {
            mailbox.post(.message("\(error)"))
        }
    }

    private func records(of name: String) async throws -> [AuditRecord] {
        var records: [AuditRecord] = []
        for try await record in try await client.auditRecords(limit: 40, client: name) { records.append(record) }
        return records
    }
}
