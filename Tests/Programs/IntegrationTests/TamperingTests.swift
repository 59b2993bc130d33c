import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Changes to the state by another program", .timeLimit(.minutes(2)))
struct TamperingTests {
    func microphones(_ folder: TemporaryFolder) throws -> VirtualMicrophoneConfiguration {
        var microphone = VirtualMicrophone(name: "mic", file: Programs.librivox("0870"))
        microphone.loops = true
        microphone.openedFile = folder.path + "/opened"
        return try VirtualMicrophoneConfiguration([microphone])
    }

    /// Changes the database with a tool that is not ours, while no service runs.
    func change(_ database: String, _ statement: String, _ environment: [String: String]) async throws {
        let script =
            "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit(); print(c.total_changes)"
        let tool = try RunningProgram(
            ["/usr/bin/python3", "-c", script, database, statement], environment: environment)
        #expect(await tool.end() == 0, "\(tool.errorText)")
        #expect(tool.lines != ["0"])
    }

    @Test(
        "a denial that was changed into a grant in the database grants nothing, is named by verify and reported in status"
    )
    func forgedYes() async throws {
        let folder = try TemporaryFolder()
        let service = try await ServiceUnderTest(
            microphones(folder), answers: [#"{"client":"*","resource":"*","answer":"deny"}"#])
        try service.registerCurl()
        for resource in ["speechRecognition", "microphone"] {
            let request = try service.curl("/v1/authorization/requests", ["-d", #"{"resource":"\#(resource)"}"#])
            await request.end()
        }
        await service.stop()
        try await change(
            service.stateDirectory + "/consent.sqlite", "UPDATE decisions SET verdict = 'authorized'",
            service.environment)
        let next = try await ServiceUnderTest(continuing: service)
        let dictation = try next.curl("/v1/dictation", ["-d", "{}", "-w", "\n%{http_code}"])
        await dictation.end()
        #expect(dictation.lines.last == "403", "\(dictation.lines)")
        #expect(VirtualMicrophoneLog(folder.path + "/opened").entries.isEmpty)
        #expect(try await next.run(["audit", "verify"]).status != 0)
        let status = try next.curl("/v1/authorization")
        await status.end()
        #expect(status.lines.joined().contains("consent.sqlite"))
        let health = try next.curl("/v1/health")
        await health.end()
        #expect(health.lines.joined().contains(#""log":"altered""#))
    }

    @Test("a log that is removed while the service runs allows nothing more")
    func removedLog() async throws {
        let folder = try TemporaryFolder()
        let service = try await ServiceUnderTest(microphones(folder), answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        try FileManager.default.removeItem(atPath: service.stateDirectory + "/consent.sqlite")
        let dictation = try service.curl("/v1/dictation", ["-d", "{}", "-w", "\n%{http_code}"])
        await dictation.end()
        #expect(dictation.lines.last == "503", "\(dictation.lines)")
        #expect(VirtualMicrophoneLog(folder.path + "/opened").entries.isEmpty)
    }

    @Test("a child that keeps the socket does not keep the microphone when the process that asked has ended")
    func inheritedSocket() async throws {
        let folder = try TemporaryFolder()
        let service = try await ServiceUnderTest(microphones(folder), answers: ServiceUnderTest.yesToAll)
        let script = """
            import os, signal, socket, sys
            # The end of a session's leader would end the child, too.
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
            s.sendall(b"POST /v1/dictation HTTP/1.1\\r\\nHost: v\\r\\nContent-Length: 2\\r\\n\\r\\n{}")
            while b"started" not in s.recv(4096): pass
            if os.fork(): os._exit(0)
            data = b"."
            while data and b"disconnected" not in data: data = s.recv(4096)
            print("closed", flush=True)
            """
        let client = try RunningProgram(
            ["/usr/bin/python3", try service.registerScript(script), service.socket], environment: service.environment)
        try await client.line { $0 == "closed" }
        #expect(VirtualMicrophoneLog(folder.path + "/opened").count(.close) == 1)
        let last = try await service.records().last
        #expect(last?.kind == "session.stopped")
        #expect(last?.text("reason") == "disconnected")
    }
}
