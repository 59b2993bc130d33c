import Foundation

extension NoteVerifier {
    /// Reads a file of verifier keys, one a line: `log.vkey` of a bundle.
    ///
    /// - Returns: `nil` when a line is no verifier key.
    public static func list(_ data: Data) -> [NoteVerifier]? {
        let lines = data.split(separator: 0x0A)
        let keys = lines.compactMap { String(validating: $0, as: UTF8.self).flatMap(NoteVerifier.init(text:)) }
        return keys.count == lines.count ? keys : nil
    }
}
