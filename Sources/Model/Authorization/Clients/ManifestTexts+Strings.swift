import Foundation

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
