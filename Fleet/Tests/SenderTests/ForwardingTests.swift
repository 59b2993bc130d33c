import Consent
import FleetModel
import Foundation
import NIOSSL
import Testing

@testable import Sender

@Suite(
    "The sender at a real service", .timeLimit(.minutes(5)), .serialized,
    .enabled(if: SenderBench.hasService, "The main package is not built: Scripts/build-debug"))
struct ForwardingTests {
    @Test("a log of thousands of records is sent in bounded uploads, in order, once each, and reported")
    func all() async throws {
        let bench = try await SenderBench(records: 20_000)
        let collector = try await ScriptedCollector()
        try bench.configure(collector.url)
        let service = try await bench.startService()
        let enrolled = try await bench.enroll()
        #expect(enrolled.status == 0, "\(enrolled.text)")
        #expect(enrolled.text.contains("Enrolled with Example Audit as host 7."))
        let sender = try bench.startSender()
        try await collector.caughtUp(20_002)
        try await until { await collector.log.reports.count >= 2 }
        #expect(sender.text.contains("is not encrypted; it stays on this machine"))
        #expect(await collector.log.largestUpload < 32 * 256 * 400)
        #expect(await collector.log.reports.allSatisfy { $0["rolledBack"] == "false" })
        let status = try await bench.sender(["status"])
        #expect(status.status == 0 && status.text.contains("There      20003 records, host 7"), "\(status.text)")
        await sender.stop()
        #expect(sender.status == 0)
        await service.stop()
        try await bench.expectAll(at: collector)
        try await collector.stop()
    }

    @Test("records that are lost, refused for now or answered with nonsense are sent again, none of them twice")
    func faults() async throws {
        let bench = try await SenderBench(records: 3_000)
        let collector = try await ScriptedCollector()
        try bench.configure(collector.url)
        let service = try await bench.startService()
        try await bench.enroll()
        await collector.log.limit(to: 2)
        await collector.log.script(
            "/add-checkpoint", .init(status: .serviceUnavailable, headers: ["retry-after": "1"]),
            .init(status: .conflict, body: "nonsense\n"))
        await collector.log.script(
            "/add-records", .init(status: .tooManyRequests, headers: ["retry-after": "0"]),
            .init(status: .accepted, body: "1\n"), .init(status: .internalServerError))
        await collector.log.script("/report", .init(status: .badGateway))
        let sender = try bench.startSender()
        try await collector.caughtUp(3_002)
        try await until { await !collector.log.reports.isEmpty }
        #expect(await collector.log.isScriptDone)
        await sender.stop()
        await service.stop()
        try await bench.expectAll(at: collector)
        try await collector.stop()
    }

    @Test("a killed sender goes on at the position of the collector; a service that restarts is followed again")
    func killed() async throws {
        let bench = try await SenderBench(records: 5_000)
        let collector = try await ScriptedCollector()
        try bench.configure(collector.url)
        var service = try await bench.startService()
        try await bench.enroll()
        await collector.log.limit(to: 1)
        var sender = try bench.startSender()
        for step in 1...4 {
            try await collector.caughtUp(UInt64(step * 600))
            await sender.stop(SIGKILL)
            sender = try bench.startSender()
        }
        await collector.log.limit(to: .max)
        try await collector.caughtUp(5_002)
        await service.stop(SIGKILL)
        try await bench.write(10)
        service = try await bench.startService()
        let size = UInt64(try await checkpointSize(bench))
        try await collector.caughtUp(size)
        await sender.stop()
        await service.stop()
        try await bench.expectAll(at: collector)
        try await collector.stop()
    }

    private func checkpointSize(_ bench: SenderBench) async throws -> Int {
        let printed = try await bench.commandLine(["audit", "checkpoint"])
        return try #require(printed.text.split(separator: "\n").dropFirst().first.flatMap { Int($0) })
    }

    @Test("a log that was put back is reported with its smaller checkpoint, and nothing of it is sent")
    func rolledBack() async throws {
        let bench = try await SenderBench(records: 300)
        let collector = try await ScriptedCollector()
        try bench.configure(collector.url)
        var service = try await bench.startService()
        try await bench.enroll()
        var sender = try bench.startSender()
        try await collector.caughtUp(302)
        await service.stop()
        // All of it, the files of the key and the checkpoint too, so that the service itself cannot notice.
        let (copy, files) = (bench.folder + "/copy", FileManager.default)
        try files.copyItem(atPath: bench.state, toPath: copy)
        try await bench.write(20)
        service = try await bench.startService()
        try await collector.caughtUp(322)
        await service.stop()
        let (size, reports) = (await collector.log.tree.size, await collector.log.reports.count)

        try files.removeItem(atPath: bench.state)
        try files.moveItem(atPath: copy, toPath: bench.state)
        service = try await bench.startService()
        try await sender.line("It was put back to an earlier state.")
        await sender.stop()
        sender = try bench.startSender()
        try await sender.line("It was put back to an earlier state.")
        // An earlier one may still be on its way.
        try await until { await collector.log.reports.dropFirst(reports).last?["rolledBack"] == "true" }
        #expect(await collector.log.tree.size == size)
        await sender.stop()
        await service.stop()
        try await collector.stop()
    }

