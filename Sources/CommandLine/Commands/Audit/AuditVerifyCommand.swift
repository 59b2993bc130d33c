import ArgumentParser
import AuditBundle
import Authorization
import Consent
import Foundation
import SocketAPI
import VoiceGateClient

struct AuditVerifyCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that no record was changed, removed or put between others.",
        discussion: """
            Without a folder: this machine's log. With a checkpoint that was kept elsewhere it is proven that the records \
            up to it are the same still; what came later has only this machine's word.
            With a folder: a bundle made by voicegate audit export. That needs no service and no log.

            Names the first thing that does not fit, and exits with 65 then.
            """)

    @Argument(help: ArgumentHelp("A bundle's folder.", valueName: "bundle"))
    var bundle: String?

    @Option(
        help: ArgumentHelp(
            "Checkpoints that were kept elsewhere, as voicegate audit checkpoint writes them.", valueName: "file"))
    var checkpoint: String?

    @Option(
        help: ArgumentHelp(
            "The log's verifier key that you noted elsewhere, or a file with such keys, one a line.", valueName: "key"))
    var key: String?

    @Option(help: ArgumentHelp("A witness's verifier key, whose signature a bundle must have.", valueName: "key"))
    var witness: [String] = []

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if bundle != nil, checkpoint != nil { throw ValidationError("A bundle brings its own checkpoint.") }
        if bundle == nil, !witness.isEmpty {
            throw ValidationError("--witness goes with a bundle; the log's witnesses are named in config.yaml.")
        }
        for key in witness where NoteVerifier(text: key)?.algorithm != .cosignature {
            throw ValidationError("“\(key)” is no verifier key of a witness: name+identifier+base64, of type 04.")
        }
    }

    func run(_ context: CommandContext) async throws {
        var keys: [NoteVerifier]?
        if let key { keys = try await CheckpointInput.keys(key) }
        if let bundle {
            try await verify(bundle, keys, context)
        } else {
            try await verifyLog(keys, context)
        }
    }

    private func verify(_ folder: String, _ keys: [NoteVerifier]?, _ context: CommandContext) async throws {
        let verifier = BundleVerifier(keys: keys, witnesses: witness.compactMap(NoteVerifier.init(text:)))
        let verdict: BundleVerdict
        do {
            verdict = BundleVerdict(try await Blocking.run { try verifier.verify(folder: folder) })
        } catch let problem as BundleProblem where problem.code == .unreadable {
            throw CommandError(.noInput, .noInput, problem.description)
        } catch let problem as BundleProblem {
            throw CommandError(.doesNotVerify, .badData, "The bundle does not verify. \(problem)")
        }
        if context.output.isJSON { return try context.output.json(verdict) }
        for line in verdict.lines { try context.output.line(line) }
    }

    private func verifyLog(_ keys: [NoteVerifier]?, _ context: CommandContext) async throws {
        let held = if let checkpoint { try await CheckpointInput.notes(checkpoint) } else { [SignedNote]() }
        let service = try await context.client()
        let report = try await service.auditVerification()
        let verdict = try await LogVerdict(report, held: held, keys: keys, service: service)
        if context.output.isJSON {
            try context.output.json(verdict)
        } else if verdict.problem == nil {
            for line in verdict.lines { try context.output.line(line) }
        }
        guard let problem = verdict.problem else { return }
        context.output.warn(problem)
        throw CommandError.alreadyTold(.badData)
    }
}

/// What is proven by a bundle that fits, and what is not.
struct BundleVerdict: Encodable {
    struct Cosignature: Encodable {
        let witness: String
        let time: Date
    }

    let log: String
    let size: UInt64
    let root: String
    let whole: Bool
    let records: UInt64
    let erasedRecords: UInt64
    let from: String?
    let until: String?
    let files: Int
    let signers: [String]
    /// Whether the keys came from the bundle itself.
    let trustsOwnKeys: Bool
    let cosignatures: [Cosignature]

    init(_ report: BundleReport) {
        log = report.origin
        size = report.size
        root = report.root.base64
        whole = report.isWhole
        records = report.records
        erasedRecords = report.erased
        from = report.times?.lowerBound.text
        until = report.times?.upperBound.text
        files = report.files
        signers = report.signers.map(\.text)
        trustsOwnKeys = report.trustsOwnKeys
        cosignatures = report.cosignatures.map {
            Cosignature(witness: $0.witness.name, time: Date(timeIntervalSince1970: TimeInterval($0.seconds)))
        }
    }

    /// Sentences, the result first, safe to show: whoever made the bundle or a key named the log and the witnesses.
    var lines: [String] {
        var lines = ["The bundle verifies: \(records) records of \(log), which had \(size), root \(root)"]
        if let from, let until { lines.append("They are from \(from) to \(until).") }
        if erasedRecords > 0 { lines.append("The fields of \(erasedRecords) of them were erased.") }
        lines += signers.map { "Signed by: \($0)" }
        lines += cosignatures.map { "Cosigned by: \($0.witness), \(DayAndTime.text($0.time))" }
        if trustsOwnKeys {
            lines.append(
                "The key is the bundle's own: this shows that the bundle fits together, not whose it is. Give the key "
                    + "that you got by another way with --key.")
        }
        lines.append(
            "Not proven: that what was recorded is true, and anything that happened after the log had \(size) records."
                + (whole ? "" : " Other records may have been left out."))
        return lines.map { DisplayText.cleaned($0, limit: 1_000) }
    }
}
