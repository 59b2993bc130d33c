import Foundation
import SocketAPI

extension Check {
    static let mode = Check("mode") { facts in
        guard case .running(let health) = facts.service else { return unknown("mode", "The mode") }
        switch health.mode {
        case .advisory:
            return [
                Finding(
                    "mode", .note,
                    "Advisory: the service runs as you, so another program of yours could open the microphone itself. "
                        + "VoiceGate orders and records what programs do that ask it.")
            ]
        case .enforced:
            return [
                Finding(
                    "mode", .well,
                    "Enforced: the service has a user of its own, and polkit confirms what is decided.")
            ]
        }
    }

    static let service = Check("service") { facts in
        switch facts.service {
        case .notRunning:
            return [
                Finding(
                    "service", .attention, "The service does not run, so that little else can be looked at.",
                    nextStep: "voicegate status starts it.")
            ]
        case .unreachable(let reason):
            return [
                Finding(
                    "service", .attention, "The service cannot be used: \(reason)",
                    nextStep: "End it with SIGTERM and start it anew: voicegated")
            ]
        case .running(let health) where health.version != facts.version:
            return [
                Finding(
                    "service", .attention,
                    "The service (process \(health.processIdentifier)) is of version \(health.version), this command of "
                        + "\(facts.version).",
                    nextStep: "kill \(health.processIdentifier); the next command starts the new one.")
            ]
        case .running(let health):
            return [
                Finding(
                    "service", .well,
                    "The service runs (process \(health.processIdentifier), version \(health.version)).")
            ]
        }
    }

    static let socketFolder = Check("socketFolder") { facts in
        guard facts.socketFolder.isThere else {
            return [Finding("socketFolder", .note, "\(facts.socketFolder.path) is made when the service starts.")]
        }
        return [folder(facts.socketFolder, "socketFolder", facts)]
    }

    static let stateFolder = Check("stateFolder") { facts in
        guard let state = facts.stateFolder else { return unknown("stateFolder", "Where the log is kept") }
        return [folder(state, "stateFolder", facts)]
    }

    private static func folder(_ fact: FolderFact, _ name: String, _ facts: Facts) -> Finding {
        if case .running(let health) = facts.service, health.mode == .enforced {
            return Finding(name, .note, "\(fact.path) is the service's own.")
        }
        let user = facts.user
        if let problem = fact.problem(for: user) {
            return Finding(name, .attention, problem.message, nextStep: problem.nextStep)
        }
        return Finding(name, .well, "\(fact.path) is yours alone.")
    }

    static let log = Check("log") { facts in
        guard let report = facts.verification else { return unknown("log", "Whether the log verifies") }
        if let problem = report.problem {
            return [
                Finding(
                    "log", .attention, problem.message,
                    nextStep: "voicegate audit verify says more; every yes has to be given anew until the log is "
                        + "restored or begun anew.")
            ]
        }
        return [Finding("log", .well, "The consent log verifies (\(report.records) records).")]
    }

    static let mute = Check("mute") { facts in
        guard case .running(let health) = facts.service else { return unknown("mute", "Whether you muted everything") }
        return health.muted
            ? [Finding("mute", .attention, "You have muted everything: nothing listens.", nextStep: "voicegate unmute")]
            : [Finding("mute", .well, "Nothing is muted.")]
    }

    static let agent = Check("agent") { facts in
        guard let diagnosis = facts.diagnosis else { return unknown("agent", "Who asks you") }
        switch diagnosis.agent {
        case .caller:
            return [
                Finding(
                    "agent", .well,
                    "You are asked by the command line at your terminal, and by voicegate agent where it runs.")
            ]
        case .terminal:
            return [Finding("agent", .well, "You are asked at the terminal of the service.")]
        case .desktop:
            return [Finding("agent", .well, "You are asked by notifications of the desktop.")]
        case .script:
            return [
                Finding(
                    "agent", .attention, "A script answers in your place; its answers are recorded as such.",
                    nextStep: "Start voicegated without --agent script:….")
            ]
        }
    }
}

extension Check {
    static let policy = Check("policy") { facts in
        guard let policy = facts.diagnosis?.policy else { return unknown("policy", "The administrator's policy") }
        var findings = policy.broken.sorted { $0.key < $1.key }.map { path, reason in
            Finding(
                "policy", .attention, "\(path): \(reason)",
                nextStep: "Correct the file; it is read again at once. Documentation/policy.md says what it may hold.")
        }
        guard policy.rules > 0 else {
            if findings.isEmpty { findings.append(Finding("policy", .well, "No policy restricts anything.")) }
            return findings
        }
        var message = "\(policy.rulesInForce) of \(policy.rules) rules restrict now"
        if let next = policy.nextChange {
            let zone = TimeZone(identifier: policy.timeZone) ?? facts.timeZone
            message += "; that changes at \(DayAndTime.text(next, timeZone: zone)) (\(policy.timeZone))"
        }
        findings.append(
            Finding("policy", .note, message + ". From: " + policy.files.joined(separator: ", ") + "."))
        return findings
    }

    static let manifests = Check("manifests") { facts in
        guard let diagnosis = facts.diagnosis else { return unknown("manifests", "What programs say about themselves") }
        let findings = diagnosis.manifests.sorted { $0.key < $1.key }.map { path, reason in
            Finding(
                "manifests", .attention, "\(path): \(reason)",
                nextStep: "voicegate manifest lint '\(path)' says what is wrong with it.")
        }
        return findings.isEmpty ? [Finding("manifests", .well, "All manifests can be used.")] : findings
    }
}

extension Check {
    static let engine = Check("engine") { facts in
        guard let diagnosis = facts.diagnosis else { return unknown("engine", "Who recognises speech") }
        guard let engine = diagnosis.engine else {
            return [Finding("engine", .well, "Speech is recognised by the service itself and leaves it nowhere.")]
        }
        let sends = "What is dictated is sent to \(engine.name), as every prompt says."
        guard let problem = engine.problem else { return [Finding("engine", .note, sends)] }
        return [
            Finding(
                "engine", .attention, "\(sends) It failed last: \(problem)",
                nextStep: "Start it again, or take engine out of config.yaml; until then the service recognises by "
                    + "itself.")
        ]
    }
}
