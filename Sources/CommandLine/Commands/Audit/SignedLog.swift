import Consent
import Foundation
import SocketAPI

/// The checkpoint that the service signed, with its keys, checked.
struct SignedLog {
    let note: SignedNote
    let checkpoint: Checkpoint
    /// Newest last.
    let keys: [NoteVerifier]

    /// - Parameter trusted: keys that the person has from elsewhere; `nil`: those that the service names are taken.
    init(_ reply: CheckpointReply, trusted: [NoteVerifier]? = nil) throws(CommandError) {
        let named = reply.keys.compactMap(NoteVerifier.init(text:))
        guard let note = SignedNote(Data(reply.checkpoint.utf8)), named.count == reply.keys.count,
            let checkpoint = Checkpoint(note, signedBy: trusted ?? named)
        else {
            throw CommandError(
                .doesNotVerify, .badData,
                trusted == nil
                    ? "What the service signed does not verify with its own key. Something is wrong with this machine."
                    : "What the service signed does not verify with the key that you gave. Was the key replaced? The "
                        + "log tells it in a record key.rotated.")
        }
        self.note = note
        self.checkpoint = checkpoint
        keys = trusted ?? named
    }
}
