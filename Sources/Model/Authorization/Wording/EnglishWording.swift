import Foundation

struct EnglishWording: Wording {
    func name(of resource: Resource) -> String { resource.phrase }

    func growth(_ bytes: Int64) -> String {
        guard bytes != 0 else { return "of the same size" }
        return "\(bytes.magnitude) \(bytes.magnitude == 1 ? "byte" : "bytes") \(bytes > 0 ? "larger" : "smaller")"
    }

    func title(_ question: Question, client: String, resources: [Resource]) -> String {
        let name = "“\(client)”"
        let resource = resources.map(\.phrase).joined(separator: " and ")
        return switch question {
        case .firstUse:
            "\(name) would like to use \(resource)."
        case .identityChanged(let previous, let current):
            "\(name) has changed since you allowed it to use \(resource). It was "
                + "\(path(of: previous) ?? "an unknown program") "
                + "(\(previous.sha256.prefix(8))); now it is "
                + "\(path(of: current) ?? "an unknown program") "
                + "(\(current.sha256.prefix(8)))\(previous.growth(to: current).map { ", \(growth($0))" } ?? "")."
        case .termsWidened:
            "\(name) declares more than when you allowed it to use \(resource)."
        case .upgradeToAlways:
            "Let \(name) use \(resource) also when you are not using it?"
        case .review:
            "\(name) may use \(resource) at any time. Keep this permission?"
        case .temporaryFullFidelity:
            "\(name) would like to have every word for this session, not only its phrases."
        }
    }

    func settingsTitle(client: String, resource: Resource) -> String { "Use of \(resource.phrase) by “\(client)”" }

    var collected: String { "Collected" }
    var purpose: String { "Purpose" }
    var kept: String { "Kept" }
    var recognised: String { "Recognised" }
    func recognised(onThisMachineBy engine: String) -> String { "by \(engine) on this machine" }
    var shared: String { "Shared" }

    var program: String { "Program" }
    var programIsUnknown: String { "unknown: it has ended, or cannot be inspected" }
    func program(_ path: String, from origin: String?) -> String { "\(path) (\(origin ?? "from no package"))" }
    func package(_ name: String) -> String { "package \(name)" }
    func mayRunOtherCode(_ program: String) -> String { "\(program), may run other code" }
    var asAbove: String { "The rest is as above." }
    func hint(keys: [String]) -> String { "Press \(keys.dropLast().joined(separator: ", ")) or \(keys.last ?? "")." }

    var reason: String { "Reason" }
    var phrases: String { "Phrases" }
    func list(of count: Int, phrases quoted: String) -> String { "\(count): \(quoted)" }
    func phrase(_ phrase: String) -> String { "“\(phrase)”" }
    func more(_ count: Int) -> String { "… \(count) more" }
    func more(_ count: Int, by key: Character) -> String { "… \(count) more: press \(key)" }
    var everything: String { "Everything" }
    func page(_ number: Int, of count: Int) -> String {
        "Page \(number) of \(count). Press a key to go on, q to return to the question."
    }

    var new: String { "New since you allowed it" }
    var inBackground: String { "In the background" }

    func text(of addition: Addition) -> String {
        switch addition {
        case .purpose: "another reason or purpose"
        case .kinds(let kinds): "it collects \(kinds.map(name(of:)).joined(separator: listSeparator))"
        case .retention(let text): "how long it is kept: \(text)"
        case .kept(let times):
            times.inOrder.map { "VoiceGate keeps \($0.kind.phrase): \(retention($0.time))" }.joined(separator: "; ")
        case .recipients(let names): "shared with \(names.joined(separator: listSeparator))"
        case .sharingNotDeclared: "it no longer says with whom it shares"
        case .background(let mode): text(of: mode)
        case .launchCommand(let command): start(command)
        case .collector(let collector): "shared: \(recordsShared(with: collector))"
        case .phrases(let phrases): "it also receives \(list(ofPhrases: phrases))"
        case .engine(let name): "recognised by \(name), which receives the audio"
        }
    }

    func text(of mode: BackgroundMode) -> String {
        switch mode {
        case .audio: "it goes on listening after you leave it"
        }
    }

