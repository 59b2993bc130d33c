import Authorization
import Foundation
import Glibc

/// A manifest on disk with its translations (`LANGUAGE.lproj/InfoPlist.strings`): regular files, within
/// `Manifest.sizeLimit` together.
public struct ManifestFile: Sendable {
    public struct Strings: Sendable, Hashable {
        /// The folder's name without `.lproj`.
        public let language: String
        public let path: String
        public let data: Data
    }

    static let translationLimit = 50

    public let path: String
    public let data: Data
    /// Only of an `Info.plist`: a manifest without its own folder has none.
    public let translations: [Strings]

    /// A manifest that was not read from a file.
    ///
    /// - Parameter translations: language and bytes; within the limits of a file.
    public init(data: Data, translations: [(language: String, data: Data)]) {
        path = "Info.plist"
        self.data = data
        self.translations = translations.map {
            Strings(language: $0.language, path: "\($0.language).lproj/InfoPlist.strings", data: $0.data)
        }
    }

    /// - Parameter distrust: returns why a file or folder must not be used; `nil`: it may be used.
    public init(path: String, distrust: (FileMetadata) -> String? = { _ in nil }) throws(FileError) {
        func read(_ path: String, _ limit: Int) throws(FileError) -> Data {
            let file = try RegularFile(path: path, limit: limit)
            if let reason = distrust(file.metadata) { throw FileError(code: .notAllowed, path: path, reason: reason) }
            return file.data
        }
        self.path = path
        data = try read(path, Manifest.sizeLimit)
        var translations: [Strings] = []
        var remaining = Manifest.sizeLimit - data.count
        for (language, folder) in try Self.translationFolders(beside: path) {
            let metadata = try FileMetadata(path: folder)
            if let reason = distrust(metadata) { throw FileError(code: .notAllowed, path: folder, reason: reason) }
            let strings = folder + "/InfoPlist.strings"
            do {
                let data = try read(strings, remaining)
                remaining -= data.count
                translations.append(Strings(language: language, path: strings, data: data))
            } catch  where error.code == .missing {
                // An .lproj folder may have only other resources.
            }
        }
        self.translations = translations
    }

    /// - Throws: `ManifestError`, also for an invalid translation in a supported language.
    public func manifest() throws(ManifestError) -> Manifest {
        var manifest = try Manifest(propertyList: data, path: path)
        for strings in translations {
            guard let language = Language(tag: strings.language) else { continue }
            manifest.localizations[language] = try ManifestTexts(
                strings: strings.data, purposeKeys: manifest.temporaryFullFidelityPurposes.keys, path: strings.path)
        }
        return manifest
    }

    static func hasTranslations(beside path: String) -> Bool {
        folder(of: path).map { !translationFolders(in: $0).isEmpty } ?? false
    }

    static func translationFolders(in folder: String) -> [(language: String, path: String)] {
        let names = (try? Folder.names(in: folder.isEmpty ? "/" : folder, limit: 1_000)) ?? []
        return names.filter { $0.hasSuffix(".lproj") }.map {
            (String($0.dropLast(".lproj".count)), folder + "/" + $0)
        }
    }

    /// - Returns: `nil` for a manifest without its own folder.
    private static func folder(of path: String) -> String? {
        guard path.hasSuffix("/Info.plist") || path == "Info.plist" else { return nil }
        return path.contains("/") ? String(path.dropLast("/Info.plist".count)) : "."
    }

    private static func translationFolders(beside path: String) throws(FileError) -> [(String, String)] {
        guard let folder = folder(of: path) else { return [] }
        let folders = translationFolders(in: folder)
        guard folders.count <= translationLimit else {
            throw FileError(
                code: .tooLarge, path: path, reason: "it has more than \(translationLimit) translations")
        }
        return folders
    }
}

extension Manifest {
    /// Whether the caller matches the manifest's binding. A sandboxed program never matches a program outside, and an
    /// interpreter never matches one of its scripts. Waits for the file systems that have the manifest's programs.
    public func matches(_ caller: Caller) -> Bool { (try? matches(caller, .small)) ?? false }

    /// The same without waiting; `nil` if it would have to.
    public func matchesAtOnce(_ caller: Caller) -> Bool? { try? matches(caller, .cached) }

    private func matches(_ caller: Caller, _ use: FileUse) throws(FileError) -> Bool {
        switch (binding, caller.evidence) {
        case (.flatpak(let name), .flatpak(let other)), (.snap(let name), .snap(let other)):
            return name == other
        case (.executable, .executable):
            return try Self.isFile(executablePath, caller.executable, of: caller, use)
        case (.script(let path), .script(let interpreter)):
            guard try Self.isFile(path, caller.executable, of: caller, use) else { return false }
            return try Self.isFile(executablePath, interpreter, of: caller, use)
        case (.unit(let unit, let script), let evidence):
            guard caller.unit == unit else { return false }
            return try runs(evidence, of: caller, script, isSystem: unit.manager == .system, use)
        default: return false
        }
    }

