import Authorization

/// Checks of PocketSphinx's model and the capture devices.
extension Check {
    static let recognizer = Check(name: "recognizer") { facts, found in
        guard let diagnosis = facts.diagnosis else { return found.unknown(withoutService: "PocketSphinx's model") }
        let isUsed = diagnosis.recognizers?.contains { $0.id == SpeechEngine.builtIn } ?? true
        if let problem = facts.modelProblem, !isUsed {
            found.note("PocketSphinx is not used, and could not be: \(problem)")
        } else if let problem = facts.modelProblem {
            found.attention(
                problem, next: "apt install pocketsphinx-en-us, or set model in config.yaml to another folder.")
        } else {
            found.well("PocketSphinx's model is in \(diagnosis.modelFolder).")
        }
    }

    static let sandbox = Check(name: "sandbox") { facts, found in
        guard let sandbox = facts.sandbox else { return found.unknown("The kernel's sandboxes could not be tried.") }
        for gap in sandbox.gaps { found.note(gap, next: "Documentation/Attacks.md describes what remains.") }
        if sandbox.gaps.isEmpty {
            found.well(
                "The kernel offers this user all that the sandboxes use: Landlock (ABI \(sandbox.landlock)) and "
                    + "namespaces. The service's log at its start says what the service has of it.")
        }
    }

    static let devices = Check(name: "devices") { facts, found in
        guard let devices = facts.devices else { return found.unknown(withoutService: "The list of devices") }
        guard !devices.isEmpty else {
            return found.attention(
                "There is no capture device.", next: "Connect a microphone; arecord -L lists what ALSA finds.")
        }
        let usable = devices.filter { $0.problem == nil }.map(\.name).joined(separator: ", ")
        let broken = devices.compactMap { device in device.problem.map { "\(device.name) (\($0))" } }
            .joined(separator: ", ")
        guard !usable.isEmpty else {
            return found.attention(
                "No capture device is usable: \(broken).",
                next: "Read voicegate devices; you may have to be in the group audio.")
        }
        found.well("Usable devices: \(usable).")
        if !broken.isEmpty { found.note("Unusable devices: \(broken).") }
    }

    static let otherPrograms = Check(name: "otherPrograms") { facts, found in
        let use = facts.captureUse
        guard !use.nodes.isEmpty || !use.holders.isEmpty || !use.hasAllNodes else {
            return found.well("There is no capture node that a program could open.")
        }
        var own: Int32?
        if case .running(let health) = facts.service { own = health.processIdentifier }
        let others = use.holders.filter { $0.process != own }
        for holder in others {
            found.attention(
                "\(holder.name) (process \(holder.process)) has opened \(holder.nodes.joined(separator: ", ")) without "
                    + "VoiceGate.",
                next: "If it should not listen: kill \(holder.process)")
        }
        if use.hidden > 0 {
            found.unknown(
                "\(use.hidden) processes of other users may have opened a device; only root can find out.",
                next: "As root: voicegate doctor")
        } else if others.isEmpty {
            found.well("No other program has opened a capture device.")
        }
    }
}
