import ArgumentParser
import AuditBundle
import AuditExport
import Base
import CommandClient
import CommandText
import Consent
import Foundation
import LinuxSystem
import SocketAPI

struct AuditVerifyCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that no record was changed, removed or inserted.",
        discussion: """
            Without a folder: this machine's log. A checkpoint kept elsewhere proves that the records up to it are \
            unchanged; for later records only this machine vouches.
            With a folder: a bundle of voicegate audit export; this needs neither service nor log.

            With a file: a proof of voicegate audit prove, or a receipt of voicegate audit receipt. Without --key the key is \
            that of this machine's log, which the service then vouches for.

            For a bundle or a proof the last line is the verdict: verified, contradicts (the records are not those of a \
            checkpoint that you supplied; the exit code is 76), or the rule of Documentation/Bundle.md that is broken (the exit code is 65).
            """)

    @Argument(help: .init("A bundle's folder, a proof or a receipt.", valueName: "bundle"), completion: .file())
    var bundle: String?

    @Option(
        help: .init(
            "Checkpoints kept elsewhere, as voicegate audit checkpoint writes them. Can be repeated.",
            valueName: "file"), completion: .file())
    var checkpoint: [String] = []

    @Option(help: .init("A line that voicegate audit checkpoint --short printed.", valueName: "line"))
    var line: [String] = []

    @Option(
        help: .init(
            "The log's verifier key that you kept elsewhere, or a file with such keys, one per line.", valueName: "key"),
        completion: .file())
    var key: String?

    @Option(
        help: .init(
            "A policy (c2sp.org/tlog-policy): the checkpoint must have the cosignatures that it requires. Its logs count as "
                + "--key, if that is absent.",
            valueName: "file"), completion: .file())
    var policy: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if bundle != nil, !line.isEmpty { throw ValidationError("--line is for this machine's log, not for a bundle.") }
        for text in line where ShortCheckpoint(text) == nil {
            throw ValidationError(
                "“\(text)” is not a line of voicegate audit checkpoint --short, or has a mistake in it.")
        }
        try refuse(
            if: bundle == nil && policy != nil,
            "--policy requires a bundle, a proof or a receipt; the log's own is named in config.yaml.")
    }

    func run(_ context: CommandContext) async throws {
        var keys: [NoteVerifier]?
        if let key { keys = try await CheckpointInput.keys(key) }
        var held: [SignedNote] = []
        for file in checkpoint { held += try await CheckpointInput.notes(file) }
        if let bundle {
            var witnesses: WitnessPolicy?
            if let policy { witnesses = try await CheckpointInput.policy(policy) }
            if keys == nil, let logs = witnesses?.logs, !logs.isEmpty { keys = logs }
            if keys == nil, Self.isFile(bundle) {
                keys = try await ownKeys(context)
                context.output.note("The key is that of this machine's log. For another log: --key KEY")
            }
            let verifier = BundleVerifier(keys: keys, policy: witnesses, held: held, version: ServiceVersion.current)
            return try await verify(bundle, verifier, context.output)
        }
        let service = try await context.client()
        let report = try await service.auditVerification()
        let verdict = try await LogVerdict(
            report, held: held, lines: line.compactMap(ShortCheckpoint.init), keys: keys, service: service)
        try context.output.decided(verdict.problem != nil) {
            try context.output.result(verdict, verdict.problem == nil ? verdict.lines : [])
        }
        guard let problem = verdict.problem else { return }
        context.output.warn(problem)
        throw CommandError.reported(verdict.status)
    }

    private static func isFile(_ path: String) -> Bool {
        (try? FileMetadata(path: path))?.isRegularFile == true
    }

    /// - Throws: `CommandError` if no service of this machine has a log.
    private func ownKeys(_ context: CommandContext) async throws -> [NoteVerifier] {
        do {
            return try await context.client().auditCheckpoint().keys.compactMap { NoteVerifier(text: $0) }
        } catch {
            throw CommandError(
                .doesNotVerify, status: .usage,
                "A proof or a receipt needs the log's key, and this machine's log cannot be asked. Supply it: --key "
                    + "KEY")
        }
    }

    private func verify(_ path: String, _ verifier: BundleVerifier, _ output: Output) async throws {
        do {
            if Self.isFile(path) {
                let data = try await Blocking.run {
                    try RegularFile(path: path, limit: 3 * OfflineProof.maximumSize).data
                }
                let (report, record) = try await Blocking.run {
                    guard data.first == UInt8(ascii: "{") else { return try verifier.verify(proof: data) }
                    guard let receipt = ConsentReceipt(document: data) else {
                        throw BundleProblem(.derived, "the receipt is not what its record gives")
                    }
                    return try verifier.verify(receipt: receipt)
                }
                return try output.result(report, report.lines(record))
            }
            let report = try await Blocking.run { try verifier.verify(folder: path) }
            try output.result(report, report.lines)
        } catch let problem as BundleProblem {
            try output.decided(true) { if !output.isJSON { try output.line("verdict: \(problem.rule.rawValue)") } }
            throw problem
        }
    }
}

extension ProofReport {
    /// The result first; cleaned, because programs chose the record's texts.
    func lines(_ record: ConsentRecord) -> [String] {
        let lines =
            ["The record is in the log \(log), which had \(size) records, root \(root)", record.summary()]
            + (hasFields ? [] : ["Its fields are not included."]) + signers.map { "Signed by: \($0)" }
            + heldSizes.map { "It is the log of the checkpoint of \($0) records that you supplied." }
            + ["Not proven: that the record is true."] + notChecked.map { "Not checked: \($0)" }
        return lines.map { DisplayText.cleaned($0, limit: 1_000) } + ["verdict: \(verdict)"]
    }
}

extension BundleReport {
    /// What is proven and what is not, the result first; cleaned, because the bundle's author chose the names.
    var lines: [String] {
        var lines = ["The bundle verifies: \(records) of \(size) records of \(log), root \(root)"]
        if let from, let until { lines.append("They are from \(from) to \(until).") }
        if erasedRecords > 0 { lines.append("The fields of \(erasedRecords) of them were erased.") }
        if recordsWithoutFields > 0 { lines.append("The fields of \(recordsWithoutFields) of them are not included.") }
        lines += heldSizes.map { "The log continues the checkpoint of \($0) records that you supplied." }
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
        lines += notChecked.map { "Not checked: \($0)" }
        return lines.map { DisplayText.cleaned($0, limit: 1_000) } + ["verdict: \(verdict)"]
    }
}
