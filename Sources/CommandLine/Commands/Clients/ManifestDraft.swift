import ArgumentParser
import Authorization
import Foundation
import LinuxSystem

/// What a program does with speech, as `--for` names it.
enum ProgramUse: String, Sendable, Hashable, CaseIterable, ExpressibleByArgument {
    /// It listens and gets what is said as text.
    case dictation
    /// It sends sound files and gets their text.
    case files
    /// It listens, and gets only its own phrases.
    case commands

    var listens: Bool { self != .files }
    var resources: [Resource] { listens ? [.speechRecognition, .microphone] : [.speechRecognition] }
}

/// A manifest that is being written for a program.
struct ManifestDraft {
    let identifier: ClientIdentifier
    let executable: String
    /// The absolute path of the script that `executable` runs.
    let script: String?
    var name: String
    var use: ProgramUse
    /// What the program does with speech; `nil`: the template's.
    var purpose: String?
    var retention: String?
    var recipients: [String]
    var phrases: [String]
    /// Whether it also runs where nobody uses it, such as by cron.
    let runsInBackground: Bool
    /// Of templates, if no text decides.
    let language: Language

    /// - Parameter taken: identifiers of other programs.
    /// - Throws: `badManifest` for a program that only runs the code of others.
    init(
        _ planned: PlannedProgram, identifier: String?, taken: Set<ClientIdentifier>, options: ManifestTextOptions,
        language: Language
    ) throws(CommandError) {
        let program = planned.caller.executable
        switch planned.caller.evidence {
        case .script: (executable, script) = (planned.runner, program.path)
        case .executable: (executable, script) = (planned.runner, nil)
        case .flatpak, .snap, .interpreter, .untrusted:
            throw CommandError(
                .badManifest,
                "\(planned.path) runs code that cannot be identified, so it cannot be a client. Use a script that begins with "
                    + "#! and an interpreter's path (zsh needs -f), and name that script.")
        }
        if let identifier {
            let identifier = try require(
                ClientIdentifier(rawValue: identifier), .badManifest, status: .usage,
                "--id takes a bundle identifier, such as org.example.notes.")
            self.identifier = identifier
        } else {
            self.identifier = try Self.identifier(for: program.name, taken)
        }
        name = options.name ?? program.name
        (use, purpose, retention) = (options.use, options.purpose, options.retention)
        (recipients, phrases, runsInBackground) = (options.recipient, options.phrase, options.background)
        self.language = language
    }

    private static func identifier(
        for name: String, _ taken: Set<ClientIdentifier>
    ) throws(CommandError) -> ClientIdentifier {
        let allowed = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
        let base = "local." + (allowed.isEmpty ? "program" : String(allowed.prefix(100)))
        for number in 1...99 {
            let text = number == 1 ? base : "\(base)-\(number)"
            if let found = ClientIdentifier(rawValue: text), !taken.contains(found) { return found }
        }
        throw CommandError(.badManifest, "The identifier \(base) is taken. Choose a different one: --id IDENTIFIER")
    }

    /// That of the purpose, by its script.
    private var textLanguage: Language {
        guard let purpose else { return language }
        let scalars = purpose.unicodeScalars
        if scalars.contains(where: { (0xAC00...0xD7A3).contains($0.value) }) { return .korean }
        return scalars.contains { (0x3040...0x30FF).contains($0.value) } ? .japanese : .english
    }

    private var texts: ManifestWording { ManifestWording(language: textLanguage) }

    /// What the program does with speech, as the prompt shows it.
    var speechDescription: String { purpose ?? texts.purpose(use, name: name) }

    var propertyList: Data {
        get throws {
            var entries: [String: Any] = [
                "CFBundleIdentifier": identifier.rawValue, "CFBundleDisplayName": name,
                "CFBundleExecutable": executable, "CFBundleDevelopmentRegion": textLanguage.rawValue,
                "NSSpeechRecognitionUsageDescription": speechDescription,
                "VoiceGateDataKinds": use.listens ? ["liveAudio", "transcript"] : ["transcript"],
                "VoiceGateRecipients": recipients,
            ]
            entries["VoiceGateScript"] = script
            if use.listens { entries["NSMicrophoneUsageDescription"] = texts.microphone(name: name) }
            entries["VoiceGateRetention"] = retention
            if runsInBackground {
                entries["UIBackgroundModes"] = [BackgroundMode.audio.rawValue]
                for resource in use.resources { entries[resource.alwaysUsageDescriptionKey] = texts.always(name: name) }
            }
            if use == .commands {
                entries["VoiceGatePhrases"] = phrases
                entries["VoiceGateDefaultFidelityReduced"] = true
            }
            return try PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0)
        }
    }
}

/// The texts of a new manifest, as options.
struct ManifestTextOptions: ParsableArguments {
    @Option(
        name: .customLong("for"),
        help: .init("dictation, files, or commands (only its own phrases).", valueName: "use"))
    var use = ProgramUse.dictation

    @Option(help: .init("The name in prompts. (default: the file's)", valueName: "text"))
    var name: String?

    @Option(
        help: .init(
            "What the program does with what you say, as the prompt shows it, in English, Japanese or Korean.",
            valueName: "text"))
    var purpose: String?

    @Option(help: .init("How long it keeps that, such as “30 days”. (default: it keeps nothing)", valueName: "text"))
    var retention: String?

    @Option(help: .init("Who else gets it; may be repeated. (default: nobody)", valueName: "name"))
    var recipient: [String] = []

    @Option(help: .init("With --for commands: a phrase that it gets; may be repeated.", valueName: "phrase"))
    var phrase: [String] = []

    @Flag(help: "It also runs in the background, such as by cron.")
    var background = false

    func validate() throws {
        if use == .commands, phrase.isEmpty { throw ValidationError("--for commands requires --phrase.") }
        if use != .commands, !phrase.isEmpty { throw ValidationError("--phrase requires --for commands.") }
    }

    var areGiven: Bool { name != nil || purpose != nil || retention != nil || !recipient.isEmpty }
}
