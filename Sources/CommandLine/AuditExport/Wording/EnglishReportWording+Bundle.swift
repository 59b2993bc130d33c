extension EnglishReportWording {
    func readme(log: String, madeAt: String, whole: Bool) -> String {
        """
        VoiceGate: who listened, when, on whose yes, and what became of it
        ==================================================================

        Made \(madeAt) from the consent log \(log).
        It is about people. Keep it as you would keep their letters.

        To read it: report.html, in any browser. It loads nothing and runs nothing.

        report.html       the report, for people
        accesses.csv      each session and each refused access
        decisions.csv     each question, answer and withdrawal
        accesses.ndjson   accesses to the microphone, in the shape of Apple's App Privacy Report
        consent.jsonld    the same for machines: W3C Data Privacy Vocabulary 2.3
        records.jsonl     the records as they are in the log: leaf, disclosures\(whole ? "" : ", proof")
        notices/          the questions as they were shown; the name is the text's SHA-256
        scope.json        what was asked for
        checkpoint        size and root of the log, signed
        log.vkey          the keys of the log, the newest last
        \(whole ? "" : "proofs/           for each record the proof that it is in the log\n")\
        SHA256SUMS        of all files; SHA256SUMS.note is its signature

        To check it
        -----------

        With VoiceGate, on any machine: voicegate audit verify FOLDER. Without:

        1. The files:       sha256sum --check SHA256SUMS
        2. The signatures:  checkpoint and SHA256SUMS.note are signed notes (https://c2sp.org/signed-note), to be checked
                            with the last line of log.vkey.
        3. The records:     \(whole
            ? "the leaves, in order, hashed as RFC 6962 says, give the root in checkpoint."
            : "each file in proofs/ leads from a leaf to the root in checkpoint (https://c2sp.org/tlog-proof).")
        4. The fields:      each disclosure's SHA-256 (base64url) stands in its leaf under _sd.

        Compare the key with one that you got another way: from an earlier bundle, from a checkpoint that was published, or at the
        machine with: voicegate audit checkpoint. A key that comes with the data proves only that the two belong together.

        What this does not prove: what was written after the last checkpoint held elsewhere, what programs say about
        themselves, and what went past VoiceGate.

        """
    }
}
