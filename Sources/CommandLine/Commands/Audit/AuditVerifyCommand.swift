import ArgumentParser
import AuditBundle
import Authorization
import Consent
import Foundation
import VoiceGateClient

struct AuditVerifyCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that no record was changed, removed or inserted.",
        discussion: """
            Without a folder: this machine's log. A checkpoint kept elsewhere proves that the records up to it are \
            unchanged; for later records only this machine vouches.
            With a folder: a bundle of voicegate audit export; this needs neither service nor log.

            If the check fails, the first error is printed and the exit code is 65.
            """)

    @Argument(help: .init("A bundle's folder.", valueName: "bundle"))
    var bundle: String?

    @Option(help: .init("Checkpoints kept elsewhere, as voicegate audit checkpoint writes them.", valueName: "file"))
    var checkpoint: String?

    @Option(
        help: .init(
            "The log's verifier key that you kept elsewhere, or a file with such keys, one per line.", valueName: "key")
    )
    var key: String?

    @Option(help: .init("A witness's verifier key; the bundle must have its signature.", valueName: "key"))
    var witness: [String] = []

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if bundle != nil, checkpoint != nil { throw ValidationError("A bundle contains its own checkpoint.") }
        if bundle == nil, !witness.isEmpty {
            throw ValidationError("--witness requires a bundle; the log's witnesses are in config.yaml.")
        }
        for key in witness where NoteVerifier(text: key)?.algorithm != .cosignature {
            throw ValidationError("“\(key)” is not a witness's verifier key: name+identifier+base64, of type 04.")
        }
    }

    func run(_ context: CommandContext) async throws {
        var keys: [NoteVerifier]?
        if let key { keys = try await CheckpointInput.keys(key) }
        if let bundle {
            let verifier = BundleVerifier(keys: keys, witnesses: witness.compactMap(NoteVerifier.init(text:)))
            let report = try await Blocking.run { try verifier.verify(folder: bundle) }
            return try context.output.result(report, report.lines)
        }
        let held = if let checkpoint { try await CheckpointInput.notes(checkpoint) } else { [SignedNote]() }
        let service = try await context.client()
        let report = try await service.auditVerification()
        let verdict = try await LogVerdict(report, held: held, keys: keys, service: service)
        try context.output.result(verdict, verdict.problem == nil ? verdict.lines : [])
        guard let problem = verdict.problem else { return }
        context.output.warn(problem)
        throw CommandError.reported(.badData)
    }
}

extension BundleReport {
    /// What is proven and what is not, the result first; cleaned, because the bundle's author chose the names.
    var lines: [String] {
        var lines = ["The bundle verifies: \(records) of \(size) records of \(log), root \(root)"]
        if let from, let until { lines.append("They are from \(from) to \(until).") }
        if erasedRecords > 0 { lines.append("The fields of \(erasedRecords) of them were erased.") }
        lines += signers.map { "Signed by: \($0)" }
        lines += cosignatures.map { "Cosigned by: \($0.witness), \(DayAndTime.text($0.time))" }
        if trustsOwnKeys {
            lines.append(
                "The key is the bundle's own, so the bundle is consistent, but its author is not proven. Supply the key "
                    + "from another source with --key.")
        }
        lines.append(
            "Not proven: that the records are true, and anything after the first \(size) records."
                + (whole ? "" : " Other records may be missing."))
        return lines.map { DisplayText.cleaned($0, limit: 1_000) }
    }
}
