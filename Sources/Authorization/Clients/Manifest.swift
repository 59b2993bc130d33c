/// What a client declares about itself: an Info.plist with Apple's keys and VoiceGate's four data items.
///
/// Read from a file by `Manifest(propertyList:)`; the keys are listed there.
public struct Manifest: Sendable, Hashable {
    /// `CFBundleIdentifier`
    public let identifier: ClientIdentifier
    /// `CFBundleDisplayName`, else `CFBundleName`, else the identifier.
    public let name: String
    /// `CFBundleExecutable` as an absolute path: the program this manifest speaks for.
    public let executablePath: String
    /// The usage descriptions that are there; a resource without one cannot be requested.
    public let usageDescriptions: [Resource: String]
    /// `UIBackgroundModes`
    public let backgroundModes: [String]
    /// `VoiceGateDataKinds`, `VoiceGatePurpose`, `VoiceGateRetention`, `VoiceGateRecipients`
    public let practices: DataPractices

    public init(
        identifier: ClientIdentifier, name: String, executablePath: String, usageDescriptions: [Resource: String],
        backgroundModes: [String] = [], practices: DataPractices
    ) {
        self.identifier = identifier
        self.name = name
        self.executablePath = executablePath
        self.usageDescriptions = usageDescriptions
        self.backgroundModes = backgroundModes
        self.practices = practices
    }
}
