import Foundation

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
