import Foundation
import NIOCore
import Testing

@testable import Sender

@Suite(
    "A collector that lies, and the sender at a real service", .timeLimit(.minutes(2)), .serialized,
    .enabled(if: SenderBench.hasService, "The main package is not built: Scripts/build-debug"))
struct LyingCollectorTests {
    private typealias Answer = CollectorLog.Answer

    /// Both are at work, and the host is enrolled.
    private struct Scene {
        let bench: SenderBench
        let collector: ScriptedCollector
        let service: ChildProcess

        init(records: Int) async throws {
            bench = try await SenderBench(records: records)
            collector = try await ScriptedCollector()
            try bench.configure(collector.url)
            service = try await bench.startService()
            try await bench.enroll()
        }

        func reports(_ count: Int) async throws {
            let now = await collector.log.reports.count
            try await until { await collector.log.reports.count >= now + count }
        }

        /// Once the collector is honest it gets everything, from this sender or from the next.
        func endsWell(_ sender: ChildProcess, _ size: UInt64) async throws {
            await collector.log.beHonest()
            try await collector.caughtUp(size)
            await sender.stop()
            #expect(sender.status == 0)
            await service.stop()
            #expect(service.status == 0)
            try await bench.expectAll(at: collector)
            try await collector.stop()
        }
    }

    @Test(
        """
        one that asks for the same again and again, back and forth, or acknowledges one record each time, is noticed; it \
        gets reports, and everything later
        """,
        arguments: [["302\n0\n\n"], ["302\n0\n\n", "302\n256\n\n"], (0..<255).map { "302\n\($0)\n\n" }])
    func standstill(_ asked: [String]) async throws {
        let scene = try await Scene(records: 300)
        let log = scene.collector.log
        await log.lie("/add-records", asked.map { Answer(status: .accepted, body: $0) })
        let sender = try scene.bench.startSender()
        try await sender.line("again and again.")
        #expect(sender.text.contains(/The collector asks for record \d+ again and again\./))
        try await scene.reports(2)
        let uploads = await log.requests.count { $0 == "/add-records" }
        // To 0, to 256 and four times back: six until it is noticed.
        #expect(uploads <= (sender.count("again and again.") + 1) * 6)
        try await scene.endsWell(sender, 302)
    }

    @Test("one that accepts a checkpoint and goes on with a smaller one is noticed, and gets no upload without a pause")
    func smallerCheckpoint() async throws {
        let scene = try await Scene(records: 300)
        let log = scene.collector.log
        await log.lie("/add-records", [Answer(status: .conflict, body: "100\n100\n\n"), Answer(status: .ok)])
        let sender = try scene.bench.startSender()
        try await sender.line("The collector has a checkpoint of 100 records, after it accepted one of ")
        try await scene.reports(2)
        let uploads = await log.requests.count { $0 == "/add-records" }
        #expect(uploads <= 2 * (sender.count("after it accepted") + 1))
        try await scene.endsWell(sender, 302)
    }

    @Test(
        "one that claims more records than the log has is noticed; it gets reports and no records",
        arguments: ["302\n400\n\n", "400\n0\n\n", "\(UInt64.max)\n400\n\n", "0\n\(UInt64.max)\n\n"])
    func moreRecords(_ claimed: String) async throws {
        let scene = try await Scene(records: 300)
        let log = scene.collector.log
        await log.lie("/add-records", [Answer(status: .conflict, body: claimed)])
        let sender = try scene.bench.startSender()
        let most = claimed.split(separator: "\n").compactMap { UInt64($0) }.max() ?? 0
        try await sender.line("The collector has \(most) records of this log, which has ")
        try await scene.reports(2)
        #expect(await log.requests.count { $0 == "/add-records" } == 1)
        await sender.stop()
        try await scene.endsWell(try scene.bench.startSender(), 302)
    }

    @Test("one that has another log is noticed; it gets reports and no records")
    func anotherLog() async throws {
        let scene = try await Scene(records: 300)
        let log = scene.collector.log
        await log.lie("/add-checkpoint", [Answer(status: .unprocessableEntity, body: "no proof\u{1B}[2J\n")])
        let sender = try scene.bench.startSender()
        try await sender.line("The collector has another log than this one: ")
        #expect(sender.text.contains("422 no proof [2J"))
        try await scene.reports(2)
        #expect(await !log.requests.contains("/add-records"))
        #expect(await log.requests.count { $0 == "/add-checkpoint" } == 1)
        await sender.stop()
        try await scene.endsWell(try scene.bench.startSender(), 302)
    }

