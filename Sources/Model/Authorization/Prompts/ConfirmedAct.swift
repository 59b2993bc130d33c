import Base
import Foundation

/// What the user confirms with a password in enforced mode.
public enum ConfirmedAct: Sendable, Hashable {
    case allow(Allowing)
    /// Which removes the permissions of the client, too.
    case uninstall(ClientIdentifier)
    /// A client's manifest.
    case install(ClientIdentifier)
    case unmute(MuteScope.Kind)
    /// The user's records in the scope, and what is kept of their sessions.
    case eraseRecords(RightsScope)
    /// What is kept for the user, of one client or of all (`nil`): the items with these identifiers, or all (`nil`).
    case eraseKept(client: ClientIdentifier?, items: [String]?)

    /// A grant that the user is about to give.
    public struct Allowing: Sendable, Hashable {
        public let client: ClientIdentifier
        /// The client's own name.
        public let name: String
        /// The path of the program, and what installed it if that is known; safe to show.
        public fileprivate(set) var program: String
        /// The path alone, in no language; safe to show. `nil`: the program is unknown.
        public let path: String?
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
                program: requester.caller.shown(in: wording), path: requester.caller.shownPath,
                resources: prompt.resources, scope: scope, fidelity: fidelity, isAnswer: true))
    }

    /// A change in settings.
    ///
    /// - Parameter name: the client's own.
    public init(
        allowing key: DecisionKey, name: String?, program: AllowedProgram, scope: Scope, fidelity: Fidelity
    ) {
        let path = DisplayText.cleaned(program.path ?? program.sha256)
        self = .allow(
            Allowing(
                client: key.client, name: DisplayText.cleaned(name ?? key.client.rawValue, limit: 60), program: path,
                path: path, resources: [key.resource], scope: scope, fidelity: fidelity, isAnswer: false))
    }

    /// What the dialog says: one bounded line, which ends with the program.
    public func text(in language: Language) -> String {
        var act = self
        if case .allow(let allowing) = self { act = .allow(allowing.shortened(to: 160)) }
        return Self.plain(language.wording.text(of: act))
    }

    /// For the rules of an administrator (`action.lookup("client")` in polkit(8)). They do not depend on the language.
    public var details: [(key: String, value: String)] {
        let details: [(key: String, value: String?)] =
            switch self {
            case .allow(let allowing):
                [
                    ("client", allowing.client.rawValue), ("program", allowing.path),
                    ("resource", allowing.resources.map(\.rawValue).joined(separator: " ")),
                    ("scope", allowing.scope.rawValue), ("fidelity", allowing.fidelity.rawValue),
                ]
            case .install(let client), .uninstall(let client): [("client", client.rawValue)]
            case .unmute(let scope): [("scope", scope.rawValue)]
            case .eraseRecords(let scope):
                [
                    ("erased", "records"), ("client", scope.client?.rawValue), ("session", scope.session),
                    ("before", scope.end),
                ]
            case .eraseKept(let client, let items):
                [("erased", "kept"), ("client", client?.rawValue), ("items", items.map(Self.names(of:)))]
            }
        return details.compactMap { key, value in value.map { (key: key, value: Self.plain($0)) } }
    }

    /// As many identifiers of kept items as a dialog shows; safe to show.
    static func names(of items: [String]) -> String { DisplayText.cleaned(items.joined(separator: ", "), limit: 120) }

    /// polkit replaces `$(KEY)` in a message, and its dialogs may read a message or a detail as markup.
    private static func plain(_ text: String) -> String {
        text.replacing("$(", with: "$ (").replacing("<", with: "‹").replacing(">", with: "›").replacing("&", with: "＆")
    }
}

extension RightsScope {
    /// `before` in ISO 8601.
    var end: String? { before.map { $0.ISO8601Format() } }
}

extension ConfirmedAct.Allowing {
    /// Both ends of the program remain: it begins with whose it is, and ends with what it is.
    fileprivate func shortened(to limit: Int) -> Self {
        guard program.count > limit else { return self }
        var short = self
        short.program = "\(program.prefix(limit / 3))…\(program.suffix(limit - limit / 3 - 1))"
        return short
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
        return allowing.fidelity == .full ? scope : scope + self(.listSeparator) + fidelity(allowing.fidelity)
    }
}
