import Authorization
import Foundation

/// A manifest as it lies on disk, with the translations beside it (`LANGUAGE.lproj/InfoPlist.strings`).
///
/// All of them together are within `Manifest.sizeLimit`; none is anything but a regular file.
public struct ManifestFile: Sendable {
    public struct Strings: Sendable, Hashable {
        /// The folder's name without `.lproj`.
        public let language: String
        public let path: String
        public let data: Data
    }

    /// Translations beside one manifest that are read.
    static let translationLimit = 50

    public let path: String
    public let data: Data
    /// Of an `Info.plist` alone: a manifest that is not in a folder of its own has none.
    public let translations: [Strings]

    /// One that came by another way than a file.
    ///
    /// - Parameter translations: language and bytes; within the bounds of a file.
    public init(data: Data, translations: [(language: String, data: Data)]) {
        path = "Info.plist"
        self.data = data
        self.translations = translations.map {
            Strings(language: $0.language, path: "\($0.language).lproj/InfoPlist.strings", data: $0.data)
        }
    }

    /// - Parameter distrust: says of a file or folder why it is not to be used; `nil`: it is.
    public init(path: String, distrust: (FileMetadata) -> String? = { _ in nil }) throws(FileError) {
        func read(_ path: String, _ limit: Int) throws(FileError) -> Data {
            let file = try RegularFile(path: path, limit: limit)
            if let reason = distrust(file.metadata) { throw FileError(code: .notAllowed, path: path, reason: reason) }
            return file.data
        }
        self.path = path
        data = try read(path, Manifest.sizeLimit)
        var translations: [Strings] = []
        var room = Manifest.sizeLimit - data.count
        for (language, folder) in try Self.translationFolders(beside: path) {
            let metadata = try FileMetadata(path: folder)
            if let reason = distrust(metadata) { throw FileError(code: .notAllowed, path: folder, reason: reason) }
            let strings = folder + "/InfoPlist.strings"
            do {
                let data = try read(strings, room)
                room -= data.count
                translations.append(Strings(language: language, path: strings, data: data))
            } catch  where error.code == .missing {
                // Apple's folders hold other resources too.
            }
        }
        self.translations = translations
    }

    /// - Throws: `ManifestError`, also for a translation that VoiceGate would show and cannot read.
    public func manifest() throws(ManifestError) -> Manifest {
        var manifest = try Manifest(propertyList: data, path: path)
        for strings in translations {
            guard let language = Language(tag: strings.language) else { continue }
            manifest.localizations[language] = try ManifestTexts(
                strings: strings.data, purposeKeys: manifest.temporaryFullFidelityPurposes.keys, path: strings.path)
        }
        return manifest
    }

    /// Whether translations lie beside a manifest.
    static func hasTranslations(beside path: String) -> Bool {
        folder(of: path).map { !translationFolders(in: $0).isEmpty } ?? false
    }

    static func translationFolders(in folder: String) -> [(language: String, path: String)] {
        let names = (try? Folder.names(in: folder.isEmpty ? "/" : folder, limit: 1_000)) ?? []
        return names.filter { $0.hasSuffix(".lproj") }.map {
            (String($0.dropLast(".lproj".count)), folder + "/" + $0)
        }
    }

    /// - Returns: `nil` for a manifest without a folder of its own.
    private static func folder(of path: String) -> String? {
        guard path.hasSuffix("/Info.plist") || path == "Info.plist" else { return nil }
        return path.contains("/") ? String(path.dropLast("/Info.plist".count)) : "."
    }

    private static func translationFolders(beside path: String) throws(FileError) -> [(String, String)] {
        guard let folder = folder(of: path) else { return [] }
        let folders = translationFolders(in: folder)
        guard folders.count <= translationLimit else {
            throw FileError(
                code: .tooLarge, path: path, reason: "it has more than \(translationLimit) translations beside it")
        }
        return folders
    }
}
