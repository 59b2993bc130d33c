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
