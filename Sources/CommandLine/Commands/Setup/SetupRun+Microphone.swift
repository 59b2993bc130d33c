import CommandClient
import Foundation
import SocketAPI
import Speech
import Synchronization

extension SetupRun {
    /// Shows the level of each microphone, lets the user choose, and tries the chosen one.
    mutating func setUpMicrophone() async throws {
        let client = try await context.client()
        let devices = try await client.devices().devices.filter { $0.problem == nil && Self.isOffered($0.name) }
        try require(
            !devices.isEmpty, .cannotStart,
            "There is no microphone that can be used. Connect one, then: voicegate setup microphone; voicegate devices "
                + "shows the reasons.")
        var chosen = choices.device
        if chosen == nil, !choices.yes {
            _ = try await context.requestUndecided(from: client, withMicrophone: true, device: devices[0].name)
            chosen = try await choose(among: devices, client)
        }
        guard let chosen else { return output.note(text(.microphoneStays)) }
        if let problem = try await client.device(named: chosen).devices.first?.problem {
            throw CommandError(.cannotStart, problem)
        }
        try await use(chosen)
        if !choices.yes { try await tryOut(chosen, try await context.client()) }
    }

    /// ALSA lists each card under a dozen names; these are the ones that convert the format and share the device.
    private static func isOffered(_ name: String) -> Bool {
        let kind = name.prefix { $0 != ":" }
        return name == kind || ["sysdefault", "plughw"].contains(kind)
    }

    /// - Returns: `nil` to leave it as it is.
    private func choose(among devices: [CaptureDevice], _ client: ServiceClient) async throws -> String? {
        output.note(text(.speak))
        var levels: [String: Double] = [:]
        for (index, device) in devices.enumerated() {
            let level: Double?
            do {
                level = try await loudest(of: device.name, client, for: .seconds(1))
            } catch  where [.unavailable, .busy].contains(ExitStatus(error)) {
                level = nil
            }
            levels[device.name] = level
            let bar = level.map(LevelBar.text) ?? text(.unusable)
            output.note("  \(index + 1)  \(bar)  \(device.name)  \(device.description)")
        }
        let best = levels.max { $0.value < $1.value }?.key
        let suggested = devices.firstIndex { $0.name == best } ?? 0
        while let answer = try await output.answer(to: text.whichMicrophone(suggested: suggested + 1)) {
            if answer.lowercased() == "s" { return nil }
            guard let number = answer.isEmpty ? suggested + 1 : Int(answer), devices.indices.contains(number - 1) else {
                output.note(text.numberNeeded(count: devices.count))
                continue
            }
            return devices[number - 1].name
        }
        return nil
    }

    /// - Returns: dBFS.
    private func loudest(
        of device: String, _ client: ServiceClient, for time: Duration, sound: Bool = false,
        onEvent: @escaping @Sendable (DictationEvent) -> Void = { _ in }
    ) async throws -> Double? {
        let events = try await client.dictate(DictationRequest(device: device, level: true, sound: sound, keep: false))
        var loudest: Double?
        var ending: Task<Void, any Error>?
        defer { ending?.cancel() }
        for try await event in events {
            onEvent(event.event)
            switch event.event {
            case .started(let session, _, _):
                ending = Task {
                    try await Task.sleep(for: time)
                    try await client.control(session, .end)
                }
            case .level(let decibels): loudest = max(loudest ?? decibels, decibels)
            case .ended: return loudest
            default: break
            }
        }
        return loudest
    }

    /// Writes it into the user's config.yaml and lets the service read that.
    private mutating func use(_ device: String) async throws {
        guard try await context.clientOfRunningService.health().mode != .enforced else {
            return output.note(text.machinesMicrophone(device: device))
        }
        let path = ServicePaths().configurationDirectory + "/config.yaml"
        let change = try SetupFile.change(path, to: (SetupFile.text(path) ?? "").setting("device", to: device))
        try note(change)
        if change != nil { try await context.applyConfiguration() }
        output.note(text.used(device: device))
    }

    private func tryOut(_ device: String, _ client: ServiceClient) async throws {
        guard try await agrees(text(.tryMicrophone)) else { return }
        output.note(text(.sayASentence))
        let (output, text, sound) = (output, text, HeardSound())
        let level = try await loudest(of: device, client, for: .seconds(5), sound: true) { event in
            switch event {
            case .level(let decibels): output.live(LevelBar.text(decibels))
            case .sound(let samples): sound.samples.withLock { $0 += samples }
            case .final(let transcript):
                output.clearLive()
                output.note(text.understood(text: transcript.text))
            default: break
            }
        }
        output.clearLive()
        guard let level, level > LevelBar.floor else {
            return output.note(text(.nothingHeard))
        }
        let decibels = Int(level.rounded())
        output.note(
            level > -1
                ? text(.tooLoud) : level > -35 ? text.goodLevel(decibels: decibels) : text.quiet(decibels: decibels))
        await playBack(sound.samples.withLock { $0 })
    }

    /// A failure is not a failure of the microphone.
    private func playBack(_ samples: [Int16]) async {
        do {
            let player = try SoundPlayer(DeliveryTools(), device: choices.playbackDevice)
            output.note(text(.playingBack))
            let problem = await player.play(samples, rate: 16_000, "The recording", within: .seconds(20))
            if let problem { output.warn(problem) }
        } catch {
            output.note(error.message)
        }
    }
}

/// What the microphone heard during the trial. It is only here, and goes with this object.
private final class HeardSound: Sendable {
    let samples = Mutex<[Int16]>([])
}