    func start(_ command: String) -> String {
        "if always allowed, it can be started by a sound or a phrase: \(command)"
    }

    func name(of kind: DataKind) -> String { kind.phrase }
    var listSeparator: String { ", " }
    var nothingIsKept: String { "nothing is kept" }
    var sharedWithNobody: String { "with nobody" }
    func sharedWith(_ recipients: String) -> String { "with \(recipients)" }
    func recordsShared(with collector: RecordCollector) -> String {
        let records =
            switch collector.send {
            case .proofs: "the times and kinds of consent records"
            case .records: "consent records"
            }
        return "\(records) with \(collector.name) (\(collector.purpose))"
    }
    var sharingNotDeclared: String { "the client does not say" }
    func name(ofProgram program: String, usedWith client: String) -> String { "\(program) (via \(client))" }

    func name(of answer: Answer, among answers: AnswerSet) -> String {
        switch (answer, answers) {
        case (.whileInUse, .upgrade): "Keep while using"
        case (.always, .upgrade): "Change to always"
        case (.always, .review): "Keep always"
        case (.whileInUse, .review): "Only while using"
        case (.once, .temporary): "For this session"
        case (.later, .temporary): "Not now"
        case (.whileInUse, _): "While using"
        case (.once, _): "Once"
        case (.always, _): "Always"
        case (.deny, _): "Don't allow"
        case (.later, _): "Later"
        }
    }

    func outcome(of answer: Answer) -> String {
        switch answer {
        case .whileInUse: "Allowed while using."
        case .once: "Allowed once."
        case .always: "Allowed always."
        case .deny: "Not allowed."
        case .later: "Not allowed now; you will be asked again."
        }
    }

    func text(of act: ConfirmedAct) -> String {
        let confirms = "Your password confirms that it is you who "
        return switch act {
        case .allow(let allowing):
            confirms + "lets “\(allowing.name)” (\(allowing.client)) use "
                + "\(allowing.resources.map(\.phrase).joined(separator: " and ")): \(name(of: allowing)). "
                + "Program: \(allowing.program)"
        case .install(let client): confirms + "installs the manifest of \(client). It is allowed nothing yet."
        case .uninstall(let client):
            confirms + "uninstalls \(client), and removes its permissions and what is kept for it."
        case .unmute(.user): confirms + "ends your mute. Your programs that are allowed to can listen again."
        case .unmute(.everyone):
            confirms + "ends the mute of everyone. The programs of all users that are allowed to can listen again."
        case .eraseRecords(let scope): confirms + "erases what VoiceGate recorded and keeps\(narrowing(scope))."
        case .eraseKept(let client, let items):
            confirms + "erases \(keptItems(items))\(client.map { " of \($0)" } ?? "")."
        }
    }

    private func narrowing(_ scope: RightsScope) -> String {
        [
            scope.client.map { " of \($0)" }, scope.session.map { " of the session \($0)" },
            scope.end.map { " before \($0)" },
        ].compactMap { $0 }.joined()
    }

    private func keptItems(_ items: [String]?) -> String {
        guard let items else { return "all that VoiceGate keeps" }
        return "\(items.count) kept item\(items.count == 1 ? "" : "s") (\(ConfirmedAct.names(of: items)))"
    }

    var noAnswer: String { "No answer; nothing is allowed." }

    func name(of fidelity: Fidelity) -> String {
        switch fidelity {
        case .full: "every word"
        case .reduced: "only its phrases"
        }
    }

    func keptByService(_ kind: DataKind, _ time: KeepingTime) -> String {
        "VoiceGate keeps \(kind.phrase) \(time.milliseconds == nil ? "" : "for ")\(retention(time)), encrypted, on this computer."
    }

    var untilWithdrawn: String { "until you take the permission back or erase it" }

    func duration(_ count: Int, _ unit: KeepingUnit) -> String {
        let word =
            switch unit {
            case .years: "year"
            case .months: "month"
            case .weeks: "week"
            case .days: "day"
            case .hours: "hour"
            case .minutes: "minute"
            case .seconds: "second"
            }
        return "\(count) \(word)\(count == 1 ? "" : "s")"
    }

