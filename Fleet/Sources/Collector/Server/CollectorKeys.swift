import Consent
import Foundation

/// The two keys that cosign: as a witness, that a checkpoint continues the log; as a mirror, that all its records are stored.
/// The protocols want two keys with two names (https://c2sp.org/tlog-mirror). All collectors of a database have the same.
///
/// Kept in one file, a line each, in the form of `NoteSigner.secretText`, the witness first.
struct CollectorKeys: Sendable {
    let witness: NoteSigner
    let mirror: NoteSigner

    typealias Problem = CollectorSettings.Problem

    /// New keys.
    ///
    /// - Parameter name: such as `collector.example.org`.
    init(name: String) throws(Problem) {
        guard let witness = NoteSigner(name: name + "/witness"), let mirror = NoteSigner(name: name + "/mirror") else {
            throw Problem(description: "“\(name)” cannot be a key's name: it has spaces or a plus, or is too long.")
        }
        (self.witness, self.mirror) = (witness, mirror)
    }

    init(file: String) throws(Problem) {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw Problem(
                description: "The key file \(file) cannot be read. Make one with “voicegate-collector key new”.")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        guard let mode = attributes?[.posixPermissions] as? Int, mode & 0o077 == 0 else {
            throw Problem(description: "Others may read the key file \(file). Run “chmod 600 \(file)”.")
        }
        let keys = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
            .compactMap(NoteSigner.init(secretText:))
        guard keys.count == 2, keys[0].name != keys[1].name,
            keys[0].verifier.publicKey != keys[1].verifier.publicKey
        else { throw Problem(description: "The key file \(file) does not have two keys, one a line.") }
        (witness, mirror) = (keys[0], keys[1])
    }

    /// Writes a new file that only its owner may read.
    ///
    /// - Throws: `Problem` if there is a file already.
    func write(to file: String) throws {
        let text = [witness, mirror].map(\.secretText).joined(separator: "\n") + "\n"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Problem(description: "\(file) cannot be made: \(String(cString: strerror(errno))).")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.synchronize()
    }

    /// What others check cosignatures with: a line each, the witness first.
    var verifiers: String { [witness, mirror].map(\.witnessVerifier.text).joined(separator: "\n") }
}
