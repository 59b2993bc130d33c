import Consent
import Foundation
import LinuxSystem

/// Files with checkpoints and keys that are named on the command line.
enum CheckpointInput {
    /// Bytes; room for tens of thousands of checkpoints.
    private static let longest = 16 << 20

    /// One signed note, or several that were added one behind the other.
    static func notes(_ path: String) async throws -> [SignedNote] {
        guard let notes = SignedNote.list(try await contents(path)), !notes.isEmpty else {
            throw CommandError(.doesNotVerify, .badData, "\(path) holds no signed checkpoints.")
        }
        return notes
    }

    /// - Parameter argument: a verifier key, or a file with such keys, one a line.
    static func keys(_ argument: String) async throws -> [NoteVerifier] {
        if let key = NoteVerifier(text: argument) { return [key] }
        guard let keys = NoteVerifier.list(try await contents(argument)), !keys.isEmpty else {
            throw CommandError(.doesNotVerify, .badData, "\(argument) holds no verifier keys, one a line.")
        }
        return keys
    }

    private static func contents(_ path: String) async throws -> Data {
        try await Blocking.run {
            do throws(FileError) {
                return try RegularFile(path: path, limit: longest).data
            } catch {
                throw CommandError(.noInput, .noInput, "\(error.path) cannot be read: \(error.reason).")
            }
        }
    }
}
