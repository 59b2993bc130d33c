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
