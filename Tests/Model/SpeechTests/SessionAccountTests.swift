import Authorization
import Speech
import TestSupport
import Testing

@Suite("The account of a session's time", .timeLimit(.minutes(1)))
struct SessionAccountTests {
    private static let lost = CaptureError(code: .deviceLost, device: "default", message: "Gone.")

    /// Does what a device and a client can do, in a random order, and counts what must come of it.
    private struct World {
        let bench: SessionBench
        var random: SeededGenerator
        var position: Int64 = 0
        var isSuspended = false
        var scope = Scope.always
        var expected = ListeningAccount()

        mutating func step() async throws {
            switch Int.random(in: 0..<9, using: &random) {
            case 0..<4: await speak()
            case 4:
                isSuspended.toggle()
                let count = bench.told.values.count
                bench.session.control(isSuspended ? .suspend : .resume)
                await bench.told.until { $0.count > count }
            case 5: bench.presence.now = bench.presence.now == .foreground ? .background : .foreground
            case 6:
                skip(.overrun(lostFrames: 480), 480, as: .dropped(.overrun))
                await speak()
            case 7:
                bench.microphone.send(.deviceLost(SessionAccountTests.lost))
                skip(.deviceReturned, 4_800, as: .paused)
                await speak()
            default:
                skip(.asleep(frames: 8_000), 8_000, as: .paused)
                await speak()
            }
            await bench.deviceIsCaughtUp()
        }

        mutating func lower() async throws {
            scope = .whileInUse
            try await bench.lowerScope()
        }

        private mutating func speak() async {
            let count = Int.random(in: 1...1_600, using: &random)
            bench.microphone.speak(at: position, [Int16](repeating: 1, count: count))
            position += Int64(count)
            let kind: ListeningAccount.Kind =
                if isSuspended {
                    .suspended
                } else if bench.presence.now == .foreground {
                    .heard(.foreground)
                } else {
                    scope == .always ? .heard(.always) : .dropped(.background)
                }
            expected.add(Int64(count), as: kind)
            await bench.deviceIsCaughtUp()
        }

        /// Its kind is known by what came before the next frames.
        private mutating func skip(_ event: CaptureEvent, _ count: Int64, as kind: ListeningAccount.Kind) {
            bench.microphone.send(event)
            position += count
            expected.add(count, as: kind)
        }
    }

    @Test(
        "every frame of the device's time has the kind that presence, suspension and the device give it",
        arguments: 0..<30)
    func kinds(seed: UInt64) async throws {
        let bench = try await SessionBench(DictationConfiguration(onDeviceLoss: .wait), scope: .always)
        let running = try await bench.running()
        var world = World(bench: bench, random: SeededGenerator(seed: seed))
        for step in 0..<40 {
            if step == 25 { try await world.lower() }
            try await world.step()
        }
        bench.session.control(.end)
        await bench.notes.has("finish")
        bench.recognizer.tell(.finished(duration: 0))
        await running.value
        let account = try #require(bench.outcome?.account)
        #expect(account.captured == world.position)
        #expect(account == world.expected, "seed \(seed)")
        #expect(bench.session.outcome?.account == account)
    }

    @Test(
        "whatever ends it, with a recogniser that is slow or dead, the kinds add up to what was captured",
        arguments: 0..<60)
    func sum(seed: UInt64) async throws {
        let bench = try await SessionBench(DictationConfiguration(onDeviceLoss: .wait))
        let running = try await bench.running()
        var random = SeededGenerator(seed: seed)
        var position: Int64 = 0
        for _ in 0..<20 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bench.recognizer.hold()
            case 1: bench.recognizer.release()
            case 2: bench.session.control(Bool.random(using: &random) ? .suspend : .resume)
            case 3: bench.presence.now = Bool.random(using: &random) ? .foreground : .background
            case 4: position += Int64.random(in: 1...9_000, using: &random)
            default:
                let count = Int.random(in: 1...48_000, using: &random)
                bench.microphone.speak(at: position, [Int16](repeating: 1, count: count))
                position += Int64(count)
            }
        }
        bench.microphone.speak(at: position, [1])
        switch seed % 6 {
        case 0:
            bench.recognizer.release()
            bench.session.control(.end)
            await bench.notes.has("finish")
            bench.recognizer.tell(.finished(duration: 0))
        case 1: bench.session.control(.cancel)
        case 2: try await bench.revoke()
        case 3: bench.session.abandon(.disconnected)
        case 4: bench.recognizer.tell(.failed(RecognitionError(code: .workerDied, message: "It died.")))
        default:
            bench.session.control(.end)
            await bench.notes.has("close")
            bench.session.control(.cancel)
        }
        await running.value
        let account = try #require(bench.outcome?.account)
        #expect(account.captured == position + 1, "seed \(seed): \(account)")
        #expect(account.milliseconds.values.reduce(0, +) == account.captured / 16)
    }
}
