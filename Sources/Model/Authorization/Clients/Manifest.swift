import Foundation

/// What a client declares about itself: an Info.plist with Apple's keys and VoiceGate's four data items.
///
/// Read from a file by `Manifest(propertyList:)`; the keys are listed there.
public struct Manifest: Sendable, Hashable {
    /// `CFBundleIdentifier`
    public let identifier: ClientIdentifier
    /// `CFBundleDisplayName`, else `CFBundleName`, else the identifier.
    public internal(set) var name: String
    /// `CFBundleExecutable` as an absolute path: the program this manifest speaks for.
    public let executablePath: String
    /// `VoiceGateScript`, `VoiceGateFlatpakID`, `VoiceGateSnap`, `VoiceGateSystemdUnit`
    public let binding: Binding
    /// The usage descriptions that are there; a resource without one cannot be requested.
    public internal(set) var usageDescriptions: [Resource: String]
    /// `UIBackgroundModes`
    public let backgroundModes: [String]
    /// `VoiceGateDataKinds`, `VoiceGatePurpose`, `VoiceGateRetention`, `VoiceGateRecipients`,
    /// `VoiceGateKeptByService`
    public internal(set) var practices: DataPractices
    /// `VoiceGatePhrases`: all that the client gets at reduced fidelity.
    public let phrases: [String]
    /// `VoiceGateContextPhrases`: what is likely to be said to the client; recognised better, and never the only words that
    /// are.
    public let contextPhrases: [String]
    /// `VoiceGateDefaultFidelityReduced`: the client is content with its phrases, and a yes gives no more.
    public let prefersReducedFidelity: Bool
    /// `VoiceGateTemporaryFullFidelityUsageDescriptionDictionary`: purpose key → why full fidelity is needed for a while.
    public internal(set) var temporaryFullFidelityPurposes: [String: String]
    /// `VoiceGateLaunchCommand`: what a monitor starts, as arguments; empty: `executablePath`.
    public let launchCommand: [String]
    /// `CFBundleDevelopmentRegion`: the language the manifest is written in.
    public let developmentRegion: String?
    /// What it says in other languages; see `localized(in:)`.
    public var localizations: [Language: ManifestTexts]

    /// Whether a session that began in the foreground goes on in the background (`audio` in `UIBackgroundModes`).
    public var allowsBackgroundAudio: Bool { backgroundModes.contains("audio") }

    public init(
        identifier: ClientIdentifier, name: String, executablePath: String, binding: Binding = .executable,
        usageDescriptions: [Resource: String],
        backgroundModes: [String] = [], practices: DataPractices, phrases: [String] = [],
        contextPhrases: [String] = [],
        prefersReducedFidelity: Bool = false, temporaryFullFidelityPurposes: [String: String] = [:],
        launchCommand: [String] = [], developmentRegion: String? = nil,
        localizations: [Language: ManifestTexts] = [:]
    ) {
        self.identifier = identifier
        self.name = name
        self.executablePath = executablePath
        self.binding = binding
        self.usageDescriptions = usageDescriptions
        self.backgroundModes = backgroundModes
        self.practices = practices
        self.phrases = phrases
        self.contextPhrases = contextPhrases
        self.prefersReducedFidelity = prefersReducedFidelity
        self.temporaryFullFidelityPurposes = temporaryFullFidelityPurposes
        self.launchCommand = launchCommand
        self.developmentRegion = developmentRegion
        self.localizations = localizations
    }
}

