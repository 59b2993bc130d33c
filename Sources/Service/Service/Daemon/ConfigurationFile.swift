import Authorization
import Consent
import Foundation
import LinuxSystem
import WyomingEngine
import Yams

/// `config.yaml`: what a person sets once. Every key may be absent; a key that is not known is an error, because a
/// misspelt one would otherwise be without effect.
struct ConfigurationFile: Decodable {
    /// ALSA's PCM name to capture from when a request names none.
    var device: String?
    /// Folder of the acoustic model, language model and dictionary.
    var model: String?
    /// A recogniser of another kind; absent: PocketSphinx.
    var engine: ConfiguredEngine?
    /// `engine` as one word: where an engine outside of the service gives the final text.
    var outsideEngine: EngineAddress?
    /// Recognisers kept warm; each holds about 100 MB.
    var warmRecognizers: Int?
    /// Recognisers that share the sound files, about 100 MB each; absent: one for each processor.
    var fileRecognizers: Int?
    /// The pause that ends an utterance, in seconds.
    var endSilence: Double?
    /// Seconds a person has to answer a prompt.
    var answerTimeout: Double?
    /// Days without use after which a yes ends.
    var unusedDays: Int?
    /// Days after which the person is asked whether a yes for always is to stay.
    var reviewDays: Int?
    /// Whether the desktop tells when a program listens in the background; default true.
    var notifications: Bool?
    /// How long VoiceGate's own command line has its transcripts kept; absent: not at all.
    var keepTranscripts: KeepingTime?
    /// How long VoiceGate's own command line has a profile of the person's voice kept; absent: not at all.
    var keepVoiceProfile: KeepingTime?
    /// Who answers for what is done with the data; without it each client does, under its own name.
    var controller: ConfiguredController?
    /// Whose law applies, such as `DE`.
    var jurisdiction: String?
    /// Verifier keys of the witnesses whose signatures below the log's checkpoints are kept.
    var witnesses: [String]?
    /// What the Wyoming door offers beside its Unix socket.
    var wyoming: ConfiguredWyoming?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case device, model, engine, warmRecognizers, fileRecognizers, endSilence, answerTimeout, unusedDays, reviewDays
        case notifications, controller, jurisdiction, keepTranscripts, keepVoiceProfile, witnesses, wyoming
    }

    private struct UnusableEngine: Error {}

    private struct UnusableKeepingTime: Error {
        let key: CodingKeys
    }

    private static let longest = 64 * 1024

    /// What VoiceGate's own command line has kept.
    var kept: KeepingTimes {
        var times: KeepingTimes = [:]
        times[.transcript] = keepTranscripts
        times[.voiceProfile] = keepVoiceProfile
        return times
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        device = try container.decodeIfPresent(String.self, forKey: .device)
        model = try container.decodeIfPresent(String.self, forKey: .model)
        if let text = try? container.decodeIfPresent(String.self, forKey: .engine) {
            guard let address = EngineAddress(text) else { throw UnusableEngine() }
            outsideEngine = address
        } else {
            engine = try container.decodeIfPresent(ConfiguredEngine.self, forKey: .engine)
        }
        warmRecognizers = try container.decodeIfPresent(Int.self, forKey: .warmRecognizers)
        fileRecognizers = try container.decodeIfPresent(Int.self, forKey: .fileRecognizers)
        endSilence = try container.decodeIfPresent(Double.self, forKey: .endSilence)
        unusedDays = try container.decodeIfPresent(Int.self, forKey: .unusedDays)
        reviewDays = try container.decodeIfPresent(Int.self, forKey: .reviewDays)
        answerTimeout = try container.decodeIfPresent(Double.self, forKey: .answerTimeout)
        notifications = try container.decodeIfPresent(Bool.self, forKey: .notifications)
        func keepingTime(_ key: CodingKeys) throws -> KeepingTime? {
            guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
            guard let time = KeepingTime(text) else { throw UnusableKeepingTime(key: key) }
            return time
        }
        keepTranscripts = try keepingTime(.keepTranscripts)
        keepVoiceProfile = try keepingTime(.keepVoiceProfile)
        controller = try container.decodeIfPresent(ConfiguredController.self, forKey: .controller)
        jurisdiction = try container.decodeIfPresent(String.self, forKey: .jurisdiction)
        witnesses = try container.decodeIfPresent([String].self, forKey: .witnesses)
        wyoming = try container.decodeIfPresent(ConfiguredWyoming.self, forKey: .wyoming)
    }

    /// - Parameter mustExist: whether the person named the file.
    static func read(_ path: String, mustExist: Bool) throws(ServiceError) -> ConfigurationFile {
        let data: Data
        do throws(FileError) {
            data = try RegularFile(path: path, limit: longest).data
        } catch {
            if error.code == .missing, !mustExist { return ConfigurationFile() }
            throw failure(path, error.reason)
        }
        let text = String(decoding: data, as: UTF8.self)
        do {
            guard let node = try compose(yaml: text), node.null == nil else { return ConfigurationFile() }
            guard let mapping = node.mapping else { throw failure(path, "it is not a list of keys and values") }
            let known = CodingKeys.allCases.map(\.rawValue)
            if let unknown = mapping.keys.compactMap(\.string).first(where: { !known.contains($0) }) {
                throw failure(
                    path, "“\(unknown)” is no key of it; the keys are \(known.joined(separator: ", "))")
            }
            let file = try YAMLDecoder().decode(ConfigurationFile.self, from: node)
            try file.check(path)
            return file
        } catch let error as ServiceError {
            throw error
        } catch let error as UnusableKeepingTime {
            throw failure(
                path,
                "\(error.key.rawValue) is untilWithdrawn, or one number with one unit of ISO 8601, such as P30D, of at most "
                    + "ten years")
        } catch is UnusableEngine {
            throw failure(
                path,
                "engine is wyoming:unix:///PATH or wyoming:tcp://HOST:PORT, of at most \(EngineAddress.longest) characters, "
                    + "or has a command")
        } catch {
            throw failure(path, "it cannot be read as YAML, or a value is of the wrong type")
        }
    }

    private func check(_ path: String) throws(ServiceError) {
        if let reason = wyoming?.problem { throw Self.failure(path, reason) }
        if let reason = engine?.problem { throw Self.failure(path, reason) }
        if let warmRecognizers, !(1...8).contains(warmRecognizers) {
            throw Self.failure(path, "warmRecognizers is a number from 1 to 8")
        }
        if let fileRecognizers, !(1...64).contains(fileRecognizers) {
            throw Self.failure(path, "fileRecognizers is a number from 1 to 64")
        }
        if let endSilence, !(0.2...5).contains(endSilence) {
            throw Self.failure(path, "endSilence is a number of seconds from 0.2 to 5")
        }
        if let answerTimeout, !(5...600).contains(answerTimeout) {
            throw Self.failure(path, "answerTimeout is a number of seconds from 5 to 600")
        }
        try checkDays(path)
        try checkWitnesses(path)
        try checkController(path)
    }

    private func checkController(_ path: String) throws(ServiceError) {
        if let controller, let reason = controller.problem { throw Self.failure(path, reason) }
        // ISO 3166: a country, or a part of one.
        if let jurisdiction, jurisdiction.wholeMatch(of: /[A-Z]{2}(-[A-Z0-9]{1,3})?/) == nil {
            throw Self.failure(path, "jurisdiction is a country's code such as DE, or a part of one such as US-CA")
        }
    }

    private func checkDays(_ path: String) throws(ServiceError) {
        for (key, days) in [("unusedDays", unusedDays), ("reviewDays", reviewDays)] {
            if let days, !(1...3650).contains(days) {
                throw Self.failure(path, "\(key) is a number of days from 1 to 3650")
            }
        }
    }

    static func failure(_ path: String, _ reason: String) -> ServiceError {
        ServiceError(
            code: .configuration,
            message: "The configuration \(path) cannot be used: \(reason). Correct it, or leave it away to use the "
                + "defaults.")
    }
}

