import Authorization
import Base
import Foundation

/// Values for the tests of several modules.
public enum Samples {
    public static func identifier(_ text: String) -> ClientIdentifier {
        guard let identifier = ClientIdentifier(rawValue: text) else {
            preconditionFailure("not an identifier: \(text)")
        }
        return identifier
    }

    /// - Parameter permitsAlways: without a declaration, as for VoiceGate's own command line.
    public static func manifest(
        _ identifier: String = "org.example.Editor",
        describing resources: [Resource] = Resource.allCases, executable: String = "/usr/bin/editor",
        phrases: [String] = [], backgroundModes: [String] = [], kept: KeepingTimes = [:],
        recipients: [String]? = [], launchCommand: [String] = [], permitsAlways: Bool = true
    ) -> Manifest {
        Manifest(
            identifier: Self.identifier(identifier), name: "Editor", executablePath: executable,
            usageDescriptions: Dictionary(
                uniqueKeysWithValues: resources.map { ($0, "To write down what you say (\($0.rawValue)).") }),
            backgroundModes: backgroundModes,
            practices: DataPractices(
                kinds: [.liveAudio, .transcript] + [.recording, .microphoneProfile].filter { kept[$0] != nil },
                purpose: "To write down what you say.", retention: kept.isEmpty ? nil : "A month.",
                recipients: recipients,
                keptByService: kept), phrases: phrases,
            temporaryFullFidelityPurposes: phrases.isEmpty ? [:] : ["note": "To write down a note word by word."],
            launchCommand: launchCommand, isCommandLine: permitsAlways)
    }

    /// A manifest that says the least of a program.
    public static func manifest(
        of program: String, as identifier: String = "org.example.notes", binding: Binding = .executable
    ) -> Manifest {
        Manifest(
            identifier: Self.identifier(identifier), name: "Notes", executablePath: program, binding: binding,
            usageDescriptions: [:],
            practices: DataPractices(kinds: [.liveAudio], purpose: "", retention: nil, recipients: nil))
    }

    /// The terms of a new grant while in use.
    /// - Parameter phrases: those that were agreed to.
    public static func terms(scope: Scope = .whileInUse, fidelity: Fidelity = .full, phrases: [String] = []) -> Terms {
        let now = Moment(wallAlone: Date())
        var terms = Terms(scope: scope, fidelity: fidelity, usedAt: now, reviewedAt: now)
        terms.agreed.phrases = phrases
        return terms
    }

    public static func requester(
        _ identifier: String = "org.example.Editor", user: UInt32 = 1000, process: Int32 = 100,
        sha256: String = "aa", describing resources: [Resource] = Resource.allCases,
        presence: Presence = .foreground, phrases: [String] = [], backgroundModes: [String] = [],
        kept: KeepingTimes = [:], recipients: [String]? = [], launchCommand: [String] = [], permitsAlways: Bool = true
    ) -> Requester {
        Requester(
            caller: Caller(
                process: ProcessIdentity(processIdentifier: process, startTime: 1), user: user,
                executable: Executable(path: "/usr/bin/editor", device: 1, inode: 2, sha256: sha256)),
            client: Client(
                manifest: manifest(
                    identifier, describing: resources, phrases: phrases, backgroundModes: backgroundModes,
                    kept: kept, recipients: recipients, launchCommand: launchCommand, permitsAlways: permitsAlways)),
            presence: presence)
    }
}

extension Prompt {
    /// A complete prompt of an invented client.
    public static func example(
        cookie: String = "cookie", client: String = "org.example.notes", resource: Resource = .microphone,
        name: String = "Notes", process: Int32 = 100, question: Question = .firstUse, phrases: [String] = []
    ) throws -> Prompt {
        guard let identifier = ClientIdentifier(rawValue: client) else { throw NotAnIdentifier() }
        let manifest = Manifest(
            identifier: identifier, name: name, executablePath: "/usr/bin/notes",
            usageDescriptions: [
                .microphone: "Listens while you hold the key.", .speechRecognition: "Writes down what you say.",
            ],
            practices: DataPractices(
                kinds: [.liveAudio, .transcript], purpose: "Writing notes.", retention: nil, recipients: []),
            phrases: phrases)
        let requester = Requester(
            caller: Caller(
                process: ProcessIdentity(processIdentifier: process, startTime: 1), user: 1000,
                executable: Executable(path: "/usr/bin/notes", device: 1, inode: 2, sha256: "00")),
            client: Client(manifest: manifest), presence: .foreground)
        guard let notice = Notice(client: requester.client, resource: resource, question: question) else {
            throw NotAnIdentifier()
        }
        return Prompt(cookie: cookie, requester: requester, resource: resource, question: question, notice: notice)
    }

    private struct NotAnIdentifier: Error {}
}

extension GateConfiguration {
    /// Asks as often as a client likes: for sequences of random answers, where many are not offered.
    public static var unhindered: GateConfiguration {
        var configuration = GateConfiguration()
        configuration.promptDelays = []
        return configuration
    }
}

extension Requester {
    /// What settings show about its client.
    public func settings(_ resource: Resource) -> Notice? {
        client.manifest.map { Notice(settingsOf: $0, resource: resource) }
    }
}
