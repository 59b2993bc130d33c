import Consent

extension ConfigurationFile {
    private static let mostWitnesses = 16

    /// The witnesses' keys; those that are none were refused when the file was read.
    var witnessKeys: [NoteVerifier] { (witnesses ?? []).compactMap(NoteVerifier.init(text:)) }

    func checkWitnesses(_ path: String) throws(ServiceError) {
        let texts = witnesses ?? []
        if let wrong = texts.first(where: { NoteVerifier(text: $0)?.algorithm != .cosignature }) {
            throw Self.failure(
                path, "“\(wrong)” under witnesses is no verifier key of a witness: name+identifier+base64, of type 04")
        }
        guard texts.count <= Self.mostWitnesses, Set(texts).count == texts.count else {
            throw Self.failure(path, "witnesses lists a key twice, or more than \(Self.mostWitnesses)")
        }
    }
}