    @Test("proofs have no fields but those of the log itself")
    func proofs() async throws {
        let bench = try await SenderBench(records: 30)
        let collector = try await ScriptedCollector()
        try bench.configure(collector.url, send: "proofs")
        let service = try await bench.startService()
        try await bench.enroll()
        let sender = try bench.startSender()
        try await collector.caughtUp(32)
        await sender.stop()
        await service.stop()
        let kinds = zip(await collector.log.entries, await collector.log.disclosures).compactMap { entry, disclosure in
            disclosure.flatMap { try? ConsentRecord(leaf: entry, disclosure: $0) }?.kind
        }
        #expect(Set(kinds) == [.genesis, .keyRotated])
        try await collector.stop()
    }

    @Test("after the log's key was replaced while no sender ran, the collector learns the new key from the old one")
    func rotated() async throws {
        let bench = try await SenderBench(records: 10)
        let collector = try await ScriptedCollector()
        try bench.configure(collector.url)
        var service = try await bench.startService()
        try await bench.enroll()
        var sender = try bench.startSender()
        try await collector.caughtUp(12)
        await sender.stop()
        for _ in 0..<2 {
            await service.stop()
            try await bench.rotateKey()
            try await bench.write(5)
            service = try await bench.startService()
        }
        // The report is then the first to be sent, with a key that is not known yet: it is not to wait long for the next time.
        await collector.log.script("/add-checkpoint", .init(status: .serviceUnavailable, headers: ["retry-after": "0"]))
        sender = try bench.startSender()
        let size = UInt64(try await checkpointSize(bench))
        try await collector.caughtUp(size)
        try await until { await collector.log.reports.last.flatMap { $0["size"] } == "\(size)" }
        await sender.stop()
        await service.stop()
        try await bench.expectAll(at: collector)
        try await collector.stop()
    }

    @Test("the token goes to the collector where the host was enrolled, and to no other")
    func anotherCollector() async throws {
        let bench = try await SenderBench(records: 3)
        let (first, second) = (try await ScriptedCollector(), try await ScriptedCollector())
        try bench.configure(first.url)
        var service = try await bench.startService()
        #expect(try await bench.enroll(token: "other").status == 77)
        #expect(!FileManager.default.fileExists(atPath: bench.credential))
        try await bench.enroll()
        var status = stat()
        #expect(stat(bench.credential, &status) == 0 && status.st_mode & 0o777 == 0o600)
        await first.log.script(
            "/report", .init(status: .permanentRedirect, headers: ["location": "\(second.url)/report"]))
        let redirected = try bench.startSender()
        try await until { await first.log.isScriptDone }
        await redirected.stop()
        await service.stop()
        try bench.configure(second.url, name: "Other")
        service = try await bench.startService()
        let sender = try bench.startSender()
        try await sender.line("This host is enrolled at \(first.url), but the service declares \(second.url).")
        await sender.stop()
        await service.stop()
        #expect(await second.log.requests.isEmpty)
        try await first.stop()
        try await second.stop()
    }

