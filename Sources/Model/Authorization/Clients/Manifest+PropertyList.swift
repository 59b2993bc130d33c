import Base
import Foundation

extension Manifest {
    /// Bytes. The Info.plist of a large application has about 10 kB.
    public static let sizeLimit = 256_000

    /// Reads an Info.plist, XML (UTF-8) or binary. The keys are described in `Documentation/Manifest.md`; others are ignored.
    ///
    /// - Parameter path: the file, for the error.
    public init(propertyList data: Data, path: String? = nil) throws(ManifestError) {
        let entries = ManifestEntries(dictionary: try Self.dictionary(data, path), path: path)
        let identifierText = try entries.requiredString("CFBundleIdentifier")
        guard let identifier = ClientIdentifier(rawValue: identifierText) else {
            throw entries.invalid(
                "CFBundleIdentifier", "must be 1 to 155 of the characters A–Z, a–z, 0–9, “-” and “.”")
        }
        guard !identifier.isUnregistered else {
            throw entries.invalid(
                "CFBundleIdentifier", "must not begin with “unregistered.”, which marks programs without a manifest")
        }
        let executable = try entries.requiredString("CFBundleExecutable")
        guard executable.hasPrefix("/"), !executable.contains("\0") else {
            throw entries.invalid("CFBundleExecutable", "must be an absolute path")
        }
        var descriptions: [Resource: String] = [:]
        var alwaysDescriptions: [Resource: String] = [:]
        for resource in Resource.allCases {
            descriptions[resource] = try entries.shown(resource.usageDescriptionKey, NoticeBounds.description)
            alwaysDescriptions[resource] = try entries.shown(
                resource.alwaysUsageDescriptionKey, NoticeBounds.description)
        }
        let phrases = try Self.phrases(entries, "VoiceGatePhrases", most: 200)
        for phrase in phrases { try entries.check(phrase, "VoiceGatePhrases", NoticeBounds.phrase) }
        guard phrases.reduce(0, { $0 + $1.count }) <= NoticeBounds.phrases else {
            throw entries.invalid(
                "VoiceGatePhrases", "may have at most \(NoticeBounds.phrases) characters in all phrases together")
        }
        let prefersReduced = try entries.boolean("VoiceGateDefaultFidelityReduced") ?? false
        guard !prefersReduced || !phrases.isEmpty else {
            throw entries.invalid("VoiceGateDefaultFidelityReduced", "needs VoiceGatePhrases")
        }
        self.init(
            identifier: identifier, name: try entries.name() ?? identifier.rawValue,
            executablePath: executable, binding: try Self.binding(entries, executable: executable),
            usageDescriptions: descriptions, alwaysUsageDescriptions: alwaysDescriptions,
            backgroundModes: try entries.strings("UIBackgroundModes") ?? [],
            practices: try Self.practices(entries, descriptions), phrases: phrases,
            contextPhrases: try Self.phrases(entries, "VoiceGateContextPhrases", most: 500),
            prefersReducedFidelity: prefersReduced,
            temporaryFullFidelityPurposes: try Self.purposes(entries),
            launchCommand: try Self.launchCommand(entries),
            developmentRegion: try entries.string("CFBundleDevelopmentRegion"))
    }

    private static func phrases(
        _ entries: ManifestEntries, _ key: String, most: Int
    ) throws(ManifestError) -> [String] {
        let phrases = try entries.strings(key) ?? []
        // Bounded in bytes first, because counting characters walks the text.
        guard phrases.count <= most, phrases.allSatisfy({ $0.utf8.count <= 800 && (1...200).contains($0.count) }) else {
            throw entries.invalid(key, "may contain at most \(most) phrases of 1 to 200 characters")
        }
        return phrases
    }

    private static func purposes(_ entries: ManifestEntries) throws(ManifestError) -> [String: String] {
        let purposes = try entries.dictionaryOfStrings(purposesKey) ?? [:]
        for text in purposes.values { try entries.check(text, purposesKey, NoticeBounds.description) }
        return purposes
    }

