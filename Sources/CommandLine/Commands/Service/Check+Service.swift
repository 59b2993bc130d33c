import Authorization
import Base
import CommandText
import Foundation
import SocketAPI

extension Check {
    static let mode = Check(name: "mode") { facts, found in
        guard case .running(let health) = facts.service else { return found.unknown(withoutService: "The mode") }
        switch health.mode {
        case .advisory:
            found.note(
                "Advisory: the service runs as you, so your other programs could open the microphone themselves. "
                    + "VoiceGate controls and records only programs that use it.")
        case .enforced: found.well("Enforced: the service runs as a separate user, and polkit confirms decisions.")
        }
    }

    static let service = Check(name: "service") { facts, found in
        switch facts.service {
        case .notRunning where facts.configurationProblem != nil:
            found.attention(
                "The service cannot start. \(facts.configurationProblem ?? "")",
                next: "Correct the file, then: voicegate service start")
        case .notRunning:
            found.attention(
                "The service is not running, so most checks are impossible.",
                next: "To start it: voicegate service start")
        case .unreachable(let reason):
            found.attention("The service cannot be used: \(reason)", next: "To restart it: voicegate service restart")
        case .running(let health) where health.version != facts.version:
            found.attention(
                "The service (process \(health.processIdentifier)) has version \(health.version), this command "
                    + "\(facts.version).",
                next: "To start the new version: voicegate service restart")
        case .running(let health):
            found.well("The service is running (process \(health.processIdentifier), version \(health.version)).")
        }
    }

    static let socketFolder = Check(name: "socketFolder") { facts, found in
        guard facts.socketFolder.isThere else {
            return found.note("\(facts.socketFolder.path) is created when the service starts.")
        }
        folder(facts.socketFolder, facts, &found)
    }

    static let stateFolder = Check(name: "stateFolder") { facts, found in
        guard let state = facts.stateFolder else { return found.unknown(withoutService: "The log's folder") }
        folder(state, facts, &found)
    }

    private static func folder(_ folder: FolderFact, _ facts: Facts, _ found: inout Findings) {
        if case .running(let health) = facts.service, health.mode == .enforced {
            found.note("\(folder.path) belongs to the service.")
        } else if let problem = folder.problem(for: facts.user) {
            found.attention(problem.message, next: problem.nextStep)
        } else {
            found.well("\(folder.path) is private to you.")
        }
    }

    static let log = Check(name: "log") { facts, found in
        guard let report = facts.verification else { return found.unknown(withoutService: "The log") }
        guard let problem = report.problem else {
            return found.well("The consent log verifies (\(report.records) records).")
        }
        found.attention(
            problem.message,
            next:
                "Read voicegate audit verify. Permissions must be granted again until the log is restored or replaced.")
    }

    /// What covers the log outside its owner's power, and what they could still rewrite unnoticed.
    static let anchors = Check(name: "anchors") { facts, found in
        guard let diagnosis = facts.diagnosis else { return found.unknown(withoutService: "What covers the log") }
        guard let anchors = diagnosis.anchors else {
            return found.note(
                "What covers the log is not shown: the log is of all users, and you are not root, or a record of it "
                    + "cannot be read (voicegate audit verify).")
        }
        let until =
            anchors.signedUntil.map { " (up to \(DayAndTime.text(ofRecord: $0, timeZone: facts.timeZone)))" } ?? ""
        if let problem = anchors.signingProblem {
            found.attention(
                "The last checkpoint has \(anchors.signed) records\(until); the \(anchors.unsigned) after them have none: "
                    + problem,
                next: "Until that is corrected, these records can be cut off unnoticed; the service tries every 10 s.")
        } else {
            found.well("The last checkpoint has \(anchors.signed) of \(anchors.size) records\(until).")
        }
        if let problem = anchors.journalProblem {
            found.attention(
                "No checkpoint gets into the system's journal: \(problem)",
                next: "Remove journalMinutes from config.yaml, or let the service reach the journal.")
        }
        let covers: [(words: String, size: UInt64)] = [
            ("checkpoints that were published by your own word", anchors.published),
            (anchors.quorum ?? "", anchors.witnessed),
            (
                "the system's journal, which root can change" + (anchors.journalLine.map { ", last “\($0)”" } ?? ""),
                anchors.journal ?? 0
            ),
        ].filter { $0.1 > 0 }
        let rest =
            anchors.uncovered > 0
            ? "Its owner could rewrite the \(covers.isEmpty ? "" : "last ")\(anchors.uncovered) of \(anchors.size) "
                + "records unnoticed." : "All \(anchors.size) records are covered."
        if let quorum = anchors.quorum, anchors.witnessed == 0 {
            found.note("No checkpoint was cosigned by \(quorum).", next: "voicegate audit checkpoint --add-cosignature")
        }
        guard !covers.isEmpty else {
            return found.note(
                "Nothing outside this machine's power covers the log. " + rest,
                next: "voicegate audit checkpoint --publish FILE, or --short for a line to write down")
        }
        found.note(
            "The log is covered by " + covers.map { "\($0.words) (\($0.size))" }.joined(separator: ", ") + ". " + rest)
    }

