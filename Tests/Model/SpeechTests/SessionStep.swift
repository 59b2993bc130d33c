import Authorization
import Base
import Foundation
import Speech
import TestSupport

/// One step of a session's story: what the device, the recogniser, the client or the user does, or what is waited for.
struct SessionStep: Sendable {
    let run: @Sendable (SessionBench) async throws -> Void

    init(_ run: @escaping @Sendable (SessionBench) async throws -> Void) { self.run = run }

    // MARK: The device

    /// The device has these frames, by default a hundredth of a second.
    static func speak(_ position: Int64, _ count: Int = 160, of sample: Int16 = 1) -> Self {
        Self { $0.microphone.speak(at: position, [Int16](repeating: sample, count: count)) }
    }

    /// The device has a hundredth of a second, which is waited for in the recogniser.
    static func hear(_ position: Int64) -> Self {
        Self {
            $0.microphone.speak(at: position)
            await $0.notes.has("frames \(position)")
        }
    }

    static func device(_ event: CaptureEvent) -> Self { Self { $0.microphone.send(event) } }

    static func deviceFails(_ code: CaptureError.Code, _ message: String) -> Self {
        device(.failed(CaptureError(code: code, device: "default", message: message)))
    }

    static let deviceIsLost = device(.deviceLost(CaptureError(code: .deviceLost, device: "default", message: "Gone.")))
    static let deviceIsCaughtUp = Self { await $0.deviceIsCaughtUp() }

    // MARK: The recogniser

    static func recognise(_ events: RecognitionEvent...) -> Self {
        Self { for event in events { $0.recognizer.tell(event) } }
    }

    /// The text is recognised, and waited for in the client.
    static func say(_ word: String?, end: Double = 1) -> Self {
        Self {
            $0.recognizer.tell(.final(.sample(word, end: end)))
            await $0.told.has(.final(.sample(word, end: end)))
        }
    }

    static let recognizerDies = recognise(.failed(RecognitionError(code: .workerDied, message: "It died.")))
    static let finished = recognise(.finished(duration: 0))
    static let hold = Self { $0.recognizer.hold() }
    static let release = Self { $0.recognizer.release() }
    static let vanish = Self { $0.recognizer.vanish() }

    // MARK: The client

    static func control(_ controls: SessionControl...) -> Self {
        Self { for control in controls { $0.session.control(control) } }
    }

    static let cancel = control(.cancel)
    static let disconnect = abandon(.disconnected)

    /// The client ends it, and the recogniser has the last sound.
    static let end = Self {
        $0.session.control(.end)
        await $0.notes.has("finish")
    }

    /// The client ends it, and the recogniser finishes.
    static let endToEnd = Self {
        try await end.run($0)
        try await finished.run($0)
    }

    /// The client pauses it, and is told.
    static let suspend = Self {
        $0.session.control(.suspend)
        await $0.told.has(.paused(reason: .suspended))
    }

    static let resume = Self {
        $0.session.control(.resume)
        await $0.told.has(.resumed(reason: .suspended))
    }

    static func abandon(_ ending: DictationEnding) -> Self { Self { $0.session.abandon(ending) } }
    static let processEnds = Self { await $0.gate.processEnded($0.requester.caller.process) }
    static let toBackground = Self { $0.presence.now = .background }
    static let toForeground = Self { $0.presence.now = .foreground }

    // MARK: The user

    static func revoke(_ resource: Resource = .microphone) -> Self { Self { try await $0.revoke(resource) } }

    static let restrict = Self { try await $0.restrict() }
    static let lowerFidelity = Self { try await $0.lower() }
    static let lowerScope = Self { try await $0.lowerScope() }

    // MARK: Events

    static func noted(_ note: String) -> Self { Self { await $0.notes.has(note) } }
    static func told(_ event: DictationEvent) -> Self { Self { await $0.told.has(event) } }
    static func paused(_ reason: PauseReason) -> Self { told(.paused(reason: reason)) }
    static func resumed(_ reason: PauseReason) -> Self { told(.resumed(reason: reason)) }

    /// What holds at this time.
    static func check(_ test: @escaping @Sendable (SessionBench) async throws -> Void) -> Self { Self(test) }
}

extension SessionBench {
    /// Starts the session, takes the steps, and returns when it is over.
    @discardableResult
    func played(_ steps: SessionStep...) async throws -> SessionBench { try await played(steps) }

    @discardableResult
    func played(_ steps: [SessionStep]) async throws -> SessionBench {
        let running = try await running()
        for step in steps { try await step.run(self) }
        await running.value
        return self
    }

    /// The notes with one of the prefixes, in order.
    func notes(_ prefixes: String...) -> [String] {
        notes.values.filter { note in prefixes.contains { note.hasPrefix($0) } }
    }

    func hasNoted(_ note: String) -> Bool { notes.values.contains(note) }
}
