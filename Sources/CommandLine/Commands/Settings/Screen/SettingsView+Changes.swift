import Authorization
import SocketAPI

/// Keys that change what was decided. What gives a program more is confirmed first; what takes away is done at once.
extension SettingsView {
    mutating func change(_ entry: SettingsEntry, _ key: ScreenKey) -> SettingsEffect? {
        switch key {
        case .character("w"): return allow(entry, .whileInUse)
        case .character("a"): return allowAlways(entry)
        case .character("n"): return effect(entry, SettingsChange(resource: entry.resource, choice: .ask))
        case .character("d"): return effect(entry, SettingsChange(resource: entry.resource, choice: .deny))
        case .character("f"): return changeFidelity(entry)
        default: return nil
        }
    }

    private mutating func allow(_ entry: SettingsEntry, _ scope: Scope) -> SettingsEffect? {
        let effect = effect(entry, SettingsChange(resource: entry.resource, choice: .allow, scope: scope))
        // Less than before, or the answer "keep while using": nothing is given.
        if entry.verdict == .authorized, entry.isChanged != true, scope == .whileInUse { return effect }
        let program = entry.presentProgram.map { " It is \($0.path ?? "another program") (\($0.sha256)) now." } ?? ""
        let when = scope == .always ? "at any time, also when you do not use it" : "while you use it"
        return ask("Let \(entry.name) use \(entry.resource.phrase) \(when)?\(program)", effect)
    }

    private mutating func allowAlways(_ entry: SettingsEntry) -> SettingsEffect? {
        if entry.scope == .always, entry.question == nil, entry.isChanged != true {
            show("It is allowed always already.")
            return nil
        }
        guard entry.verdict == .authorized else {
            show("Always is an upgrade: allow it while using first (w).")
            return nil
        }
        return allow(entry, .always)
    }

    private mutating func changeFidelity(_ entry: SettingsEntry) -> SettingsEffect? {
        guard entry.verdict == .authorized, entry.offersFidelity == true, entry.isChanged != true else {
            show("Phrases only is for speech recognition of a program that is allowed and declares phrases.")
            return nil
        }
        let fidelity: Fidelity = entry.fidelity == .reduced ? .full : .reduced
        let effect = effect(
            entry, SettingsChange(resource: entry.resource, choice: .allow, scope: entry.scope, fidelity: fidelity))
        if fidelity == .reduced { return effect }
        return ask("Let \(entry.name) have every word, not only its phrases?", effect)
    }

    private mutating func ask(_ question: String, _ effect: SettingsEffect) -> SettingsEffect? {
        confirm(Confirmation(question: question, effect: effect))
        return nil
    }

    private func effect(_ entry: SettingsEntry, _ change: SettingsChange) -> SettingsEffect {
        .change(client: entry.client, change)
    }
}
