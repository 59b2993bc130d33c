import Foundation
import LinuxSystem
import Yams

/// `engines.yaml`: the engines outside of the service that an administrator allows although they are on another host, or
/// served by another user. Policies can only deny; this is the one thing that is allowed, and it is no permission of any
/// client: the person is asked about each of these engines all the same.
///
/// ```yaml
/// allow:
///   - tcp://whisper.example:10300
///   - unix:///run/whisper/whisper.sock
/// ```
public struct EnginePermissions: Sendable, Hashable {
    /// Locations as they are written; no patterns.
    public let allowed: Set<String>

    private static let sizeLimit = 64_000
    private static let entryLimit = 100

    /// - Parameter path: need not exist.
    /// - Throws: where the file cannot be used, or somebody else than root could have written it.
    public init(path: String) throws(PolicyFileError) {
        let file: RegularFile
        do throws(FileError) {
            file = try RegularFile(path: path, limit: Self.sizeLimit)
        } catch {
            guard error.code == .missing else {
                throw PolicyFileError(code: .unreadable, message: "\(path): \(error.reason).")
            }
            allowed = []
            return
        }
        let metadata = file.metadata
        guard metadata.owner == 0, !metadata.isWritableByAll, !metadata.isWritableByGroup else {
            throw PolicyFileError(
                code: .unreadable,
                message: "\(path) allows something, so it must belong to root and be writable by nobody else: "
                    + "chown root, chmod go-w.")
        }
        let root: Node?
        do {
            root = try Yams.compose(yaml: String(decoding: file.data, as: UTF8.self))
        } catch {
            throw PolicyFileError(code: .notYAML, message: "\(path) is not YAML. Write a mapping with “allow”.")
        }
        guard let root else {
            throw PolicyFileError(
                code: .missingKey, message: "\(path) has no “allow”. Write a list, or take the file away.")
        }
        let fields = try PolicyFields(root, of: "engines.yaml", allowed: ["allow"])
        allowed = Set(try fields.words("allow", limit: Self.entryLimit) ?? [])
    }
}
