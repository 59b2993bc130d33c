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
        let bench = try await SessionBench().played(
            .speak(0), .deviceIsCaughtUp, .toBackground, .speak(160), .speak(320), .paused(.background),
            .deviceIsCaughtUp, .toForeground, .speak(480), .hear(640), .resumed(.background), .cancel)
        // The gap ends the utterance that was heard until then.
        #expect(bench.notes("frames", "gap") == ["frames 0", "gap 320", "frames 480", "frames 640"])
        #expect(bench.pauses == [.paused(reason: .background), .resumed(reason: .background)])
        #expect(bench.outcome?.account == ListeningAccount([.heard(.foreground): 480, .dropped(.background): 320]))
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
        #expect(sessions.allSatisfy { session in !session.bench.hasNoted("frames 0") })
        for session in sessions {
            session.held.set()
            await session.bench.notes.has("frames 0")
            session.bench.session.control(.cancel)
            await session.running.value
        }
    }

    @Test("a session that begins in the background is reported as paused at once")
    func fromTheBeginning() async throws {
        let bench = try await SessionBench().played(.toBackground, .speak(0), .paused(.background), .endToEnd)
        #expect(bench.ending == .ended)
        #expect(bench.notes("frames", "gap") == [])
    }

    @Test("after suspend and background both must end before it listens")
    func withSuspend() async throws {
        func twice(_ event: DictationEvent) -> SessionStep {
            .check { await $0.told.until { $0.count { $0 == event } == 2 } }
        }
        let bench = try await SessionBench().played(
            .suspend, .toBackground, .speak(0), .paused(.background), .resume, .speak(160), .deviceIsCaughtUp,
            .control(.suspend), twice(.paused(reason: .suspended)), .toForeground, .speak(320), .resumed(.background),
            .deviceIsCaughtUp, .check { #expect($0.notes("frames") == []) },
            .control(.resume), twice(.resumed(reason: .suspended)), .hear(480), .cancel)
        #expect(bench.notes("frames") == ["frames 480"])
    }

    @Test("a device that is lost and returns in the background is reported, and its frames are dropped")
    func withDeviceLoss() async throws {
        let bench = try await SessionBench(DictationConfiguration(onDeviceLoss: .wait)).played(
            .toBackground, .speak(0), .deviceIsLost, .device(.deviceReturned), .speak(160), .resumed(.deviceLost),
            .deviceIsCaughtUp, .disconnect)
        let expected: [DictationEvent] = [
            .paused(reason: .background), .paused(reason: .deviceLost), .resumed(reason: .deviceLost),
        ]
        #expect(bench.pauses == expected)
        #expect(bench.notes("frames") == [])
    }

    @Test("a slow recogniser does not get frames of the background later")
    func slowRecognizer() async throws {
        let bench = try await SessionBench().played(
            .hold, .hear(0), .toBackground, .speak(160), .paused(.background), .toForeground, .speak(320),
            .resumed(.background), .release, .noted("frames 320"), .disconnect)
        #expect(!bench.hasNoted("frames 160"))
    }

    @Test("a recogniser that is too slow loses frames, which is reported")
    func lag() async throws {
        let seconds = (0..<12).map { SessionStep.speak($0 * 16_000, 16_000) }
        let bench = try await SessionBench().played(
            [.hold] + seconds + [.told(.overrun(lostFrames: 16_000)), .disconnect])
        #expect(bench.ending == .disconnected)
    }

    @Test("with always, and with a declared background mode, it continues", arguments: [Scope.always, .whileInUse])
    func goesOn(_ scope: Scope) async throws {
        let requester =
            scope == .always ? Samples.requester() : Samples.requester(backgroundModes: ["audio"], permitsAlways: false)
        let bench = try await SessionBench(scope: scope, as: requester).played(
            .toBackground, .hear(0), .check { #expect(await $0.session.presence() == .background) }, .disconnect)
        #expect(bench.pauses.isEmpty)
    }

    @Test("it pauses if always is lowered during the session")
    func lowered() async throws {
        let bench = try await SessionBench(scope: .always).played(
            .toBackground, .hear(0), .lowerScope, .speak(160), .paused(.background), .disconnect)
        #expect(!bench.hasNoted("frames 160"))
    }

    @Test("a permission for one use that ends in the background ends its session, and one while in use does not")
    func once() async throws {
        let leave: [SessionStep] = [
            .toBackground, .speak(0), .paused(.background),
            .check { await $0.gate.note(.background, of: $0.requester.caller.process) },
        ]
        let once = try await SessionBench(answering: .once, onceOutOfUse: 0).played(leave)
        #expect(once.ending == .background && once.outcome?.reason == "background")
        #expect(await once.gate.status(of: .microphone, for: once.requester) == .notDetermined)
        try await SessionBench(answering: .whileInUse, onceOutOfUse: 0).played(
            leave + [.deviceIsCaughtUp, .check { #expect($0.ending == nil) }, .disconnect])
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