/// A key of a mapping in `config.yaml`.
struct ConfigurationKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// A mapping that has no other keys than these: a misspelt one would otherwise be without effect.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for another key.
    func mapping(of known: Set<String>) throws -> KeyedDecodingContainer<ConfigurationKey> {
        let container = try container(keyedBy: ConfigurationKey.self)
        if let unknown = container.allKeys.first(where: { !known.contains($0.stringValue) }) {
            throw DecodingError.dataCorruptedError(
                forKey: unknown, in: container, debugDescription: "the keys here are \(known.sorted())")
        }
        return container
    }
}

/// `engine:` in `config.yaml`: a recogniser of another kind. It speaks the protocol of Documentation/Engines.md, and is locked
/// in by voicegate-engine before it begins.
struct ConfiguredEngine: Decodable {
    /// The program's path and its arguments; `--model FOLDER` follows.
    let command: [String]
    /// Folders and files that it may read, besides the system's programs and the model.
    var reads: [String] = []

    init(from decoder: any Decoder) throws {
        let container = try decoder.mapping(of: ["command", "reads"])
        command = try container.decode([String].self, forKey: "command")
        reads = try container.decodeIfPresent([String].self, forKey: "reads") ?? []
    }

    /// What cannot be used about it, or `nil`.
    var problem: String? {
        guard let program = command.first, (command + reads).allSatisfy({ !$0.isEmpty && $0.utf8.count <= 4_096 }),
            command.count <= 64, reads.count <= 64
        else {
            return "engine has a command, a list of the program and its arguments, and may have reads, a list of paths"
        }
        guard ([program] + reads).allSatisfy({ $0.hasPrefix("/") }) else {
            return "the program of engine, and what it reads, are named by whole paths, from / on"
        }
        return nil
    }

