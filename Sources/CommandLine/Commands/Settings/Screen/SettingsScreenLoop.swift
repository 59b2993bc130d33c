import Glibc

/// The thread's part of the full-screen settings: waits for keys and news, and draws.
struct SettingsScreenLoop: Sendable {
    let mailbox: ScreenMailbox
    let environment: [String: String]
    let client: String?
    let perform: @Sendable (SettingsEffect) -> Void

    /// Blocks until the person leaves.
    ///
    /// - Returns: `false` where the terminal cannot be used full-screen; nothing was shown then.
    /// - Throws: what ended it: a signal as `CommandError.interrupted`, or the service's error.
    func run() throws -> Bool {
        guard let screen = CursesScreen(environment: environment) else { return false }
        var view = SettingsView(client: client)
        var isSuspended = false
        while true {
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
            // A terminal that went away gives no more keys, and says so for ever.
            if requests[1].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { throw CommandError.interrupted }
            if isSuspended || requests[1].revents == 0 { continue }
            while let key = screen.key() {
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
            // As the signal would have done by itself; the next news is that it goes on.
            kill(getpid(), SIGSTOP)
        case .signal(SIGCONT):
            isSuspended = false
            screen.resume()
        case .signal:
            throw CommandError.interrupted
        }
    }
}
