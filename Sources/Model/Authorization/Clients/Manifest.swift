import Foundation

/// A client's declaration about itself: an Info.plist with Apple's keys and VoiceGate's four data items.
public struct Manifest: Sendable, Hashable {
    public let identifier: ClientIdentifier
    public internal(set) var name: String
    /// The absolute path of the program that the manifest describes.
    public let executablePath: String
    public let binding: Binding
    /// A resource without a description cannot be requested.
    public internal(set) var usageDescriptions: [Resource: String]
    /// What the question about always shows instead.
    public internal(set) var alwaysUsageDescriptions: [Resource: String]
    public let backgroundModes: [String]
    public internal(set) var practices: DataPractices
    /// All that the client receives at reduced fidelity.
    public let phrases: [String]
    /// Likely phrases, which are recognised better. Other words are recognised too.
    public let contextPhrases: [String]
    /// A grant gives the client its phrases only.
    public let prefersReducedFidelity: Bool
    /// Purpose key → why the client needs full fidelity for one session.
    public internal(set) var temporaryFullFidelityPurposes: [String: String]
    /// The command that a monitor starts; empty: `executablePath`.
    public let launchCommand: [String]
    /// The language of the manifest.
    public let developmentRegion: String?
    public var localizations: [Language: ManifestTexts]

    /// A session that began in the foreground continues in the background.
    public var allowsBackgroundAudio: Bool { backgroundModes.contains("audio") }

    /// VoiceGate's own command line. What it does in the background is what the user bound to a key or a time.
    public let isCommandLine: Bool

    /// Something of it happens while it is not used. Without this it is never allowed more than while it is.
    public var declaresBackground: Bool { allowsBackgroundAudio || !launchCommand.isEmpty || isCommandLine }

    public init(
        identifier: ClientIdentifier, name: String, executablePath: String, binding: Binding = .executable,
        usageDescriptions: [Resource: String], alwaysUsageDescriptions: [Resource: String] = [:],
        backgroundModes: [String] = [], practices: DataPractices,
        phrases: [String] = [], contextPhrases: [String] = [], prefersReducedFidelity: Bool = false,
        temporaryFullFidelityPurposes: [String: String] = [:], launchCommand: [String] = [],
        developmentRegion: String? = nil, localizations: [Language: ManifestTexts] = [:], isCommandLine: Bool = false
    ) {
        self.identifier = identifier
        self.name = name
        self.executablePath = executablePath
        self.binding = binding
        self.usageDescriptions = usageDescriptions
        self.alwaysUsageDescriptions = alwaysUsageDescriptions
        self.backgroundModes = backgroundModes
        self.practices = practices
        self.phrases = phrases
        self.contextPhrases = contextPhrases
        self.prefersReducedFidelity = prefersReducedFidelity
        self.temporaryFullFidelityPurposes = temporaryFullFidelityPurposes
        self.launchCommand = launchCommand
        self.developmentRegion = developmentRegion
        self.localizations = localizations
        self.isCommandLine = isCommandLine
    }
}

extension Manifest {
    static func binding(_ entries: ManifestEntries, executable: String) throws(ManifestError) -> Binding {
        let script = try path(entries, "VoiceGateScript")
        let sandboxes = ["VoiceGateFlatpakID", "VoiceGateSnap", "VoiceGateSystemdUnit"]
        var names: [String: String] = [:]
        for key in sandboxes { names[key] = try entries.string(key) }
        guard names.count <= 1 else {
            throw entries.invalid(sandboxes[1], "cannot be combined with \(sandboxes[0]) or \(sandboxes[2])")
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
        guard SandboxName.isValid(name) else { throw entries.invalid(key, "is not a valid name") }
        guard script == nil else {
            throw entries.invalid(
                "VoiceGateScript", "cannot be combined with \(key), which covers every program in the sandbox")
        }
        return name
    }

    /// Without the script's path, one script's manifest would cover every script of the interpreter.
    private static func missingScript(_ entries: ManifestEntries, _ executable: String) -> ManifestError {
        ManifestError(
            code: .missingKey, key: "VoiceGateScript", path: entries.path,
            message: "\(executable) is an interpreter, and the manifest names no script. "
                + "Add VoiceGateScript with the script's absolute path.")
    }
}

/// The callers that a manifest describes.
public enum Binding: Sendable, Hashable {
    /// The program in `CFBundleExecutable`.
    case executable
    /// The script in `VoiceGateScript`, run by the interpreter in `CFBundleExecutable`.
    case script(String)
    /// `VoiceGateFlatpakID`
    case flatpak(String)
    /// `VoiceGateSnap`
    case snap(String)
    /// `VoiceGateSystemdUnit`, running `CFBundleExecutable` and, if given, `VoiceGateScript`.
    case unit(SystemdUnit, script: String?)
}

extension Manifest {
    public static let purposesKey = "VoiceGateTemporaryFullFidelityUsageDescriptionDictionary"

