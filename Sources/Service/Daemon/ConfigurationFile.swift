import Authorization
import Base
import Consent
import Foundation
import LinuxSystem
import Server
import Speech
import WyomingEngine
import Yams

/// `config.yaml`. Every key may be absent; an unknown key is an error, because a misspelt one would have no effect.
struct ConfigurationFile: Decodable {
    /// ALSA's PCM name to capture from if a request names none.
    var device: String?
    /// Name or folder of PocketSphinx's acoustic model, language model and dictionary, or folder of the model of `engine`.
    var model: String?
    private var engineSetting: EngineSetting?
    /// Recognisers kept warm; each takes about 100 MB.
    var warmRecognizers: Int?
    /// Recognisers that share the sound files, about 100 MB each; absent: one for each processor.
    var fileRecognizers: Int?
    /// The pause that ends an utterance, in seconds.
    var endSilence: Double?
    /// Seconds a user has to answer a prompt.
    var answerTimeout: Double?
    /// Days without use after which a grant ends.
    var unusedDays: Int?
    /// Days after which the user is asked whether a grant for always is to stay.
    var reviewDays: Int?
    /// Whether the desktop notifies when a program listens in the background; default true.
    var notifications: Bool?
    private var keepTranscriptsText: String?
    private var keepMicrophoneProfileText: String?
    /// Who is responsible for the data; absent: each client, under its own name.
    var controller: Controller?
    /// Whose law applies, such as `DE`.
    var jurisdiction: String?
    private var witnessPolicyPath: String?
    /// Whose cosignatures of checkpoints are kept, and which a checkpoint needs before it counts as witnessed; absent: none.
    private(set) var witnessPolicy: WitnessPolicy?
    /// Minutes between checkpoints in the system's journal; absent: none.
    var journalMinutes: Int?
    /// What Wyoming has besides its Unix socket.
    var wyoming: ConfiguredWyoming?
    /// Who receives consent records; absent: no one.
    var collector: ConfiguredCollector?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case device, model
        case engineSetting = "engine"
        case warmRecognizers, fileRecognizers, endSilence, answerTimeout, unusedDays, reviewDays
        case notifications, controller, jurisdiction
        case keepTranscriptsText = "keepTranscripts"
        case keepMicrophoneProfileText = "keepMicrophoneProfile"
        case witnessPolicyPath = "witnessPolicy"
        case journalMinutes, wyoming, collector
    }

    private enum EngineSetting: Decodable {
        /// `nil`: the text is not an address.
        case outside(EngineAddress?)
        case program(ConfiguredEngine)

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self = .outside(EngineAddress(text))
            } else {
                self = .program(try ConfiguredEngine(from: decoder))
            }
        }
    }

    /// The keys of the file.
    static let keys = CodingKeys.allCases.map(\.stringValue)

    private static let longest = 64 * 1024

    /// A recogniser of another kind; `nil`: PocketSphinx.
    var engine: ConfiguredEngine? { if case .program(let engine) = engineSetting { engine } else { nil } }

    /// The engine outside of the service that makes the final text.
    var outsideEngine: EngineAddress? { if case .outside(let address) = engineSetting { address } else { nil } }

    /// How long transcripts of VoiceGate's own command are kept; `nil`: not at all.
    var keepTranscripts: KeepingTime? { keepTranscriptsText.flatMap { KeepingTime($0) } }

    /// How long the microphone profiles of VoiceGate's own command are kept; `nil`: not at all.
    var keepMicrophoneProfile: KeepingTime? { keepMicrophoneProfileText.flatMap { KeepingTime($0) } }

    var kept: KeepingTimes {
        var times: KeepingTimes = [:]
        times[.transcript] = keepTranscripts
        times[.microphoneProfile] = keepMicrophoneProfile
        return times
    }

    init() {}

    /// - Parameter mustExist: whether the user named the file.
    static func read(_ path: String, mustExist: Bool) throws(ServiceError) -> ConfigurationFile {
        let text: String
        do throws(FileError) {
            text = try RegularFile(path: path, limit: longest).text()
        } catch {
            if error.code == .missing, !mustExist { return ConfigurationFile() }
            throw failure(path, error.reason)
        }
        var file: ConfigurationFile
        var root: Node?
        do {
            root = try compose(yaml: text)
            guard let node = root, node.null == nil else { return ConfigurationFile() }
            guard node.mapping != nil else { throw failure(path, YAMLFault(notMapping: node, in: text).reason) }
            let unknown =
                unknownKey(in: node, keys)
                ?? unknownKey(in: node["engine"], ["command", "reads"])
                ?? unknownKey(in: node["controller"], ["name", "address", "contact"])
                ?? unknownKey(in: node["wyoming"], ["tcp", "language"])
                ?? unknownKey(in: node["collector"], ["url", "name", "purpose", "send"])
            if let unknown { throw failure(path, unknown) }
            file = try YAMLDecoder().decode(ConfigurationFile.self, from: node)
        } catch let error as ServiceError {
            throw error
        } catch {
            throw failure(path, YAMLFault(error, root, in: text).reason)
        }
        if let problem = file.problem { throw failure(path, problem) }
        do {
            file.witnessPolicy = try file.witnessPolicyPath.map {
                try WitnessPolicy(RegularFile(path: $0, limit: WitnessPolicy.maximumSize).data)
            }
        } catch let error as FileError {
            throw failure(path, "the witnessPolicy, \(file.witnessPolicyPath ?? ""): \(error.reason)")
        } catch {
            throw failure(path, "the witnessPolicy, \(file.witnessPolicyPath ?? ""), \(error)")
        }
        return file
    }

    /// - Parameter node: a mapping; any other node has no keys.
    private static func unknownKey(in node: Node?, _ known: [String]) -> String? {
        guard let key = node?.mapping?.keys.first(where: { $0.string.map { !known.contains($0) } ?? false }),
            let unknown = key.string
        else { return nil }
        return YAMLFault(blankInKey: key)?.reason
            ?? "“\(unknown)” is not a key.\(Suggestion.question(unknown, in: known)) The keys are "
            + known.joined(separator: ", ")
    }

    /// What cannot be used, or `nil`.
    private var problem: String? {
        if case .outside(nil) = engineSetting {
            return "engine is wyoming:unix:///PATH or wyoming:tcp://HOST:PORT, of at most \(EngineAddress.longest) "
                + "characters, or has a command"
        }
        for (key, text, time) in [
            ("keepTranscripts", keepTranscriptsText, keepTranscripts),
            ("keepMicrophoneProfile", keepMicrophoneProfileText, keepMicrophoneProfile),
        ] where text != nil && time == nil {
            return
                "\(key) is untilWithdrawn, or one number with one unit of ISO 8601, such as P30D, of at most ten years"
        }
        if engine != nil, let model, !model.hasPrefix("/") {
            return
                "model beside the command of engine is an absolute path, which that program gets as --model; names such as "
                + "“\(model.prefix(40))” are PocketSphinx's. Name the model's folder, or remove model"
        }
        let numbers: [(key: String, value: Double?, range: ClosedRange<Double>, meaning: String)] = [
            ("warmRecognizers", warmRecognizers.map(Double.init), 0...8, "a number from 0 to 8"),
            ("fileRecognizers", fileRecognizers.map(Double.init), 1...64, "a number from 1 to 64"),
            ("endSilence", endSilence, 0.2...5, "a number of seconds from 0.2 to 5"),
            ("answerTimeout", answerTimeout, 5...600, "a number of seconds from 5 to 600"),
            ("unusedDays", unusedDays.map(Double.init), 1...3650, "a number of days from 1 to 3650"),
            ("journalMinutes", journalMinutes.map(Double.init), 1...10_080, "a number of minutes from 1 to 10080"),
            ("reviewDays", reviewDays.map(Double.init), 1...3650, "a number of days from 1 to 3650"),
        ]
        for (key, value, range, meaning) in numbers {
            if let value, !range.contains(value) { return "\(key) is \(meaning)" }
        }
        // ISO 3166: a country, or a part of one.
        if let jurisdiction, jurisdiction.wholeMatch(of: /[A-Z]{2}(-[A-Z0-9]{1,3})?/) == nil {
            return "jurisdiction is a country's code such as DE, or a part of one such as US-CA"
        }
        if let witnessPolicyPath, !witnessPolicyPath.hasPrefix("/") {
            return "witnessPolicy is the absolute path of a file (c2sp.org/tlog-policy)"
        }
        return wyoming?.problem ?? engine?.problem ?? controller?.problem ?? collector?.problem
    }

    static func failure(_ path: String, _ reason: String) -> ServiceError {
        ServiceError(
            code: .configuration,
            message: "The configuration \(path) cannot be used: \(reason). Correct it, or remove it to use the "
                + "defaults.")
    }
}