    static let policy = Check(name: "policy") { facts, found in
        guard let policy = facts.diagnosis?.policy else {
            return found.unknown(withoutService: "The administrator's policy")
        }
        for (path, reason) in policy.broken.sorted(by: { $0.key < $1.key }) {
            found.attention(
                "\(path): \(reason)",
                next: "Correct the file; it is read again at once. The format: Documentation/Policy.md")
        }
        guard policy.rules > 0 else {
            if policy.broken.isEmpty { found.well("No policy restricts anything.") }
            return
        }
        var message = "\(policy.rulesInForce) of \(policy.rules) rules restrict now"
        if let next = policy.nextChange {
            let zone = TimeZone(identifier: policy.timeZone) ?? facts.timeZone
            message += "; that changes at \(DayAndTime.text(next, timeZone: zone)) (\(policy.timeZone))"
        }
        found.note(message + ". From: " + policy.files.joined(separator: ", ") + ".")
    }

    static let manifests = Check(name: "manifests") { facts, found in
        guard let diagnosis = facts.diagnosis else { return found.unknown(withoutService: "The manifests") }
        for (path, reason) in diagnosis.manifests.sorted(by: { $0.key < $1.key }) {
            found.attention("\(path): \(reason)", next: "voicegate manifest lint \(ShellWord.quoted(path))")
        }
        if diagnosis.manifests.isEmpty { found.well("All manifests are valid.") }
    }

    static let mute = Check(name: "mute") { facts, found in
        guard let mute = facts.mute else { return found.unknown(withoutService: "The mute") }
        guard mute.muted else { return found.well("Your programs are not muted.") }
        found.attention(
            "Everything is muted\(mute.mutedBy?.scope == .everyone ? " for all users" : ""): nothing listens.",
            next: MutedBy.command(ending: mute.mutedBy))
    }

    static let agent = Check(name: "agent") { facts, found in
        guard let diagnosis = facts.diagnosis else { return found.unknown(withoutService: "The agent for prompts") }
        switch diagnosis.agent {
        case .caller: found.well("Prompts appear in the terminal of the command line, and where voicegate agent runs.")
        case .terminal: found.well("Prompts appear in the service's terminal.")
        case .desktop: found.well("Prompts appear as desktop notifications.")
        case .script:
            found.attention(
                "A script answers prompts in your place; the records name it.",
                next: "Start voicegated without --agent script:….")
        }
    }

    static let engine = Check(name: "engine") { facts, found in
        guard let diagnosis = facts.diagnosis else { return found.unknown(withoutService: "The recogniser") }
        for recognizer in diagnosis.recognizers ?? [] {
            let name = [recognizer.name, recognizer.model.map { "(model \($0.prefix(12)))" }].compactMap { $0 }
            let text = "\(name.joined(separator: " ")) recognises \(recognizer.tasks.joined(separator: ", "))"
            if let problem = recognizer.problem {
                found.attention(
                    "\(text), but cannot be used: \(problem)",
                    next: "Install it again, or choose another: voicegate engine use pocketsphinx")
            } else {
                found.well(text + (recognizer.started ? "; it starts." : "; it was not needed yet."))
            }
        }
        guard let engine = diagnosis.engine else {
            return found.well("The service recognises speech itself and sends it nowhere.")
        }
        let sends = "Dictations and files are sent to \(engine.name), as every prompt states."
        guard let problem = engine.problem else { return found.note(sends) }
        found.attention("\(sends) It failed last: \(problem)", next: "Restart it, or remove engine from config.yaml.")
    }
}