    /// The manifest with its texts in the language, as far as they are translated.
    public func localized(in language: Language) -> Manifest {
        guard let texts = localizations[language] else { return self }
        var manifest = self
        manifest.name = texts.name ?? name
        for (resource, text) in texts.usageDescriptions where usageDescriptions[resource] != nil {
            manifest.usageDescriptions[resource] = text
        }
        for (resource, text) in texts.alwaysUsageDescriptions where alwaysUsageDescriptions[resource] != nil {
            manifest.alwaysUsageDescriptions[resource] = text
        }
        if let purpose = texts.purpose {
            manifest.practices.purpose = purpose
        } else if practices.purpose == Self.purpose(of: usageDescriptions) {
            manifest.practices.purpose = Self.purpose(of: manifest.usageDescriptions)
        }
        // A translation cannot change whether anything is kept.
        if practices.retention != nil, let retention = texts.retention { manifest.practices.retention = retention }
        for (key, text) in texts.temporaryFullFidelityPurposes where temporaryFullFidelityPurposes[key] != nil {
            manifest.temporaryFullFidelityPurposes[key] = text
        }
        return manifest
    }

    /// The default purpose: the usage descriptions.
    public static func purpose(of descriptions: [Resource: String]) -> String {
        let reasons = Resource.allCases.compactMap { descriptions[$0] }
        return reasons.dropFirst().first == reasons.first ? reasons.first ?? "" : reasons.joined(separator: " ")
    }
}

/// The translation of a manifest, from `LANGUAGE.lproj/InfoPlist.strings` beside it. Absent texts remain the manifest's.
public struct ManifestTexts: Sendable, Hashable {
    public var name: String?
    public var usageDescriptions: [Resource: String]
    public var alwaysUsageDescriptions: [Resource: String] = [:]
    public var purpose: String?
    /// Ignored unless the manifest declares a retention.
    public var retention: String?
    /// Keys that the manifest does not have are ignored.
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
    /// The text of a temporary purpose has its purpose key as key, as in Apple's format.
    ///
    /// - Parameters:
    ///   - purposeKeys: the manifest's.
    ///   - path: the file, for the error.
    public init(strings data: Data, purposeKeys: some Sequence<String>, path: String? = nil) throws(ManifestError) {
        let entries = ManifestEntries(dictionary: try Self.dictionary(data, path), path: path)
        self.init(
            name: try entries.name(), purpose: try entries.shown("VoiceGatePurpose", NoticeBounds.description),
            retention: try entries.shown("VoiceGateRetention", NoticeBounds.retention))
        for resource in Resource.allCases {
            usageDescriptions[resource] = try entries.shown(resource.usageDescriptionKey, NoticeBounds.description)
            alwaysUsageDescriptions[resource] = try entries.shown(
                resource.alwaysUsageDescriptionKey, NoticeBounds.description)
        }
        for key in purposeKeys {
            temporaryFullFidelityPurposes[key] = try entries.shown(key, NoticeBounds.description)
        }
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
        /// Larger than `Manifest.sizeLimit`.
        case tooLarge
        /// Neither an XML nor a binary property list.
        case notPropertyList
        /// Too many levels or entries.
        case tooComplex
        /// The top level is not a dictionary.
        case notDictionary
        case missingKey
        case wrongType
        case invalidValue
        /// Longer than a notice shows.
        case tooLong
        /// Characters that a notice does not show.
        case hiddenCharacters
    }

    public let code: Code
    public internal(set) var key: String?
    /// The file, if known.
    public internal(set) var path: String?
    /// What is wrong and what to do.
    public let message: String

    public var description: String { path.map { "\($0): \(message)" } ?? message }
}
