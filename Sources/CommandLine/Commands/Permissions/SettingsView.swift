import Authorization
import Consent
import SocketAPI

/// The state of the full-screen settings: keys and news in, lines and effects out.
struct SettingsView: Sendable {
    enum Mode: Sendable, Hashable {
        case list, details, help
    }

    /// A change that extends a permission and waits for the confirmation.
    struct Confirmation: Sendable, Hashable {
        let question: String
        let effect: SettingsEffect
    }

    private(set) var entries: [SettingsEntry] = []
    private(set) var isMuted = false
    private(set) var problems = 0
    private(set) var listening: Set<String> = []
    /// Records of the client shown in detail.
    private(set) var records: [AuditRecord] = []
    private(set) var selected = 0
    private(set) var scroll = 0
    private(set) var mode = Mode.list
    private(set) var confirmation: Confirmation?
    /// The result of the last key; the next key removes it.
    private(set) var message: String?
    /// Whether the service has answered.
    private(set) var isLoaded = false
    /// The only client shown; `nil`: all.
    var client: String?

    var entry: SettingsEntry? { entries.indices.contains(selected) ? entries[selected] : nil }

    /// The selection stays on its entry.
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

    /// Ignored if another client is shown by now.
    mutating func update(_ records: [AuditRecord], of client: String) {
        if entry?.client == client { self.records = records }
    }

    mutating func show(_ message: String) { self.message = message }

    /// - Parameter page: lines per page key.
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
        case .details:
            if move(&scroll, key, page, to: Int.max) { return nil }
            return entry.flatMap { change($0, key) }
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

    /// Called by the drawing, which knows the limit.
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
}

/// Keys that change decisions. Extensions are confirmed first; restrictions apply at once.
extension SettingsView {
    mutating func change(_ entry: SettingsEntry, _ key: ScreenKey) -> SettingsEffect? {
        switch key {
        case .character("w"): return allow(entry, .whileInUse)
        case .character("a"): return allowAlways(entry)
        case .character("n"): return effect(entry, .ask)
        case .character("d"): return effect(entry, .deny)
        case .character("f"): return changeFidelity(entry)
        default: return nil
        }
    }

    private mutating func allow(_ entry: SettingsEntry, _ scope: Scope) -> SettingsEffect? {
        let effect = effect(entry, .allow, scope: scope)
        // A restriction, or the answer "keep while using".
        if entry.verdict == .authorized, entry.isChanged != true, scope == .whileInUse { return effect }
        let program = entry.presentProgram.map { " It is \($0.path ?? "another program") (\($0.sha256)) now." } ?? ""
        let when = scope == .always ? "at any time, also when you do not use it" : "while you use it"
        return ask("Let \(entry.name) use \(entry.resource.phrase) \(when)?\(program)", effect)
    }

    private mutating func allowAlways(_ entry: SettingsEntry) -> SettingsEffect? {
        if entry.scope == .always, entry.question == nil, entry.isChanged != true {
            show("It is always allowed already.")
            return nil
        }
        guard entry.verdict == .authorized else {
            show("Always is an upgrade; allow it while using first (w).")
            return nil
        }
        return allow(entry, .always)
    }

    private mutating func changeFidelity(_ entry: SettingsEntry) -> SettingsEffect? {
        guard entry.verdict == .authorized, entry.offersFidelity == true, entry.isChanged != true else {
            show("Phrases only applies to speech recognition of an allowed program that declares phrases.")
            return nil
        }
        let fidelity: Fidelity = entry.fidelity == .reduced ? .full : .reduced
        let effect = effect(entry, .allow, scope: entry.scope, fidelity: fidelity)
        if fidelity == .reduced { return effect }
        return ask("Give \(entry.name) every word, not only its phrases?", effect)
    }

    private mutating func ask(_ question: String, _ effect: SettingsEffect) -> SettingsEffect? {
        confirmation = Confirmation(question: question, effect: effect)
        return nil
    }

    private func effect(
        _ entry: SettingsEntry, _ choice: SettingsChange.Choice, scope: Scope? = nil, fidelity: Fidelity? = nil
    ) -> SettingsEffect {
        .change(
            client: entry.client,
            choice == .allow
                ? SettingsChange(allowing: entry, scope: scope, fidelity: fidelity)
                : SettingsChange(resource: entry.resource, choice: choice))
    }
}

/// An action of a key that the view cannot do itself.
enum SettingsEffect: Sendable, Hashable {
    case quit
    /// The view shows the records of this client.
    case readRecords(client: String)
    case change(client: String, SettingsChange)
}
