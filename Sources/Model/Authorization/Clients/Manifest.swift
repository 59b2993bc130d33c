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