    /// For a program that runs the code of others.
    private var lasting: String {
        "To allow it for good, put the command into your own script and run: voicegate allow SCRIPT"
    }

    func refusal(_ reason: RefusalReason, client: String, resource: Resource, command: String) -> String {
        let use = "use \(resource.phrase)"
        switch reason {
        case .restricted(let reason):
            return "A policy of this machine's administrator does not allow \(client) to \(use)"
                + (reason.map { ": \($0)" } ?? ".")
        case .muted(let scope, let program):
            return
                "Everything is muted\(scope == .everyone ? " for all users" : "")\(program.map { " by \($0)" } ?? ""), "
                + "so \(client) may not \(use). To unmute: \(command)"
        case .denied(let day):
            let date = String(format: "%04d-%02d-%02d", day.year ?? 0, day.month ?? 0, day.day ?? 0)
            return "You did not allow \(client) to \(use) (\(date)). To change that: \(command)"
        case .untrusted(let sentence):
            return sentence
        case .identityChanged(let program, let bytes):
            return "The program \(program) has changed since you allowed \(client) to \(use)"
                + "\(bytes.map { ": it is \(growth($0))" } ?? ""). To allow the changed program: \(command)"
        case .termsWidened:
            return "\(client) declares more than when you allowed it to \(use). "
                + "It asks when you run it at a terminal; to see what is new and decide now: \(command)"
        case .notDetermined:
            return "\(client) has not been allowed to \(use) yet. It asks when you run it at a terminal"
                + (command.isEmpty ? ". \(lasting)" : "; to decide now: \(command)")
        case .notAskedInBackground:
            return "\(client) is in the background, where it cannot ask for permission to \(use). "
                + "Run it in the foreground of a terminal or of the desktop."
        case .notInBackground:
            return "\(client) is in the background, where it may not \(use). "
                + "Bring it to the foreground, or always allow it: \(command)"
        case .notAnUpgrade:
            return "\(client) must be allowed while using before it can be allowed always. First: \(command)"
        case .reducedFidelity:
            return "\(client) may receive only the phrases of its manifest (VoiceGatePhrases), which has none. "
                + "Add them, or allow every word: \(command)"
        case .alreadyFull:
            return "\(client) is already allowed every word. Start the session."
        case .missingPurpose(let key):
            return
                "The manifest of \(client) has no text for the purpose “\(key)”, so the prompt cannot give a reason. "
                + "Add it to \(Manifest.purposesKey)."
        case .missingBackgroundMode:
            return
                "\(client) cannot be allowed always, because its manifest declares nothing that it does in the background. "
                + "Add audio to UIBackgroundModes, or a VoiceGateLaunchCommand."
        case .noManifest(let path):
            return "No manifest without errors describes this program; voicegate status names the errors. "
                + (command.isEmpty
                    ? "Put an Info.plist with CFBundleExecutable and \(resource.usageDescriptionKey) into the clients "
                        + "folder (\(path))." : "To write one: \(command)")
        case .missingUsageDescription:
            return
                "The manifest of \(client) has no \(resource.usageDescriptionKey), so the prompt cannot give a reason. "
                + "Add it."
        case .noAnswer:
            return "\(client) may not \(use): the request was not answered. "
                + "Answer it at a terminal or in voicegate agent"
                + (command.isEmpty ? ". \(lasting)" : ", or decide with: \(command)")
        case .tooManyRequests:
            return "Too many requests are waiting for an answer. Answer them first, then try again."
        case .tooManyPrompts(let seconds):
            return "\(client) asked repeatedly without getting a decision, so it cannot ask again for \(seconds) s. "
                + (command.isEmpty ? "Try again then. \(lasting)" : "Try again then, or decide now: \(command)")
        case .tooManyRecords(let seconds):
            return "The consent log has as many records of your programs as it takes for now, and nothing is allowed "
                + "without a record. Try again in \(seconds) s."
        case .recordingFailed:
            return "The consent log could not be written, and nothing is allowed without a record. "
                + "See the service's log; the disk may be full."
        }
    }
}