extension Manifest {
    /// Reads what the manifest is bound to; the keys are listed at `init(propertyList:path:)`.
    static func binding(_ entries: ManifestEntries, executable: String) throws(ManifestError) -> Binding {
        let script = try path(entries, "VoiceGateScript")
        let sandboxes = ["VoiceGateFlatpakID", "VoiceGateSnap", "VoiceGateSystemdUnit"]
        var names: [String: String] = [:]
        for key in sandboxes { names[key] = try entries.string(key) }
        guard names.count <= 1 else {
            throw entries.invalid(sandboxes[1], "cannot stand beside \(sandboxes[0]) or \(sandboxes[2])")
        }
        if let name = names["VoiceGateFlatpakID"] {
            return .flatpak(try sandboxed(entries, "VoiceGateFlatpakID", name, script))
        }
        if let name = names["VoiceGateSnap"] { return .snap(try sandboxed(entries, "VoiceGateSnap", name, script)) }
        let isInterpreter = Interpreter(program: executable) != nil
        if let text = names["VoiceGateSystemdUnit"] {
            guard let unit = SystemdUnit(text) else {
                throw entries.invalid("VoiceGateSystemdUnit", "must be NAME.service or user/NAME.service")
            }
            if isInterpreter, script == nil, unit.manager == .user { throw missingScript(entries, executable) }
            return .unit(unit, script: script)
        }
        if let script { return .script(script) }
        if isInterpreter { throw missingScript(entries, executable) }
        return .executable
    }

    private static func path(_ entries: ManifestEntries, _ key: String) throws(ManifestError) -> String? {
        guard let path = try entries.string(key) else { return nil }
        guard path.hasPrefix("/"), !path.contains("\0") else { throw entries.invalid(key, "must be an absolute path") }
        return path
    }

    private static func sandboxed(
        _ entries: ManifestEntries, _ key: String, _ name: String, _ script: String?
    ) throws(ManifestError) -> String {
        guard SandboxName.isValid(name) else { throw entries.invalid(key, "is not such a name") }
        guard script == nil else {
            throw entries.invalid("VoiceGateScript", "cannot stand beside \(key), which speaks for all that runs in it")
        }
        return name
    }

    /// Else one script's manifest would speak for all the others.
    private static func missingScript(_ entries: ManifestEntries, _ executable: String) -> ManifestError {
        ManifestError(
            code: .missingKey, key: "VoiceGateScript", path: entries.path,
            message: "\(executable) is an interpreter, and the manifest does not say which script it is for. "
                + "Add VoiceGateScript with the script's absolute path.")
    }
}

/// What a caller must be for a manifest to speak for it.
public enum Binding: Sendable, Hashable {
    /// The program in `CFBundleExecutable`.
    case executable
    /// The script in `VoiceGateScript`, run by the interpreter in `CFBundleExecutable`.
    case script(String)
    /// `VoiceGateFlatpakID`
    case flatpak(String)
    /// `VoiceGateSnap`
    case snap(String)
    /// `VoiceGateSystemdUnit`, running the program in `CFBundleExecutable` and, where named, the script in
    /// `VoiceGateScript`.
    case unit(SystemdUnit, script: String?)
}

extension Manifest {
    /// `VoiceGateTemporaryFullFidelityUsageDescriptionDictionary`
    public static let purposesKey = "VoiceGateTemporaryFullFidelityUsageDescriptionDictionary"

    /// The manifest as a person who reads the language sees it.
    public func localized(in language: Language) -> Manifest {
        guard let texts = localizations[language] else { return self }
        var manifest = self
        manifest.name = texts.name ?? name
        for (resource, text) in texts.usageDescriptions where usageDescriptions[resource] != nil {
            manifest.usageDescriptions[resource] = text
        }
        if let purpose = texts.purpose {
            manifest.practices.purpose = purpose
        } else if practices.purpose == Self.purpose(of: usageDescriptions) {
            manifest.practices.purpose = Self.purpose(of: manifest.usageDescriptions)
        }
        // Whether something is kept is the manifest's word, and the same in every language.
        if practices.retention != nil, let retention = texts.retention { manifest.practices.retention = retention }
        for (key, text) in texts.temporaryFullFidelityPurposes where temporaryFullFidelityPurposes[key] != nil {
            manifest.temporaryFullFidelityPurposes[key] = text
        }
        return manifest
    }