    private func runs(
        _ evidence: Evidence, of caller: Caller, _ script: String?, isSystem: Bool, _ use: FileUse
    ) throws(FileError) -> Bool {
        switch evidence {
        case .executable:
            guard script == nil else { return false }
            return try Self.isFile(executablePath, caller.executable, of: caller, use)
        case .script(let interpreter):
            guard try Self.isFile(executablePath, interpreter, of: caller, use) else { return false }
            guard let script else { return isSystem }
            return try Self.isFile(script, caller.executable, of: caller, use)
        case .interpreter:
            // Root controls what a system unit runs.
            guard script == nil, isSystem else { return false }
            return try Self.isFile(executablePath, caller.executable, of: caller, use)
        case .flatpak, .snap, .untrusted: return false
        }
    }

    /// - Throws: `mayWait` alone.
    private static func isFile(
        _ path: String, _ executable: Executable, of caller: Caller, _ use: FileUse
    ) throws(FileError) -> Bool {
        do {
            let file = try use.metadata(of: path)
            return file.isRegularFile && file.device == executable.device && file.inode == executable.inode
        } catch {
            guard error.code != .mayWait else { throw error }
            // The service may not read the folder, such as a user's home in enforced mode. The kernel's path of the caller's
            // program suffices: a grant is bound to that program's bytes in any case.
            return error.code == .notAllowed && path == executable.path && hasHostsFiles(caller)
        }
    }

    /// Whether the caller has the host's mount namespace; in a different one a path can refer to any file.
    private static func hasHostsFiles(_ caller: Caller) -> Bool {
        guard let host = LinkTarget.of("/proc/1/ns/mnt") else { return false }
        return LinkTarget.of("/proc/\(caller.process.processIdentifier)/ns/mnt") == host
    }
}

extension Caller {
    /// The caller as it is recorded in decisions: in a unit it is identified by the unit's name.
    public func identified(by manifest: Manifest?) -> Caller {
        guard case .unit(let unit, _)? = manifest?.binding else { return self }
        return Caller(
            process: process, user: user,
            executable: executable.named(NamingDigest.unit(unit, running: executable.sha256)),
            evidence: evidence, unit: unit, responsible: responsible)
    }
}

/// The manifests of repeated readings: unchanged files are not parsed again.
struct ManifestFiles: Sendable {
    private struct Known: Sendable {
        let metadata: FileMetadata
        let manifest: Manifest
    }

    /// The metadata of files whose changes the kernel does not report: links, and files with several names.
    private(set) var linked: [String: FileMetadata?] = [:]
    private var known: [String: Known] = [:]
    private var used: [String: Known] = [:]

    /// One of them changed so recently that another change might not be visible.
    private var isLinkedFresh = false

    private let isFresh: @Sendable (FileMetadata) -> Bool

    /// - Parameter isFresh: whether another change might not be visible; see `FileMetadata.isFresh`.
    init(isFresh: @escaping @Sendable (FileMetadata) -> Bool = \.isFresh) { self.isFresh = isFresh }

    /// The bytes of manifests that were read so far.
    private(set) var bytesRead = 0

    mutating func begin() {
        linked = [:]
        isLinkedFresh = false
    }

    /// Forgets the manifests that were not used since `begin()`.
    mutating func settle() {
        known = used
        used = [:]
    }

    /// - Parameter check: returns why the file must not be used, or `nil`.
    mutating func manifest(at path: String, check: (FileMetadata) -> String?) throws -> Manifest {
        note(path)
        let isTranslated = ManifestFile.hasTranslations(beside: path)
        let metadata = try FileMetadata(path: path)
        if let known = known[path], !isTranslated, metadata == known.metadata {
            used[path] = known
            return known.manifest
        }
        let file = try ManifestFile(path: path, distrust: check)
        bytesRead += file.data.count
        let manifest = try file.manifest()
        if !isTranslated, !isFresh(metadata) { used[path] = Known(metadata: metadata, manifest: manifest) }
        return manifest
    }

    /// Notes a link or a file with several names.
    mutating func note(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        if isLink || status.st_mode & S_IFMT == S_IFREG && status.st_nlink > 1 { follow(path) }
    }

    /// Notes a folder whose path includes a link.
    mutating func noteLinks(to path: String) {
        if let real = RealPath.of(path), real != path { follow(path) }
    }

    private mutating func follow(_ path: String) {
        let metadata = try? FileMetadata(path: path)
        linked[path] = .some(metadata)
        isLinkedFresh = isLinkedFresh || metadata.map(isFresh) == true
    }

    /// - Throws: `mayWait` if that cannot be found out by this use.
    func haveChanged(_ use: FileUse) throws(FileError) -> Bool {
        if isLinkedFresh { return true }
        for (path, metadata) in linked {
            do {
                guard try use.metadata(of: path) == metadata else { return true }
            } catch {
                guard error.code != .mayWait else { throw error }
                if metadata != nil { return true }
            }
        }
        return false
    }
}
