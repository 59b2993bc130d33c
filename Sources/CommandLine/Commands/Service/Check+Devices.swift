import Foundation

extension Check {
    static let recognizer = Check("recognizer") { facts in
        guard let diagnosis = facts.diagnosis else { return unknown("recognizer", "The recogniser's model") }
        if let problem = facts.modelProblem {
            return [
                Finding(
                    "recognizer", .attention, problem,
                    nextStep: "apt install pocketsphinx-en-us, or name another folder with model in config.yaml.")
            ]
        }
        return [Finding("recognizer", .well, "The recogniser's model is in \(diagnosis.modelFolder).")]
    }

    static let devices = Check("devices") { facts in
        guard let devices = facts.devices else { return unknown("devices", "Which devices there are") }
        guard !devices.isEmpty else {
            return [
                Finding(
                    "devices", .attention, "There is no capture device.",
                    nextStep: "Connect a microphone; arecord -L shows what ALSA sees.")
            ]
        }
        let usable = devices.filter { $0.problem == nil }
        let broken = devices.compactMap { device in device.problem.map { "\(device.name) (\($0))" } }
        guard !usable.isEmpty else {
            return [
                Finding(
                    "devices", .attention, "No capture device can be used: " + broken.joined(separator: ", ") + ".",
                    nextStep: "voicegate devices says why; you may have to be in the group audio.")
            ]
        }
        return [
            Finding("devices", .well, "Devices that can be used: " + usable.map(\.name).joined(separator: ", ") + ".")
        ]
            + (broken.isEmpty
                ? [] : [Finding("devices", .note, "Those that cannot: " + broken.joined(separator: ", ") + ".")])
    }

    static let otherPrograms = Check("otherPrograms") { facts in
        let use = facts.captureUse
        guard !use.nodes.isEmpty || !use.holders.isEmpty else {
            return [Finding("otherPrograms", .well, "There is no capture node, so that no program can hold one.")]
        }
        var own: Int32?
        if case .running(let health) = facts.service { own = health.processIdentifier }
        var findings = use.holders.filter { $0.process != own }.map { holder in
            Finding(
                "otherPrograms", .attention,
                "\(holder.name) (process \(holder.process)) holds \(holder.nodes.joined(separator: ", ")) beside "
                    + "VoiceGate, which was not asked.",
                nextStep: "If it should not listen: kill \(holder.process)")
        }
        if use.hidden > 0 {
            findings.append(
                Finding(
                    "otherPrograms", .unknown,
                    "Whether one of \(use.hidden) processes of other users holds a device cannot be seen from here.",
                    nextStep: "As root: fuser -v /dev/snd/pcm*c"))
        } else if findings.isEmpty {
            findings.append(Finding("otherPrograms", .well, "No other program holds a capture device now."))
        }
        return findings
    }
}
