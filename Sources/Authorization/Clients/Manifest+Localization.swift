extension Manifest {
    /// `VoiceGateTemporaryFullFidelityUsageDescriptionDictionary`
    public static let purposesKey = "VoiceGateTemporaryFullFidelityUsageDescriptionDictionary"

    /// The manifest as a person who reads the language sees it.
    public func localized(in language: Language) -> Manifest {
        guard let texts = localizations[language] else { return self }
        let descriptions = usageDescriptions.merging(
            texts.usageDescriptions.filter { usageDescriptions[$0.key] != nil }
        ) { _, own in own }
        var practices = practices
        if let purpose = texts.purpose {
            practices.purpose = purpose
        } else if practices.purpose == Self.purpose(of: usageDescriptions) {
            practices.purpose = Self.purpose(of: descriptions)
        }
        // Whether something is kept is the manifest's word, and the same in every language.
        if practices.retention != nil { practices.retention = texts.retention ?? practices.retention }
        let purposes = temporaryFullFidelityPurposes.merging(
            texts.temporaryFullFidelityPurposes.filter { temporaryFullFidelityPurposes[$0.key] != nil }
        ) { _, own in own }
        return Manifest(
            identifier: identifier, name: texts.name ?? name, executablePath: executablePath,
            usageDescriptions: descriptions, backgroundModes: backgroundModes, practices: practices, phrases: phrases,
            prefersReducedFidelity: prefersReducedFidelity, temporaryFullFidelityPurposes: purposes,
            launchCommand: launchCommand, developmentRegion: developmentRegion, localizations: localizations)
    }

    /// The purpose of a manifest that gives none: its descriptions.
    static func purpose(of descriptions: [Resource: String]) -> String {
        let reasons = Resource.allCases.compactMap { descriptions[$0] }
        return reasons.dropFirst().first == reasons.first ? reasons.first ?? "" : reasons.joined(separator: " ")
    }
}
