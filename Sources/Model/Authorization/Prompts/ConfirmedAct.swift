/// What the user confirms with a password in enforced mode.
public enum ConfirmedAct: Sendable, Hashable {
    case allow(Allowing)
    /// Which removes the permissions of the client, too.
    case uninstall(ClientIdentifier)
    /// A client's manifest.
    case install(ClientIdentifier)
    case unmute
    /// What VoiceGate recorded or keeps.
    case erase

    /// A grant that the user is about to give.
    public struct Allowing: Sendable, Hashable {
        public let client: ClientIdentifier
        /// The client's own name.
        public let name: String
        /// The path of the program, and what installed it if that is known; safe to show.
        public let program: String
        public let resources: [Resource]
        public let scope: Scope
        public let fidelity: Fidelity
        /// To a prompt; otherwise it is a change in settings.
        public let isAnswer: Bool
    }

    /// The answer to a prompt.
    ///
    /// - Returns: `nil` for an answer that grants nothing.
    public init?(_ answer: Answer, _ fidelity: Fidelity, to prompt: Prompt) {
        let scope: Scope
        switch answer {
        case .once: scope = .once
        case .whileInUse: scope = .whileInUse
        case .always: scope = .always
        case .deny, .later: return nil
        }
        let (requester, wording) = (prompt.requester, prompt.notice.language.wording)
        self = .allow(
            Allowing(
                client: requester.client.identifier, name: prompt.notice.clientName,
                program: requester.caller.shown(in: wording), resources: prompt.resources, scope: scope,
                fidelity: fidelity, isAnswer: true))
    }

    /// A change in settings.
    ///
    /// - Parameter name: the client's own.
    public init(
        allowing key: DecisionKey, name: String?, program: AllowedProgram, scope: Scope, fidelity: Fidelity
    ) {
        self = .allow(
            Allowing(
                client: key.client, name: DisplayText.cleaned(name ?? key.client.rawValue, limit: 60),
                program: DisplayText.cleaned(program.path ?? program.sha256), resources: [key.resource], scope: scope,
                fidelity: fidelity, isAnswer: false))
    }

    /// What the dialog says: one bounded line, which ends with the program.
    public func text(in language: Language) -> String {
        guard case .allow(var allowing) = self else { return language.wording.text(of: self) }
        allowing = allowing.shortened(to: 160)
        // polkit replaces $(KEY).
        return language.wording.text(of: .allow(allowing)).replacing("$(", with: "$ (")
    }

    /// For the rules of an administrator (`action.lookup("client")` in polkit(8)). Words do not depend on the language.
    public var details: [(key: String, value: String)] {
        switch self {
        case .allow(let allowing):
            [
                ("client", allowing.client.rawValue), ("program", allowing.program),
                ("resource", allowing.resources.map(\.rawValue).joined(separator: " ")),
                ("scope", allowing.scope.rawValue), ("fidelity", allowing.fidelity.rawValue),
            ]
        case .install(let client), .uninstall(let client): [("client", client.rawValue)]
        case .unmute, .erase: []
        }
    }
}

extension ConfirmedAct.Allowing {
    /// Both ends of the program remain: it begins with whose it is, and ends with what it is.
    fileprivate func shortened(to limit: Int) -> Self {
        guard program.count > limit else { return self }
        return Self(
            client: client, name: name,
            program: "\(program.prefix(limit / 3))…\(program.suffix(limit - limit / 3 - 1))",
            resources: resources, scope: scope, fidelity: fidelity, isAnswer: isAnswer)
    }
}

extension Wording {
    /// The scope and the fidelity of a grant, as its answer is named.
    func name(of allowing: ConfirmedAct.Allowing) -> String {
        let answer: Answer =
            switch allowing.scope {
            case .once: .once
            case .whileInUse: .whileInUse
            case .always: .always
            }
        let scope = name(of: answer, among: .firstUse)
        return allowing.fidelity == .full ? scope : scope + listSeparator + name(of: allowing.fidelity)
    }
}
