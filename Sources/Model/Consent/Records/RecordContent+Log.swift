import Foundation

/// What the log writes about itself.
extension RecordContent {
    /// - Parameter identifier: 16 random bytes, by which two logs are told apart.
    static func genesis(identifier: Data) -> RecordContent {
        RecordContent(
            kind: .genesis,
            fields: ["log": .string(Hexadecimal.encode(identifier)), "hash": .string("SHA-256")])
    }

    /// - Parameters:
    ///   - previous: the verifier key that signed until now; `nil` for the first one.
    ///   - current: the verifier key that signs from now on.
    static func keyRotated(previous: String?, current: String, reason: KeyRotation) -> RecordContent {
        RecordContent(
            kind: .keyRotated,
            fields: ["key": .string(current), "reason": .string(reason.rawValue)]
                + .optional("previousKey", previous.map(JSONValue.string)))
    }

    /// - Parameter lastSigned: how many records the last checkpoint counted.
    static func restored(lastSigned: UInt64) -> RecordContent {
        RecordContent(
            kind: .recovery, fields: ["reason": .string("restored"), "lastSigned": .index(lastSigned)])
    }

    /// - Parameter destination: where it went, as the person named it: a command or a file.
    static func checkpointPublished(size: UInt64, root: MerkleHash, destination: String) -> RecordContent {
        RecordContent(
            kind: .checkpointPublished,
            fields: ["size": .index(size), "root": .string(root.base64), "destination": .string(destination)])
    }

    static func clockJumped(_ jump: ClockJump) -> RecordContent {
        RecordContent(
            kind: .clockJump,
            fields: [
                "from": .string(jump.from.text), "to": .string(jump.to.text),
                "milliseconds": .integer(jump.milliseconds),
            ])
    }
}