    /// What voicegate-engine is called with.
    func arguments(modelFolder: String) -> [String] {
        (reads + [modelFolder]).flatMap { ["--readable", $0] } + ["--"] + command
    }
}

/// `controller:` in `config.yaml`.
struct ConfiguredController: Decodable {
    let name: String
    var address: String?
    var contact: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.mapping(of: ["name", "address", "contact"])
        name = try container.decode(String.self, forKey: "name")
        address = try container.decodeIfPresent(String.self, forKey: "address")
        contact = try container.decodeIfPresent(String.self, forKey: "contact")
    }

    private static let longest = 200

    /// What cannot be used about it, or `nil`.
    var problem: String? {
        let texts = [name] + [address, contact].compactMap { $0 }
        return texts.allSatisfy { (1...Self.longest).contains($0.count) && DisplayText.cleaned($0, limit: 200) == $0 }
            ? nil : "controller has a name, and may have an address and a contact, each one line of 1 to 200 characters"
    }

    var value: Controller { Controller(name: name, address: address, contact: contact) }
}

/// `wyoming:` in `config.yaml`.
struct ConfiguredWyoming: Decodable {
    /// An address of this machine alone, such as `127.0.0.1:10300`; absent: the Unix socket only.
    var tcp: String?
    /// What the model recognises (BCP 47), where it is not one of the catalogue.
    var language: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.mapping(of: ["tcp", "language"])
        tcp = try container.decodeIfPresent(String.self, forKey: "tcp")
        language = try container.decodeIfPresent(String.self, forKey: "language")
    }

    /// What cannot be used about it, or `nil`. Whether the address can be had is found when it is listened on.
    var problem: String? {
        guard let language, language.wholeMatch(of: /[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*/) == nil else { return nil }
        return "the language of wyoming is a tag such as de or de-AT"
    }
}

extension ConfigurationFile {
    private static let mostWitnesses = 16

    /// The witnesses' keys; those that are none were refused when the file was read.
    var witnessKeys: [NoteVerifier] { (witnesses ?? []).compactMap(NoteVerifier.init(text:)) }

    func checkWitnesses(_ path: String) throws(ServiceError) {
        let texts = witnesses ?? []
        if let wrong = texts.first(where: { NoteVerifier(text: $0)?.algorithm != .cosignature }) {
            throw Self.failure(
                path, "“\(wrong)” under witnesses is no verifier key of a witness: name+identifier+base64, of type 04")
        }
        guard texts.count <= Self.mostWitnesses, Set(texts).count == texts.count else {
            throw Self.failure(path, "witnesses lists a key twice, or more than \(Self.mostWitnesses)")
        }
    }
}
