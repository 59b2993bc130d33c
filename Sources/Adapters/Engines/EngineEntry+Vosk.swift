import Foundation
import LinuxSystem
import Speech

/// Models of Vosk in folders, as its makers publish them for some twenty languages.
extension EngineEntry {
    /// The file that shows that a folder is a model of Vosk.
    public static let voskMark = "am/final.mdl"

    /// A model of Vosk in a folder: it has the files that are there now, and the library of the catalogue's engines runs it.
    ///
    /// - Parameters:
    ///   - id: its name; `nil`: the folder's.
    ///   - language: BCP 47; `nil`: as the folder's name or its README says.
    ///   - source: where it comes from; `nil`: the folder.
    /// - Throws: `unusable`, also if the language is not known; `inputOutput`.
    public init(
        vosk folder: VerifiedFolder, id: String?, language: String?, source: String? = nil,
        _ catalogue: EngineCatalogue
    ) throws(VerifiedFolderError) {
        let name = (folder.path as NSString).lastPathComponent
        guard let language = language ?? VoskModelName(name).language ?? Self.languageOfReadme(in: folder) else {
            throw VerifiedFolderError(
                code: .unusable,
                message: "Neither the name \(name.prefix(80)) nor a README says which language the model has. Add "
                    + "--language, such as  --language ja")
        }
        guard let engine = catalogue.engines.first(where: { $0.family == .vosk }) else {
            throw VerifiedFolderError(code: .unusable, message: "The catalogue has no library for models of Vosk.")
        }
        let (files, digest) = try Self.files(of: folder)
        let model = VoskModelName(name).version.map { "\(language) \($0)" } ?? language
        let isDynamic = files.contains { $0.name == "graph/HCLr.fst" }
        self.init(
            id: id ?? name.lowercased(), name: "Vosk \(model)",
            version: digest, description: "A model of Vosk in a folder.", source: source ?? folder.path,
            languages: [language], tasks: isDynamic ? ["dictation", "phrases", "grammar"] : ["dictation"],
            inputs: ["live", "file"], partialTexts: true, wordTimes: true, confidences: true,
            recognizer: ["family": EngineFamily.vosk.rawValue],
            licences: Licences(code: ["Apache-2.0"], weights: "not stated"), free: true,
            // Of the Korean model 2.2 times the files.
            memory: 2 * folder.bytes + 200_000_000, measured: nil, package: nil, folder: nil, files: files,
            artefacts: engine.artefacts.filter { $0.contents.contains { $0.name == "libvosk.so" } }, derived: nil)
        try check()
    }

    /// Such as `Small Japanese for Vosk`.
    private static func languageOfReadme(in folder: VerifiedFolder) -> String? {
        guard folder.files.contains("README"),
            let data = try? RegularFile(path: folder.path + "/README", limit: 1 << 16).data
        else { return nil }
        let words = String(decoding: data.prefix(400), as: UTF8.self).split { !$0.isLetter }
        return words.lazy.filter { $0.count > 3 && $0.first?.isUppercase == true }
            .compactMap { SpokenLanguage(englishName: String($0))?.code }.first
    }
}

/// A folder of Vosk's makers: `vosk-model-small-en-us-0.15`, `vosk-model-cn-0.22`.
struct VoskModelName {
    let language: String?
    let version: String?

    /// Where the makers write something else than BCP 47 does.
    private static let codes = ["cn": "zh", "kz": "kk", "vn": "vi", "ua": "uk", "cz": "cs", "tl-ph": "fil"]

    init(_ name: String) {
        var parts = name.lowercased().split(separator: "-").map(String.init)
        guard parts.starts(with: ["vosk", "model"]) else {
            (language, version) = (nil, nil)
            return
        }
        parts.removeFirst(2)
        if parts.first == "small" { parts.removeFirst() }
        version = parts.first { $0.wholeMatch(of: /v?[0-9]+(\.[0-9]+)*/) != nil }
        guard let code = parts.first else {
            language = nil
            return
        }
        // `en-us`, but not `de-tuda` or `pt-fb`.
        let region = parts.dropFirst().first.flatMap { ["us", "in", "gr", "tn", "ph"].contains($0) ? $0 : nil }
        let tag = Self.codes["\(code)-\(region ?? "")"] ?? region.map { "\(code)-\($0.uppercased())" }
        let known = Self.codes[code] ?? tag ?? code
        language = SpokenLanguage(tag: known).flatMap { $0.name == nil ? nil : known }
    }
}