    @Test("numbers that no log has are refused, and not kept: the same sender goes on when the collector is honest")
    func largestNumbers() async throws {
        let scene = try await Scene(records: 300)
        let log = scene.collector.log
        await log.script("/add-checkpoint", Answer(status: .forbidden), Answer(status: .forbidden))
        await log.script(
            "/add-records", Answer(status: .conflict, body: "\(UInt64.max)\n0\n\n"),
            Answer(status: .conflict, body: "1000000\n0\n\n"))
        await log.script(
            "/report", Answer(status: .conflict, body: #"{"counter":\#(UInt64.max)}"#),
            Answer(status: .conflict, body: #"{"counter":\#(Int64.max)}"#),
            Answer(status: .ok, body: #"{"interval":\#(Int.max)}"#), Answer(status: .ok, body: #"{"interval":0}"#))
        let sender = try scene.bench.startSender()
        try await until { await log.isScriptDone }
        try await scene.reports(2)
        #expect(sender.count("The answer cannot be read.") == 1)
        #expect(sender.count("The collector's counter cannot be read.") == 1)
        try await scene.endsWell(sender, 302)
    }

    @Test(
        "one whose answers have no end is cut off: little is read, the sender does not grow, and it goes on",
        arguments: [[:], ["content-length": "1000000000000"]])
    func flood(_ headers: [String: String]) async throws {
        let scene = try await Scene(records: 300)
        let log = scene.collector.log
        let sender = try scene.bench.startSender()
        try await scene.collector.caughtUp(302)
        try await scene.reports(1)
        await scene.service.stop()
        let before = try sender.peakMemory
        for path in ["/add-checkpoint", "/add-records", "/report"] {
            await log.script(
                path, Answer(status: .ok, headers: .init(Array(headers)), course: .flood),
                Answer(status: .serviceUnavailable, headers: .init(Array(headers)), course: .flood))
        }
        try await scene.bench.write(300)
        let service = try await scene.bench.startService()
        try await until { await log.isScriptDone }
        try await scene.collector.caughtUp(602)
        try await scene.reports(1)
        #expect(sender.count("The answer has more than 1048576 bytes.") == 3)
        // The bytes on the way are in the kernel's buffers of both ends.
        #expect(scene.collector.floods.taken.load(ordering: .relaxed) < 6 << 24)
        #expect(try sender.peakMemory < before + 1 << 24)
        await sender.stop()
        await service.stop()
        try await scene.bench.expectAll(at: scene.collector)
        try await scene.collector.stop()
    }
}

@Suite("A slow collector", .timeLimit(.minutes(1)))
struct SlowCollectorTests {
    private static let moment = TimeAmount.milliseconds(200)

    @Test(
        "an answer that does not begin, that stops, or that comes a byte at a time is given up, and the next one is read",
        arguments: [
            (CollectorLog.Answer.Course.withheld, HTTPClients.Timeouts(head: moment)),
            (.unfinished, .init(silence: moment)),
            (.drip(.milliseconds(10)), .init(body: .milliseconds(200))),
        ])
    func slow(_ course: CollectorLog.Answer.Course, _ timeouts: HTTPClients.Timeouts) async throws {
        let collector = try await ScriptedCollector()
        let answer = CollectorLog.Answer(status: .accepted, body: "302\n", course: course)
        await collector.log.script("/add-records", answer)
        try await HTTPClients.with(trusting: nil, showing: nil, timeouts: timeouts) { clients in
            let connection = try CollectorConnection(
                Credential(
                    url: collector.url, token: CollectorLog.token, host: 7, interval: 1, certificates: nil,
                    clientCertificate: nil), clients)
            let error = await #expect(throws: (any Error).self) { try await connection.position(origin: "log") }
            #expect(error.map { SenderError($0).code } == .unavailable, "\(error.map { "\($0)" } ?? "")")
            // On a busy machine an honest answer may take as long.
            try await until { (try? await connection.position(origin: "log").next) == 0 }
        }
        try await collector.stop()
    }
}
