import Authorization
import Base
import Foundation
import Speech
import TestSupport
import Testing

@Suite("A session whose client goes to the background", .timeLimit(.minutes(1)))
struct SessionBackgroundTests {
    @Test("frames from the background are dropped, and pause and return are reported once")
    func pauses() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.microphone.speak(at: 0)
        await bench.deviceIsCaughtUp()
        bench.presence.now = .background
        bench.microphone.speak(at: 160)
        bench.microphone.speak(at: 320)
        await bench.told.has(.paused(reason: .background))
        await bench.deviceIsCaughtUp()
        bench.presence.now = .foreground
        bench.microphone.speak(at: 480)
        bench.microphone.speak(at: 640)
        await bench.notes.has("frames 640")
        await bench.told.has(.resumed(reason: .background))
        bench.session.control(.cancel)
        await running.value
        // The gap ends the utterance that was heard until then.
        #expect(
            bench.notes.values.filter { $0.hasPrefix("frames") || $0.hasPrefix("gap") } == [
                "frames 0", "gap 320", "frames 480", "frames 640",
            ])
        #expect(bench.pauses == [.paused(reason: .background), .resumed(reason: .background)])
        #expect(
            bench.outcome?.account
                == ListeningAccount([.heard(.foreground): 480, .dropped(.background): 320]))
    }

    @Test("while the presence of many clients is being read, none of their frames is heard, and other work goes on")
    func presenceIsRead() async throws {
        var sessions: [(bench: SessionBench, running: Task<Void, Never>, held: Latch<Void>)] = []
        for _ in 0...(2 * ProcessInfo.processInfo.activeProcessorCount) {
            let bench = try await SessionBench()
            let running = try await bench.running()
            sessions.append((bench, running, bench.presence.hold()))
            bench.microphone.speak(at: 0)
        }
        for session in sessions { await session.bench.presence.isRead() }
        await Task.detached {}.value
        #expect(sessions.allSatisfy { session in !session.bench.notes.values.contains("frames 0") })
        for session in sessions {
            session.held.set()
            await session.bench.notes.has("frames 0")
            session.bench.session.control(.cancel)
            await session.running.value
        }
    }

    @Test("a session that begins in the background is reported as paused at once")
    func fromTheBeginning() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.presence.now = .background
        bench.microphone.speak(at: 0)
        await bench.told.has(.paused(reason: .background))
        bench.session.control(.end)
        await bench.notes.has("finish")
        bench.recognizer.tell(.finished(duration: 0))
        await running.value
        #expect(bench.ending == .ended)
        #expect(!bench.notes.values.contains { $0.hasPrefix("frames") || $0.hasPrefix("gap") })
    }

    @Test("after suspend and background both must end before it listens")
    func withSuspend() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.session.control(.suspend)
        await bench.told.has(.paused(reason: .suspended))
        bench.presence.now = .background
        bench.microphone.speak(at: 0)
        await bench.told.has(.paused(reason: .background))
        bench.session.control(.resume)
        await bench.told.has(.resumed(reason: .suspended))
        bench.microphone.speak(at: 160)
        await bench.deviceIsCaughtUp()
        bench.session.control(.suspend)
        await bench.told.until { $0.count { $0 == .paused(reason: .suspended) } == 2 }
        bench.presence.now = .foreground
        bench.microphone.speak(at: 320)
        await bench.told.has(.resumed(reason: .background))
        await bench.deviceIsCaughtUp()
        #expect(!bench.notes.values.contains { $0.hasPrefix("frames") })
        bench.session.control(.resume)
        await bench.told.until { $0.count { $0 == .resumed(reason: .suspended) } == 2 }
        bench.microphone.speak(at: 480)
        await bench.notes.has("frames 480")
        bench.session.control(.cancel)
        await running.value
        #expect(bench.notes.values.filter { $0.hasPrefix("frames") } == ["frames 480"])
    }

    @Test("a device that is lost and returns in the background is reported, and its frames are dropped")
    func withDeviceLoss() async throws {
        let bench = try await SessionBench(DictationConfiguration(onDeviceLoss: .wait))
        let running = try await bench.running()
        bench.presence.now = .background
        bench.microphone.speak(at: 0)
        bench.microphone.send(.deviceLost(CaptureError(code: .deviceLost, device: "default", message: "Gone.")))
        bench.microphone.send(.deviceReturned)
        bench.microphone.speak(at: 160)
        await bench.told.has(.resumed(reason: .deviceLost))
        await bench.deviceIsCaughtUp()
        #expect(
            bench.pauses == [
                .paused(reason: .background), .paused(reason: .deviceLost), .resumed(reason: .deviceLost),
            ])
        #expect(!bench.notes.values.contains { $0.hasPrefix("frames") })
        bench.session.abandon(.disconnected)
        await running.value
    }

    @Test("a slow recogniser does not get frames of the background later")
    func slowRecognizer() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.recognizer.hold()
        bench.microphone.speak(at: 0)
        await bench.notes.has("frames 0")
        bench.presence.now = .background
        bench.microphone.speak(at: 160)
        await bench.told.has(.paused(reason: .background))
        bench.presence.now = .foreground
        bench.microphone.speak(at: 320)
        await bench.told.has(.resumed(reason: .background))
        bench.recognizer.release()
        await bench.notes.has("frames 320")
        bench.session.abandon(.disconnected)
        await running.value
        #expect(!bench.notes.values.contains("frames 160"))
    }

    @Test("a recogniser that is too slow loses frames, which is reported")
    func lag() async throws {
        let bench = try await SessionBench()
        let running = try await bench.running()
        bench.recognizer.hold()
        let second = [Int16](repeating: 1, count: 16_000)
        for number in 0..<12 { bench.microphone.speak(at: Int64(number) * 16_000, second) }
        await bench.told.has(.overrun(lostFrames: 16_000))
        bench.session.abandon(.disconnected)
        await running.value
        #expect(bench.ending == .disconnected)
    }

    @Test("with always, and with a declared background mode, it continues", arguments: [Scope.always, .whileInUse])
    func goesOn(_ scope: Scope) async throws {
        let bench = try await SessionBench(
            scope: scope,
            as: scope == .always
                ? Samples.requester() : Samples.requester(backgroundModes: ["audio"], permitsAlways: false))
        let running = try await bench.running()
        bench.presence.now = .background
        bench.microphone.speak(at: 0)
        await bench.notes.has("frames 0")
        #expect(await bench.session.presence() == .background)
        bench.session.abandon(.disconnected)
        await running.value
        #expect(bench.pauses.isEmpty)
    }

    @Test("it pauses if always is lowered during the session")
    func lowered() async throws {
        let bench = try await SessionBench(scope: .always)
        let running = try await bench.running()
        bench.presence.now = .background
        bench.microphone.speak(at: 0)
        await bench.notes.has("frames 0")
        let key = bench.requester.key(for: .microphone)
        try await bench.gate.decide(
            .authorized, for: key, program: AllowedProgram(sha256: "aa", path: "/usr/bin/editor"),
            by: bench.requester.caller)
        bench.microphone.speak(at: 160)
        await bench.told.has(.paused(reason: .background))
        bench.session.abandon(.disconnected)
        await running.value
        #expect(!bench.notes.values.contains("frames 160"))
    }

    @Test("a permission for one use that ends in the background ends its session, and one while in use does not")
    func once() async throws {
        for answer in [Answer.once, .whileInUse] {
            let bench = try await SessionBench(answering: answer, onceOutOfUse: 0)
            let running = try await bench.running()
            bench.presence.now = .background
            bench.microphone.speak(at: 0)
            await bench.told.has(.paused(reason: .background))
            await bench.gate.note(.background, of: bench.requester.caller.process)
            if answer == .once {
                await running.value
                #expect(bench.ending == .background)
                #expect(bench.outcome?.reason == "background")
                #expect(await bench.gate.status(of: .microphone, for: bench.requester) == .notDetermined)
            } else {
                await bench.deviceIsCaughtUp()
                #expect(bench.ending == nil)
                bench.session.abandon(.disconnected)
                await running.value
            }
        }
    }
}

extension SessionBench {
    /// What was told of pauses, in order.
    var pauses: [DictationEvent] {
        told.values.filter {
            switch $0 {
            case .paused, .resumed: true
            default: false
            }
        }
    }
}
