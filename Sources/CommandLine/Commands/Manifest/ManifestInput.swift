import Authorization
import Foundation
import LinuxSystem
import ManifestLint

/// A manifest that was named on the command line.
struct ManifestInput: Sendable {
    let file: ManifestFile

    /// - Parameter argument: an Info.plist, or the folder it is in.
    init(_ argument: String) throws(CommandError) {
        do {
            let isFolder = try FileMetadata(path: argument).isDirectory
            let folder = argument.count > 1 && argument.hasSuffix("/") ? String(argument.dropLast()) : argument
            file = try ManifestFile(path: isFolder ? folder + "/Info.plist" : argument)
        } catch {
            throw CommandError(.noInput, .noInput, "\(error.path) cannot be read: \(error.reason).")
        }
    }

    func findings() -> [LintFinding] {
        ManifestLint(program: Self.facts).findings(
            manifest: file.data,
            translations: file.translations.map { Translation(language: $0.language, data: $0.data) })
    }

    /// The path of the file that a finding is about.
    func path(of finding: LintFinding) -> String {
        file.translations.first { $0.path.hasSuffix("/" + finding.file) }?.path ?? file.path
    }

    private static func facts(_ path: String) -> ProgramFacts? {
        guard let metadata = try? FileMetadata(path: path) else { return nil }
        return ProgramFacts(
            isExecutable: metadata.isRegularFile && metadata.mode & 0o111 != 0,
            isWritableByAll: metadata.isWritableByAll)
    }
}