/// `engine:` in `config.yaml`: a program with the protocol of Documentation/Engines.md, which voicegate-engine starts in a
/// sandbox.
struct ConfiguredEngine: Decodable {
    /// The program's path and its arguments; `--model FOLDER` follows if config.yaml names a model.
    let command: [String]
    /// Folders and files that it may read, besides the system's programs and the model.
    private var reads: [String]?

    var problem: String? {
        let reads = reads ?? []
        guard let program = command.first, (command + reads).allSatisfy({ !$0.isEmpty && $0.utf8.count <= 4_096 }),
            command.count <= 64, reads.count <= 64
        else {
            return "engine has a command, a list of the program and its arguments, and may have reads, a list of paths"
        }
        guard ([program] + reads).allSatisfy({ $0.hasPrefix("/") }) else {
            return "the program of engine, and what it reads, are named by absolute paths"
        }
        return nil
    }

    /// The arguments of voicegate-engine.
    func arguments(modelFolder: String?) -> [String] {
        ((reads ?? []) + [modelFolder].compactMap { $0 }).flatMap { ["--readable", $0] } + ["--"] + command
    }
}

/// `controller:` in `config.yaml`.
extension Controller {
    fileprivate var problem: String? {
        let texts = [name] + [address, contact].compactMap { $0 }
        return texts.allSatisfy { (1...200).contains($0.count) && DisplayText.cleaned($0, limit: 200) == $0 }
            ? nil : "controller has a name, and may have an address and a contact, each one line of 1 to 200 characters"
    }
}