    private static func recipients(_ entries: ManifestEntries) throws(ManifestError) -> [String]? {
        let key = "VoiceGateRecipients"
        guard let recipients = try entries.strings(key) else { return nil }
        guard recipients.count <= NoticeBounds.recipients else {
            throw entries.invalid(
                key,
                "may name at most \(NoticeBounds.recipients) recipients. Name groups of them, such as “advertising "
                    + "networks of Example GmbH”")
        }
        for recipient in recipients { try entries.check(recipient, key, NoticeBounds.recipient) }
        return recipients
    }

    private static func launchCommand(_ entries: ManifestEntries) throws(ManifestError) -> [String] {
        let words = try entries.strings("VoiceGateLaunchCommand") ?? []
        if let program = words.first, !program.hasPrefix("/") || words.contains(where: { $0.contains("\0") }) {
            throw entries.invalid("VoiceGateLaunchCommand", "must begin with the absolute path of a program")
        }
        for word in words { try entries.check(word, "VoiceGateLaunchCommand", 4_096) }
        // Each grant keeps it.
        guard words.reduce(0, { $0 + $1.utf8.count }) <= 4_096 else {
            throw entries.invalid("VoiceGateLaunchCommand", "may have at most 4096 bytes")
        }
        return words
    }

    private static func practices(
        _ entries: ManifestEntries, _ descriptions: [Resource: String]
    ) throws(ManifestError) -> DataPractices {
        var kinds: [DataKind] = []
        for word in try entries.strings("VoiceGateDataKinds") ?? [
            DataKind.liveAudio.rawValue, DataKind.transcript.rawValue,
        ] {
            guard let kind = DataKind(rawValue: word) else {
                let known = DataKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw entries.invalid("VoiceGateDataKinds", "may only contain \(known)")
            }
            if !kinds.contains(kind) { kinds.append(kind) }
        }
        // Both resources collect audio, so an empty list cannot be true.
        guard !kinds.isEmpty else { throw entries.invalid("VoiceGateDataKinds", "must name at least one kind") }
        return DataPractices(
            kinds: kinds,
            purpose: try entries.shown("VoiceGatePurpose", NoticeBounds.description) ?? purpose(of: descriptions),
            retention: try entries.shown("VoiceGateRetention", NoticeBounds.retention),
            recipients: try recipients(entries), keptByService: try keptByService(entries))
    }

    private static func keptByService(_ entries: ManifestEntries) throws(ManifestError) -> KeepingTimes {
        let key = "VoiceGateKeptByService"
        var times: KeepingTimes = [:]
        for (word, text) in try entries.dictionaryOfStrings(key) ?? [:] {
            guard let kind = DataKind(rawValue: word), kind != .liveAudio else {
                let known = DataKind.allCases.filter { $0 != .liveAudio }.map(\.rawValue).joined(separator: ", ")
                throw entries.invalid(key, "may only have the keys \(known)")
            }
            guard let time = KeepingTime(text) else {
                throw entries.invalid(
                    key,
                    "must give \(word) either untilWithdrawn or one number with one unit of ISO 8601, such as P30D or "
                        + "PT12H, of at most ten years")
            }
            times[kind] = time
        }
        return times
    }

    private static func dictionary(_ data: Data, _ path: String?) throws(ManifestError) -> [String: Any] {
        guard data.count <= sizeLimit else {
            throw ManifestError(
                code: .tooLarge, path: path,
                message: "The manifest is larger than \(sizeLimit / 1000) kB. Use an Info.plist of a client.")
        }
        switch PropertyListBounds.check(data) {
        case .withinBounds: break
        case .tooComplex:
            throw ManifestError(
                code: .tooComplex, path: path,
                message: "The manifest has too many levels or entries. Remove keys that a manifest does not need.")
        case .notPropertyList: throw notPropertyList(path)
        }
        let value: Any
        do {
            value = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        } catch {
            throw notPropertyList(path)
        }
        guard let dictionary = value as? [String: Any] else {
            throw ManifestError(
                code: .notDictionary, path: path,
                message: "The manifest's top level is not a dictionary. Put its keys into one <dict>.")
        }
        return dictionary
    }