    /// The purpose of a manifest that gives none: its descriptions.
    public static func purpose(of descriptions: [Resource: String]) -> String {
        let reasons = Resource.allCases.compactMap { descriptions[$0] }
        return reasons.dropFirst().first == reasons.first ? reasons.first ?? "" : reasons.joined(separator: " ")
    }
}

/// What a manifest says in another language, from `LANGUAGE.lproj/InfoPlist.strings` beside it. What is absent stays as
/// the manifest has it.
public struct ManifestTexts: Sendable, Hashable {
    /// `CFBundleDisplayName`, else `CFBundleName`.
    public var name: String?
    public var usageDescriptions: [Resource: String]
    /// `VoiceGatePurpose`
    public var purpose: String?
    /// `VoiceGateRetention`; counts only where the manifest itself declares a retention.
    public var retention: String?
    /// By purpose key; a key that the manifest does not have is ignored.
    public var temporaryFullFidelityPurposes: [String: String]

    public init(
        name: String? = nil, usageDescriptions: [Resource: String] = [:], purpose: String? = nil,
        retention: String? = nil, temporaryFullFidelityPurposes: [String: String] = [:]
    ) {
        self.name = name
        self.usageDescriptions = usageDescriptions
        self.purpose = purpose
        self.retention = retention
        self.temporaryFullFidelityPurposes = temporaryFullFidelityPurposes
    }
}

extension ManifestTexts {
    /// Reads an `InfoPlist.strings`: `"KEY" = "text";` in UTF-8, or a property list of strings.
    ///
    /// The text of a temporary purpose stands under its purpose key, as Apple has it.
    ///
    /// - Parameters:
    ///   - purposeKeys: of the manifest that it stands beside.
    ///   - path: the file it came from, for the error alone.
    public init(strings data: Data, purposeKeys: some Sequence<String>, path: String? = nil) throws(ManifestError) {
        let entries = ManifestEntries(dictionary: try Self.dictionary(data, path), path: path)
        let (displayName, bundleName) = (
            try entries.string("CFBundleDisplayName"), try entries.string("CFBundleName")
        )
        self.init(
            name: displayName ?? bundleName, purpose: try entries.string("VoiceGatePurpose"),
            retention: try entries.string("VoiceGateRetention"))
        for resource in Resource.allCases {
            usageDescriptions[resource] = try entries.string(resource.usageDescriptionKey)
        }
        for key in purposeKeys { temporaryFullFidelityPurposes[key] = try entries.string(key) }
    }

    private static func dictionary(_ data: Data, _ path: String?) throws(ManifestError) -> [String: Any] {
        guard data.count <= Manifest.sizeLimit, PropertyListBounds.checkStrings(data) == .withinBounds,
            let value = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
            let dictionary = value as? [String: Any]
        else {
            throw ManifestError(
                code: .notPropertyList, path: path,
                message: "The translation cannot be read. Write it in UTF-8, each line as \"KEY\" = \"text\";")
        }
        return dictionary
    }
}

/// Why a manifest cannot be used.
public struct ManifestError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Larger than `Manifest.sizeLimit`; nothing was parsed.
        case tooLarge
        /// Neither an XML nor a binary property list.
        case notPropertyList
        /// More levels or entries than a manifest has.
        case tooComplex
        /// The top level is not a dictionary.
        case notDictionary
        case missingKey
        case wrongType
        case invalidValue
    }

    public let code: Code
    /// The key it is about, where it is about one.
    public let key: String?
    /// The file, where known.
    public let path: String?
    /// What is wrong and what to do, as sentences.
    public let message: String

    public init(code: Code, key: String? = nil, path: String? = nil, message: String) {
        self.code = code
        self.key = key
        self.path = path
        self.message = message
    }

    public var description: String { path.map { "\($0): \(message)" } ?? message }
}
