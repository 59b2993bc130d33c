import Foundation

extension SignedNote {
    /// Reads signed notes that stand one behind the other: a file that checkpoints were appended to.
    ///
    /// - Returns: `nil` when something in it is no signed note, or a note's text has lines like signatures behind an empty
    ///   line, which no checkpoint has. Empty lines between notes are passed over.
    public static func list(_ data: Data) -> [SignedNote]? {
        var notes: [SignedNote] = []
        var lines: [Data] = []
        var hasSignature = false
        let dash = Data("— ".utf8)
        func closed() -> Bool {
            guard let note = SignedNote(Data(lines.flatMap { $0 + [0x0A] })) else { return false }
            notes.append(note)
            lines = []
            hasSignature = false
            return true
        }
        for line in data.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let isSignature = line.starts(with: dash)
            if hasSignature, !isSignature {
                guard closed() else { return nil }
            }
            if lines.isEmpty, line.isEmpty { continue }
            // Signatures begin behind an empty line; elsewhere such a line is text.
            hasSignature = isSignature && (hasSignature || lines.last?.isEmpty == true)
            lines.append(Data(line))
        }
        if !lines.isEmpty {
            guard closed() else { return nil }
        }
        return notes
    }
}
