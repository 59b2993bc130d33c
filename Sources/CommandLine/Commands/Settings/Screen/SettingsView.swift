import Authorization
import Consent
import SocketAPI

/// The full-screen view of the settings as a value: keys and news in, lines and effects out.
struct SettingsView: Sendable {
    enum Mode: Sendable, Hashable {
        case list
        case details
        case help
    }

    /// A change that gives more than there was, until the person confirms it.
    struct Confirmation: Sendable, Hashable {
        let question: String
        let effect: SettingsEffect
    }

    private(set) var entries: [SettingsEntry] = []
    private(set) var isMuted = false
    private(set) var problems = 0
    /// Clients that listen now.
    private(set) var listening: Set<String> = []
    /// Of the client that is shown in detail.
    private(set) var records: [AuditRecord] = []
    private(set) var selected = 0
    private(set) var scroll = 0
    private(set) var mode = Mode.list
    private(set) var confirmation: Confirmation?
    /// What came of the last key; gone with the next.
    private(set) var message: String?
    /// Whether anything has come from the service yet.
    private(set) var isLoaded = false
    /// The only client that is shown; `nil`: all.
    let client: String?

    init(client: String? = nil) { self.client = client }

    var entry: SettingsEntry? { entries.indices.contains(selected) ? entries[selected] : nil }

    /// The selection stays on what it was on, wherever that has moved.
    mutating func update(_ reply: SettingsReply) {
        let previous = entry
        entries = reply.entries.filter { client == nil || $0.client == client }
        isMuted = reply.muted
        problems = reply.problems.count
        isLoaded = true
        if let previous,
            let place = entries.firstIndex(where: { $0.client == previous.client && $0.resource == previous.resource })
        {
            selected = place
        } else {
            selected = min(selected, max(entries.count - 1, 0))
            if mode == .details { mode = .list }
        }
    }

    mutating func update(_ reply: IndicatorReply) {
        listening = Set(reply.sessions.filter(\.isRunning).map(\.client))
    }

    /// - Parameter client: whose records they are; another may be shown by now.
    mutating func update(_ records: [AuditRecord], of client: String) {
        if entry?.client == client { self.records = records }
    }

    mutating func show(_ message: String) { self.message = message }

    /// - Parameter page: lines that a page key moves by.
    mutating func press(_ key: ScreenKey, page: Int) -> SettingsEffect? {
        message = nil
        if let confirmation {
            self.confirmation = nil
            if key == .character("y") { return confirmation.effect }
            message = "Nothing was changed."
            return nil
        }
        switch key {
        case .character("q"): return .quit
        case .character("?"):
            mode = mode == .help ? .list : .help
            scroll = 0
            return nil
        case .back:
            if mode == .list { return .quit }
            mode = .list
            return nil
        default: break
        }
        switch mode {
        case .list: return pressInList(key, page)
        case .details: return pressInDetails(key, page)
        case .help:
            move(&scroll, key, page, to: Int.max)
            return nil
        }
    }

    private mutating func pressInList(_ key: ScreenKey, _ page: Int) -> SettingsEffect? {
        if move(&selected, key, page, to: max(entries.count - 1, 0)) { return nil }
        guard let entry else { return nil }
        guard key == .enter else { return change(entry, key) }
        mode = .details
        scroll = 0
        records = []
        return .readRecords(client: entry.client)
    }

    private mutating func pressInDetails(_ key: ScreenKey, _ page: Int) -> SettingsEffect? {
        if move(&scroll, key, page, to: Int.max) { return nil }
        return entry.flatMap { change($0, key) }
    }

    /// Keeps the scrolling within what there is to scroll; called by the drawing, which knows.
    mutating func limitScroll(to most: Int) { scroll = min(scroll, max(most, 0)) }

    @discardableResult
    private func move(_ place: inout Int, _ key: ScreenKey, _ page: Int, to last: Int) -> Bool {
        switch key {
        case .up, .character("k"): place = max(place - 1, 0)
        case .down, .character("j"): place = place == Int.max ? place : min(place + 1, last)
        case .pageUp: place = max(place - page, 0)
        case .pageDown, .character(" "): place = place > Int.max - page ? place : min(place + page, last)
        case .first, .character("g"): place = 0
        case .last, .character("G"): place = last
        default: return false
        }
        return true
    }

    mutating func confirm(_ confirmation: Confirmation) { self.confirmation = confirmation }
}