    private static func notPropertyList(_ path: String?) -> ManifestError {
        ManifestError(
            code: .notPropertyList, path: path,
            message: "The manifest is not a property list. Write it as an Info.plist, XML in UTF-8 or binary.")
    }
}

/// The dictionary of a manifest. Each error names its key.
struct ManifestEntries {
    let dictionary: [String: Any]
    let path: String?

    func requiredString(_ key: String) throws(ManifestError) -> String {
        guard let text = try string(key) else {
            throw ManifestError(
                code: .missingKey, key: key, path: path, message: "The manifest lacks \(key). Add it as a string.")
        }
        return text
    }

    func name() throws(ManifestError) -> String? {
        let (displayName, bundleName) = (try name("CFBundleDisplayName"), try name("CFBundleName"))
        return displayName ?? bundleName
    }

    private func name(_ key: String) throws(ManifestError) -> String? {
        guard let name = try shown(key, NoticeBounds.name) else { return nil }
        // The titles of notices have it in quotation marks, which ‘ and ’ are not.
        let marks = name.unicodeScalars.filter { DisplayText.isQuotationMark($0) && $0 != "‘" && $0 != "’" }
        guard marks.isEmpty else {
            throw invalid(key, "must not contain quotation marks (such as “, ”, 「 or 」) except ', \", ‘ and ’")
        }
        return name
    }

    /// A text that notices show; `nil` if the key is missing or its text is blank.
    func shown(_ key: String, _ limit: Int) throws(ManifestError) -> String? {
        guard let text = try string(key) else { return nil }
        try check(text, key, limit)
        return text
    }

    /// - Throws: unless a notice shows the whole text.
    func check(_ text: String, _ key: String, _ limit: Int) throws(ManifestError) {
        // Bounded in bytes first, because counting characters walks the text.
        guard text.utf8.count <= limit * 16, text.count <= limit else {
            throw ManifestError(
                code: .tooLong, key: key, path: path,
                message: "The manifest's \(key) has a text that is longer than a prompt shows. "
                    + "Shorten it to \(limit) characters.")
        }
        guard let hidden = DisplayText.firstHidden(in: text) else { return }
        throw ManifestError(
            code: .hiddenCharacters, key: key, path: path,
            message:
                "The manifest's \(key) contains a character that cannot be seen, or that changes the text around it "
                + "(U+\(String(hidden.value, radix: 16, uppercase: true))). Remove it.")
    }

    /// - Returns: `nil` if the key is missing or its text is blank.
    func string(_ key: String) throws(ManifestError) -> String? {
        guard let value = dictionary[key] else { return nil }
        guard let text = value as? String else { throw wrongType(key, "a string") }
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    func strings(_ key: String) throws(ManifestError) -> [String]? {
        guard let value = dictionary[key] else { return nil }
        guard let texts = value as? [String] else { throw wrongType(key, "an array of strings") }
        return texts
    }

    func boolean(_ key: String) throws(ManifestError) -> Bool? {
        guard let value = dictionary[key] else { return nil }
        guard let flag = value as? Bool else { throw wrongType(key, "true or false") }
        return flag
    }

    func dictionaryOfStrings(_ key: String) throws(ManifestError) -> [String: String]? {
        guard let value = dictionary[key] else { return nil }
        guard let texts = value as? [String: String] else { throw wrongType(key, "a dictionary of strings") }
        return texts
    }

    func invalid(_ key: String, _ rule: String) -> ManifestError {
        ManifestError(code: .invalidValue, key: key, path: path, message: "The manifest's \(key) \(rule).")
    }

    private func wrongType(_ key: String, _ type: String) -> ManifestError {
        ManifestError(
            code: .wrongType, key: key, path: path,
            message: "The manifest's \(key) has the wrong type. Make it \(type).")
    }
}

/// The most of each text that a notice shows, in characters. A manifest with more is refused, because a notice never cuts what a
/// grant depends on.
enum NoticeBounds {
    static let name = 60
    /// Also of a purpose and a text for always.
    static let description = 400
    static let retention = 200
    static let recipient = 100
    /// Their number.
    static let recipients = 20
    static let phrase = 200
    /// All of them together.
    static let phrases = 8_000
}
