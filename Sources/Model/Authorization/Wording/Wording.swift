import Base
import Foundation

/// Texts about permissions that depend on more than their values. Names and texts of clients are cleaned by the caller
/// (`DisplayText`).
extension Wording {
    /// Follows the client's own text, which may not end as a sentence does.
    var sentenceSeparator: String { " — " }

    /// The resources as the object of a sentence, in the order of `Resource.allCases`.
    public func object(_ resources: [Resource]) -> String {
        resources.count > 1 ? self(.resourcesObject) : resources.map(resourceObject).joined()
    }

    /// How much a program has grown since it was allowed, in a sentence.
    ///
    /// - Parameter bytes: negative if it became smaller.
    public func growth(_ bytes: Int64) -> String {
        if bytes == 0 { return self(.sameSize) }
        return bytes > 0 ? larger(count: bytes.magnitude) : smaller(count: bytes.magnitude)
    }

    /// The title of a prompt.
    ///
    /// - Parameter resources: what the answer decides, in the order of `Resource.allCases`; not empty.
    func title(_ question: Question, client: String, resources: [Resource]) -> String {
        let resource = object(resources)
        return switch question {
        case .firstUse: titleFirstUse(client: client, resource: resource)
        case .identityChanged(let previous, let current):
            titleIdentityChanged(
                client: client, resource: resource, before: shown(previous), now: shown(current),
                growth: previous.growth(to: current).map { titleGrowth(growth: growth($0)) } ?? "")
        case .termsWidened: titleTermsWidened(client: client, resource: resource)
        case .upgradeToAlways: titleUpgradeToAlways(client: client, resource: resource)
        case .review: titleReview(client: client, resource: resource)
        case .temporaryFullFidelity: titleTemporaryFullFidelity(client: client)
        }
    }

    private func shown(_ program: AllowedProgram) -> String {
        programWithDigest(
            path: program.path.map { DisplayText.unquoted(DisplayText.cleaned($0, limit: 100)) }
                ?? self(.unknownProgram),
            digest: program.sha256.prefix(8))
    }

    /// - Parameter origin: what installed it; `nil`: no package of the system.
    public func program(_ path: String, from origin: String?) -> String {
        programFrom(path: path, origin: origin ?? self(.noPackage))
    }

    /// What to press.
    ///
    /// - Parameter keys: at least two.
    public func hint(keys: [String]) -> String {
        hint(keys: keys.dropLast().joined(separator: self(.listSeparator)), last: keys.last ?? "")
    }

    /// Their number, then all of them.
    func list(ofPhrases phrases: [String]) -> String {
        list(count: phrases.count, phrases: phrases.map { quoted(phrase: $0) }.joined(separator: self(.listSeparator)))
    }

    /// What the client declares beyond its grant.
    func text(of additions: [Addition]) -> String {
        additions.map(text(of:)).joined(separator: sentenceSeparator)
    }

    private func text(of addition: Addition) -> String {
        let separator = self(.listSeparator)
        return switch addition {
        case .purpose: self(.additionPurpose)
        case .kinds(let kinds): additionKinds(kinds: kinds.map(kind).joined(separator: separator))
        case .retention(let text): additionRetention(time: text)
        case .kept(let times):
            times.inOrder.map { additionKept(kind: kindObject($0.kind), time: retention($0.time)) }
                .joined(separator: self(.keptSeparator))
        case .recipients(let names): additionRecipients(names: names.joined(separator: separator))
        case .sharingNotDeclared: self(.additionSharingNotDeclared)
        case .background(let mode): backgroundMode(mode)
        case .launchCommand(let command): start(command)
        case .collector(let collector): additionCollector(records: recordsShared(with: collector))
        case .phrases(let phrases): additionPhrases(phrases: list(ofPhrases: phrases))
        case .engine(let name): additionEngine(engine: name)
        }
    }

    func start(_ command: [String]) -> String {
        start(command: DisplayText.cleaned(DisplayText.escaped(command.joined(separator: " "))))
    }

    /// A sentence: what VoiceGate itself keeps, how long and where.
    func keptByService(_ kind: DataKind, _ time: KeepingTime) -> String {
        time.milliseconds == nil
            ? keptUntilWithdrawn(kind: kindObject(kind), time: retention(time))
            : keptFor(kind: kindObject(kind), time: retention(time))
    }

    public func retention(_ time: KeepingTime) -> String {
        if case .limited(let count, let unit) = time { duration(unit, count: count) } else { self(.untilWithdrawn) }
    }

    /// Continues `sharedWith` or `sharedWithNobody`; the name and the purpose are safe to show.
    func recordsShared(with collector: RecordCollector) -> String {
        recordsShared(collector.send, name: collector.name, purpose: collector.purpose)
    }

    /// - Parameter answers: all answers of the question; the same answer has another name beside others.
    public func name(of answer: Answer, among answers: AnswerSet) -> String {
        answerAmong("\(answer).\(answers)") ?? self.answer(answer)
    }

    /// What the user confirms with a password, in sentences. The texts in it are safe to show.
    func text(of act: ConfirmedAct) -> String {
        let text =
            switch act {
            case .allow(let allowing):
                actAllow(
                    name: allowing.name, client: allowing.client, resource: object(allowing.resources),
                    terms: name(of: allowing), program: allowing.program)
            case .install(let client): actInstall(client: client)
            case .uninstall(let client): actUninstall(client: client)
            case .unmute(let scope): actUnmute(scope)
            case .eraseRecords(let scope):
                actEraseRecords(
                    scope: [
                        scope.client.map { scopeClient(client: $0) }, scope.session.map { scopeSession(session: $0) },
                        scope.end.map { scopeBefore(time: $0) },
                    ].compactMap { $0 }.joined(separator: self(.scopeSeparator)))
            case .eraseKept(let client, let items):
                actEraseKept(
                    items: items.map { keptItems(count: $0.count, names: ConfirmedAct.names(of: $0)) }
                        ?? self(.keptAll),
                    client: client.map { keptOf(client: $0) } ?? "")
            }
        return self(.confirms) + text
    }

    /// Whose mute it is, and which program muted; both empty if that is not known.
    public func muted(_ scope: MuteScope.Kind?, by program: String?) -> (everyone: String, by: String) {
        (scope == .everyone ? self(.mutedForAll) : "", program.map { mutedBy(program: $0) } ?? "")
    }
}

/// The kind of question that a set of answers belongs to, for a prompt that came over the socket.
public enum AnswerSet: Sendable, Hashable {
    /// A first use, or the first use of a changed program.
    case firstUse
    /// Keep "while using", or change to "always".
    case upgrade
    /// Keep "always", or not.
    case review
    /// Every word of one session.
    case temporary

    public init(_ answers: [Answer]) {
        switch (answers.contains(.always), answers.contains(.deny)) {
        case (true, false): self = .upgrade
        case (true, true): self = .review
        case (false, false): self = .temporary
        case (false, true): self = .firstUse
        }
    }
}