/// `wyoming:` in `config.yaml`.
struct ConfiguredWyoming: Decodable {
    /// A loopback address, such as `127.0.0.1:10300`; absent: the Unix socket only.
    var tcp: String?
    /// The model's language (BCP 47), if the model is not in the catalogue.
    var language: String?

    /// What cannot be used about it, or `nil`. Whether the address is free is found when the service listens on it.
    var problem: String? {
        guard let language, language.wholeMatch(of: /[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*/) == nil else { return nil }
        return "the language of wyoming is a tag such as de or de-AT"
    }
}

/// `collector:` in `config.yaml`.
struct ConfiguredCollector: Decodable {
    let url: String
    private let name: String
    private let purpose: String
    /// Absent: proofs.
    private var send: RecordCollector.Sending?

    var collector: RecordCollector { RecordCollector(name: name, purpose: purpose, send: send ?? .proofs) }

    var problem: String? {
        guard [(name, 100), (purpose, 200)].allSatisfy({ !$0.isEmpty && DisplayText.cleaned($0, limit: $1) == $0 })
        else {
            return "collector has a url, a name of 1 to 100 characters and a purpose of 1 to 200, each one line"
        }
        guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty, url.utf8.count <= 500,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            parts.scheme == "https" || parts.scheme == "http" && Self.loopback.contains(host)
        else { return "the url of collector is https://HOST[:PORT][/PATH], or http:// to a loopback address" }
        return nil
    }

    private static let loopback = ["127.0.0.1", "[::1]", "localhost"]
}
