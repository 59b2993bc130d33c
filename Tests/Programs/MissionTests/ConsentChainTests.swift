import Foundation
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("C. Privacy: from the question to the erasure", .timeLimit(.minutes(5)))
struct ConsentChainTests {
    private static let client = "org.example.curl"

    private func service(answers: [String] = ServiceUnderTest.yesToAll) async throws -> ServiceUnderTest {
        try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]), answers: answers
        )
    }

    private func dictate(_ service: ServiceUnderTest) async throws {
        let dictation = try service.curl("/v1/dictation", ["-d", #"{"stopAfterSilence":0.5}"#])
        await dictation.end()
        #expect(dictation.lines.compactMap { StreamEvent($0) }.last?.type == "ended")
    }

    private func trace(_ service: ServiceUnderTest, _ target: String) async throws -> [Record] {
        let (status, output, errors) = try await service.run(["audit", "trace", target, "--json"])
        #expect(status == 0, "\(errors)")
        return try output.map { try Record(line: $0) }
    }

    @Test(
        "C2 asked, shown, answered, used, kept, withdrawn, erased: each is a record, in order, and each names the one before"
    )
    func chain() async throws {
        let service = try await service()
        try service.registerCurl(keeping: ["recording": "P7D"])
        try await dictate(service)
        #expect(try await service.run(["reset", "--client", Self.client]).status == 0)
        let records = try await service.records { $0.contains { $0.kind == "data.erased" } }
        let session = try #require(records.first { $0.kind == "session.started" })
        let identifier = try #require(session.text("session"))
        let chain = try await trace(service, identifier)
        #expect(
            chain.map(\.kind).filter { $0 != "data.shared" }
                == [
                    "decision.asked", "notice.shown", "decision.granted", "decision.asked", "notice.shown",
                    "decision.granted", "session.started", "session.stopped", "data.retained", "data.erased",
                ].sortedAsIn(chain))
        for (earlier, later) in [
            ("decision.asked", "askedRecord"), ("notice.shown", "noticeRecord"),
        ] {
            let indexes = Set(chain.filter { $0.kind == earlier }.map(\.index))
            let named = Set(chain.compactMap { $0.fields[later] as? Int })
            #expect(indexes == named)
        }
        let grants = Set(chain.filter { $0.kind == "decision.granted" }.map(\.index))
        #expect(Set((session.fields["decisionRecords"] as? [String: Int] ?? [:]).values) == grants)
        let retained = try #require(chain.first { $0.kind == "data.retained" })
        let erased = try #require(chain.first { $0.kind == "data.erased" })
        #expect(retained.text("session") == identifier)
        #expect(erased.fields["items"] as? [String] == [try #require(retained.text("item"))])
        // The withdrawal names the grant that it revokes.
        let withdrawn = records.filter { $0.kind == "decision.withdrawn" }
        #expect(Set(withdrawn.compactMap { $0.fields["decisionRecord"] as? Int }) == grants)
    }

    @Test("C2 every second that was heard is traced to a grant, from a prompt, settings or an agent")
    func everySecond() async throws {
        let service = try await service(answers: [#"{"client":"*","resource":"*","answer":"once"}"#])
        try service.registerCurl()
        try await dictate(service)
        for resource in ["speechRecognition", "microphone"] {
            #expect(try await service.run(["settings", Self.client, "--allow", resource]).status == 0)
        }
        try await dictate(service)
        let heard = try await service.records().filter { $0.kind == "session.stopped" }
        #expect(heard.count == 2)
        for stopped in heard {
            #expect(stopped.fields["milliseconds"] as? Int ?? 0 > 0)
            let identifier = try #require(stopped.text("session"))
            let plain = try await service.run(["audit", "trace", identifier])
            #expect(plain.status == 0, "\(plain.errors)")
            #expect(plain.output.last?.contains(#/: listened [0-9.]+ s; permission: microphone on record/#) == true)
        }
        // What was never recorded cannot be traced.
        let unknown = try await service.run(["audit", "trace", UUID().uuidString])
        #expect(unknown.status == 66)
        #expect(unknown.output.isEmpty)
    }

    @Test("C1 C2 a grant in settings is recorded with the four items as the settings showed them")
    func settings() async throws {
        let service = try await service()
        try service.registerCurl(keeping: ["recording": "P7D"])
        let shown = try await service.run(["settings", "--json"])
        let change = try await service.run(["settings", Self.client, "--allow", "microphone"])
        #expect(change.status == 0)
        let granted = try #require(try await service.records().first { $0.kind == "decision.granted" })
        let notice = try #require(granted.text("notice"))
        // Its lines are broken and begin with a bar.
        func bare(_ text: String) -> String { text.filter { !$0.isWhitespace && $0 != "│" } }
        #expect(bare(change.errors).hasPrefix(bare(notice)), "the person saw it before it was done")
        let escaped = try #require(String(data: JSONEncoder().encode(notice), encoding: .utf8))
            .replacing("\\/", with: "/")
        #expect(shown.output.joined().contains(escaped))
        #expect(granted.text("language") == "en")
        #expect(granted.fields["dataKinds"] as? [String] == ["liveAudio", "transcript", "recording"])
        #expect(granted.text("purpose") == "To try the socket.")
        #expect(granted.text("retention") == "As VoiceGate keeps it.")
        #expect((granted.fields["recipients"] as? [String])?.isEmpty == true)
        #expect(granted.text("legalBasis") == "ExplicitlyExpressedConsent")
        #expect(granted.text("withdrawal") == "voicegate reset microphone --client \(Self.client)")
        #expect(granted.text("validity") == "whileInUse")
        #expect((granted.fields["controller"] as? [String: Any])?["name"] as? String == Self.client)
        #expect(try await !service.records().contains { $0.kind == "notice.shown" })
    }

    @Test(
        "C2 a session that a policy ends is not recorded as the user's choice, and the policy's record comes before the session's end"
    )
    func policy() async throws {
        var microphone = VirtualMicrophone(name: "mic", file: Programs.librivox("0870"))
        microphone.loops = true
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        let dictation = try service.curl("/v1/dictation", ["-d", "{}"])
        try await dictation.line(where: StreamEvent.isOf("started"))
        try service.folder.write(
            "deny:\n  - resource: microphone\n    client: \(Self.client)\n    reason: Exam.\n", to: "policy.d/exam.yaml"
        )
        try await dictation.line(where: StreamEvent.isOf("ended"))
        let again = try service.curl("/v1/dictation", ["-d", "{}"])
        await again.end()
        let records = try await service.records { $0.contains { $0.kind == "session.stopped" } }
        let kinds = records.map(\.kind)
        let revoked = try #require(kinds.firstIndex(of: "revoked.by_admin"))
        #expect(try #require(kinds.firstIndex(of: "policy.changed")) < revoked)
        #expect(revoked < (try #require(kinds.firstIndex(of: "session.stopped"))))
        let session = try #require(records.first { $0.kind == "session.started" })
        #expect(
            records[revoked].fields["leases"] as? [String]
                == [try #require((session.fields["grants"] as? [String: String])?["microphone"])])
        #expect((records[revoked].fields["rule"] as? [String: Any])?["reason"] as? String == "Exam.")
        let refused = try #require(records.last { $0.kind == "restricted.by_policy" })
        #expect(refused.text("cause") == "request" && refused.text("client") == Self.client)
        #expect(!kinds.contains("decision.withdrawn") && !kinds.contains("decision.denied"))
        #expect(!kinds.contains("access.blocked"))
        #expect(records.filter { $0.kind == "revoked.by_admin" }.allSatisfy { $0.text("decidedByExecutable") == nil })
    }

    @Test("C2 a service that was killed says at its next start which sessions have no end")
    func recovery() async throws {
        var microphone = VirtualMicrophone(name: "mic", file: Programs.librivox("0870"))
        microphone.loops = true
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        let dictation = try service.curl("/v1/dictation", ["-d", "{}"])
        try await dictation.line(where: StreamEvent.isOf("started"))
        service.program.signal(SIGKILL)
        await service.program.end()
        await dictation.end()
        let next = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll, continuing: service)
        let records = try await next.records()
        let session = try #require(records.first { $0.kind == "session.started" }?.text("session"))
        let recovery = try #require(records.last { $0.kind == "recovery" })
        #expect(recovery.fields["sessions"] as? [String] == [session])
        #expect(recovery.text("reason") == "restarted")
        await next.stop()
        // It is said once.
        let last = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll, continuing: next)
        #expect(try await last.records().count { $0.kind == "recovery" } == 1)
    }
}

extension [String] {
    /// The same words in the order in which the records have them; what is kept may be written before or after the end.
    fileprivate func sortedAsIn(_ records: [Record]) -> [String] {
        var rest = self
        var sorted: [String] = []
        for record in records {
            if let place = rest.firstIndex(of: record.kind) { sorted.append(rest.remove(at: place)) }
        }
        return sorted + rest
    }
}
