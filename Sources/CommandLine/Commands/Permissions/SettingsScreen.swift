import Authorization
import CLinux
import CommandClient
import Consent
import Foundation
import LinuxSystem
import SocketAPI
import Synchronization

/// The settings full-screen in a terminal, until the user leaves.
struct SettingsScreen: Sendable {
    let client: ServiceClient
    /// The only client shown; `nil`: all.
    let shown: String?
    let environment: [String: String]

    /// Whether input and output are a terminal that can be drawn on.
    static func isPossible(environment: [String: String]) -> Bool {
        let terminal = environment["TERM"] ?? ""
        return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && !terminal.isEmpty && terminal != "dumb"
    }

    /// - Returns: `false` if the terminal cannot be used; nothing was shown then.
    func run() async throws -> Bool {
        let mailbox = try ScreenMailbox()
        let signals = SignalSources([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]) {
            mailbox.post(.signal($0))
        }
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
        return try await Blocking.run { try loop(mailbox) { isEffect.yield($0) } }
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
                do {
                    try await client.changeSettings(of: name, change)
                } catch let error as ClientError where error.reply?.error.code == ErrorCode.outdated.rawValue {
                    // A manifest that has changed is no change of a decision, so the service has not sent it.
                    mailbox.post(.settings(try await client.settings()))
                    throw error
                }
                mailbox.post(.message("Changed. It applies from now on."))
                await perform(.readRecords(client: name), mailbox)
            case .readRecords(let name):
                mailbox.post(.records(try await Self.records(of: name, client), client: name))
            }
        } catch {
            mailbox.post(.message("\(error)"))
        }
    }

    static func records(of name: String, _ service: ServiceClient) async throws -> [AuditRecord] {
        try await service.auditRecords(matching: AuditFilter(limit: 40, client: ClientIdentifier(rawValue: name)))
            .reduce(into: []) { $0.append($1) }
    }

    /// Waits for keys and news, and draws. Blocks until the user leaves.
    ///
    /// - Returns: `false` if the terminal cannot be used full-screen; nothing was shown then.
    /// - Throws: `CommandError.interrupted` after a signal, or the service's error.
    private func loop(_ mailbox: ScreenMailbox, perform: (SettingsEffect) -> Void) throws -> Bool {
        guard let screen = CursesScreen(environment: environment) else { return false }
        var view = SettingsView(client: shown)
        var isSuspended = false
        var guardian = KeyGuard()
        while true {
            guardian.isAsking(view.confirmation != nil, at: .now)
            if !isSuspended {
                view.limitScroll(to: view.mostScroll(rows: screen.rows, columns: screen.columns))
                screen.draw(view.lines(rows: screen.rows, columns: screen.columns))
            }
            var requests = [
                pollfd(fd: mailbox.reader, events: Int16(POLLIN), revents: 0),
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&requests, isSuspended ? 1 : 2, -1) > 0 else { continue }
            if requests[0].revents != 0 {
                for news in mailbox.take() { try handle(news, &view, screen, &isSuspended) }
            }
            // A closed terminal reports this forever.
            if requests[1].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { throw CommandError.interrupted }
            if isSuspended || requests[1].revents == 0 { continue }
            var keys: [ScreenKey] = []
            while let key = screen.key() { keys.append(key) }
            guard let accepted = guardian.accepted(keys, at: .now) else {
                view.show("Pasted and early keys are ignored.")
                continue
            }
            for key in accepted {
                let effect = view.press(key, page: view.page(rows: screen.rows, columns: screen.columns))
                if effect == .quit { return true }
                if let effect { perform(effect) }
            }
        }
    }

    private func handle(
        _ news: ScreenMailbox.News, _ view: inout SettingsView, _ screen: borrowing CursesScreen,
        _ isSuspended: inout Bool
    ) throws {
        switch news {
        case .settings(let reply): view.update(reply)
        case .indicator(let reply): view.update(reply)
        case .records(let records, let client): view.update(records, of: client)
        case .message(let text): view.show(text)
        case .failed(let error): throw error
        case .signal(SIGWINCH):
            if !isSuspended { screen.resize() }
        case .signal(SIGTSTP):
            screen.suspend()
            isSuspended = true
            // The signal's default effect; SIGCONT is the next news.
            kill(getpid(), SIGSTOP)
        case .signal(SIGCONT):
            isSuspended = false
            screen.resume()
        case .signal:
            throw CommandError.interrupted
        }
    }
}

/// Which keys are the user's: not those of a paste, nor those that were typed before a question could be read.
struct KeyGuard {
    /// As at a prompt in a terminal.
    static let settleTime = Duration.milliseconds(500)
    /// Between the pieces of a paste.
    static let gap = Duration.milliseconds(50)

    private var askedAt: ContinuousClock.Instant?
    private var pastedAt: ContinuousClock.Instant?

    mutating func isAsking(_ isAsking: Bool, at now: ContinuousClock.Instant) {
        askedAt = isAsking ? askedAt ?? now : nil
    }

    /// - Parameter keys: that came at once. A held arrow key may repeat, and nothing else.
    /// - Returns: `nil` if they are ignored.
    mutating func accepted(_ keys: [ScreenKey], at now: ContinuousClock.Instant) -> [ScreenKey]? {
        let isPaste = keys.count > 1 && !keys.allSatisfy(\.isMovement) || pastedAt.map { now - $0 < Self.gap } ?? false
        if isPaste { pastedAt = now }
        return isPaste || askedAt.map { now - $0 < Self.settleTime } ?? false ? nil : keys
    }
}

/// News for the thread of the screen, which waits for them and for keys at once.
final class ScreenMailbox: Sendable {
    enum News: Sendable {
        case settings(SettingsReply)
        case indicator(IndicatorReply)
        case records([AuditRecord], client: String)
        case message(String)
        case signal(Int32)
        case failed(any Error)
    }

    private let news = Mutex<[News]>([])
    private let pipe: WakePipe
    /// Readable when there are news.
    var reader: Int32 { pipe.reader.rawValue }

    init() throws {
        guard let pipe = WakePipe() else {
            throw CommandError(
                .cannotWrite, status: .unavailable, "Too many files are open. Close other programs and try again.")
        }
        self.pipe = pipe
    }

    func post(_ item: News) {
        news.withLock { $0.append(item) }
        pipe.wake()
    }

    /// The news in order. Call when `reader` is readable.
    func take() -> [News] {
        pipe.drain()
        return news.withLock { news in
            defer { news = [] }
            return news
        }
    }
}
