import Authorization
import Foundation

/// A manifest that was read, as far as it can be.
struct LintSubject {
    let manifest: Manifest
    /// Keys that are there.
    let keys: Set<String>
    let translations: [(file: String, language: String, texts: ManifestTexts)]

    /// A key that cannot be used is reported and taken out, so that the others are looked at too.
    static func read(_ data: Data, _ translations: [Translation]) -> (LintSubject?, [LintFinding]) {
        var findings: [LintFinding] = []
        let file = ManifestLint.manifestFile
        var data = data
        var replaced: Set<String> = []
        while true {
            do {
                let manifest = try Manifest(propertyList: data)
                let keys = Set(dictionary(data)?.keys ?? [:].keys).subtracting(replaced)
                let (texts, problems) = texts(translations, of: manifest)
                return (LintSubject(manifest: manifest, keys: keys, translations: texts), findings + problems)
            } catch {
                findings.append(LintFinding(rule(error.code), file, error.key, error.message))
                guard let key = error.key, replaced.insert(key).inserted, var entries = dictionary(data) else {
                    return (nil, findings)
                }
                entries[key] = substitutes[key]
                guard
                    let rest = try? PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0)
                else { return (nil, findings) }
                data = rest
            }
        }
    }

    /// For keys without which nothing can be read.
    private static let substitutes = [
        "CFBundleIdentifier": "unknown", "CFBundleExecutable": "/", "VoiceGateScript": "/",
    ]

    private static func dictionary(_ data: Data) -> [String: Any]? {
        try? PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [String: Any]
    }

    private static func rule(_ code: ManifestError.Code) -> LintRule {
        switch code {
        case .tooLarge, .notPropertyList, .tooComplex, .notDictionary: .unreadable
        case .missingKey: .missingKey
        case .wrongType, .invalidValue: .wrongValue
        }
    }

    private static func texts(
        _ translations: [Translation], of manifest: Manifest
    ) -> ([(file: String, language: String, texts: ManifestTexts)], [LintFinding]) {
        var read: [(file: String, language: String, texts: ManifestTexts)] = []
        var findings: [LintFinding] = []
        for translation in translations {
            do {
                let texts = try ManifestTexts(
                    strings: translation.data, purposeKeys: manifest.temporaryFullFidelityPurposes.keys)
                read.append((translation.file, translation.language, texts))
            } catch {
                findings.append(LintFinding(rule(error.code), translation.file, error.key, error.message))
            }
        }
        return (read, findings)
    }
}