    @Test("over TLS the collector's certificate must be signed by the one that was named, and no token goes elsewhere")
    func encrypted() async throws {
        let bench = try await SenderBench(records: 3)
        let files = try SenderBench.certificate(in: bench.folder)
        let collector = try await ScriptedCollector(
            tls: .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(files.certificate).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: files.key, format: .pem))))
        try bench.configure(collector.url)
        let service = try await bench.startService()
        let unknown = try await bench.enroll()
        #expect(unknown.status == 69, "\(unknown.text)")
        #expect(await collector.log.requests.isEmpty)
        let enrolled = try await bench.enroll(["--ca", files.certificate])
        #expect(enrolled.status == 0, "\(enrolled.text)")
        try FileManager.default.removeItem(atPath: files.certificate)
        let sender = try bench.startSender()
        try await collector.caughtUp(5)
        try await until { await !collector.log.reports.isEmpty }
        #expect(!sender.text.contains("not encrypted"))
        await sender.stop()
        await service.stop()
        try await bench.expectAll(at: collector)
        try await collector.stop()
    }

    @Test(
        "in enforced mode the log goes to voicegate-sender beside the service, run by the user of that name, and to no other",
        .enabled(if: geteuid() == 0, "needs root to become other users"))
    func enforced() async throws {
        let bench = try await SenderBench(records: 300, isForAll: true)
        let collector = try await ScriptedCollector()
        try bench.configure(collector.url)
        let (own, other): (UInt32, UInt32) = (64_123, 64_124)
        // The service's own view of the machine has the user; the machine gets none.
        let users = bench.folder + "/passwd"
        let known = try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
        try "voicegate-sender:x:\(own):\(own)::/nonexistent:/usr/sbin/nologin\n\(known)".write(
            toFile: users, atomically: true, encoding: .utf8)
        let mount = "mount --bind '\(users)' /etc/passwd && exec \"$@\""
        let service = try await bench.startService(
            ["--mode", "enforced"], within: ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", mount, "sh"])
        chmod(bench.socket, 0o666)
        let state = bench.folder + "/sender"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
        #expect(chown(state, own, own) == 0)

        let copy = bench.folder + "/voicegate-sender"
        try FileManager.default.copyItem(atPath: bench.sender, toPath: copy)
        for (user, program) in [(other, nil), (nil, nil), (own, copy)] as [(UInt32?, String?)] {
            let status = try await bench.sender(["status"], as: user, program: program)
            #expect(status.status == 77, "\(status.text)")
            #expect(status.text.contains("Only voicegate-sender reads the log"), "\(status.text)")
            #expect(!status.text.contains(collector.url))
        }
        #expect(await collector.log.requests.isEmpty)

        let enrolled = try await bench.enroll(as: own)
        #expect(enrolled.status == 0, "\(enrolled.text)")
        let sender = try bench.startSender(as: own)
        try await collector.caughtUp(302)
        await sender.stop()
        await service.stop()
        try await bench.expectAll(at: collector)
        try await collector.stop()
    }

    @Test("without a collector, or without enrolment, nothing is sent, and the message says what to do")
    func notConfigured() async throws {
        let bench = try await SenderBench(records: 1)
        try "warmRecognizers: 0\n".write(toFile: bench.folder + "/config.yaml", atomically: true, encoding: .utf8)
        let service = try await bench.startService()
        let enrolled = try await bench.enroll()
        #expect(enrolled.status == 69 && enrolled.text.contains("collector: {url, name, purpose}"), "\(enrolled.text)")
        let run = try bench.startSender()
        await run.end()
        #expect(run.status == 78 && run.text.contains("voicegate-sender enroll"), "\(run.text)")
        await service.stop()
    }
}

@Suite("The sender's state and pauses", .timeLimit(.minutes(1)))
struct SenderTests {
    @Test("a pause doubles up to five minutes, is spread at random, and is not shorter than the collector asks for")
    func pauses() {
        let unavailable = SenderError(.unavailable, "")
        for share in [0.5, 1.0] {
            var backOff = BackOff { $0.lowerBound + ($0.upperBound - $0.lowerBound) * (share * 2 - 1) }
            let pauses = (0..<12).map { _ in backOff.pause(after: unavailable) }
            #expect(pauses.first == .seconds(1) * share)
            #expect(pauses[3] == .seconds(8) * share)
            #expect(pauses.last == .seconds(300) * share)
            backOff.reset()
            #expect(backOff.pause(after: unavailable) == .seconds(1) * share)
            let asked = SenderError(.unavailable, "", retryAfter: .seconds(1000))
            #expect(backOff.pause(after: asked) >= .seconds(1000))
            #expect(backOff.pause(after: SenderError(.refused, "")) >= .seconds(150))
        }
    }

    @Test("mirror-info of another form is refused")
    func mirrorInfo() {
        #expect(MirrorInfo(Data("12\n3\ndGlja2V0\n".utf8))?.ticket == Data("ticket".utf8))
        #expect(MirrorInfo(Data("12\n3\n\n".utf8)) == MirrorInfo(size: 12, next: 3))
        #expect(MirrorInfo(size: 12, next: 3).text == "12\n3\n\n")
        for text in ["", "12\n3\n", "12\n3\n\n\n", "12\n3\n=\n", "-1\n3\n\n", "12\n3\n\nx"] {
            #expect(MirrorInfo(Data(text.utf8)) == nil, "\(text)")
        }
    }

    @Test("plain text is for the loopback alone")
    func plainText() async throws {
        try await HTTPClients.with(trusting: nil, showing: nil) { clients in
            for (url, isAccepted) in [
                ("https://a.example", true), ("http://127.0.0.1:1", true), ("http://a.example", false), ("", false),
            ] {
                let credential = Credential(
                    url: url, token: "t", host: 1, interval: 60, certificates: nil, clientCertificate: nil)
                #expect(((try? CollectorConnection(credential, clients)) != nil) == isAccepted)
            }
        }
    }

    @Test("a certificate that is not one is refused", arguments: ["", "-----BEGIN CERTIFICATE-----\n", "text"])
    func certificates(_ text: String) async {
        await #expect(throws: SenderError.self) { try await HTTPClients.with(trusting: text, showing: nil) { _ in } }
    }
}
