import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Clients that have a network, and would like to be taken for ones that have none.
@Suite("Pretending to have no network", .timeLimit(.minutes(5)), .enabled(if: geteuid() == 0, "needs root"))
struct NetworkAttackTests {
    /// Goes into an empty network by the ways that the first argument names, and has a short sound transcribed.
    private static let client = #"""
        import array, ctypes, os, socket, struct, sys, threading
        how, path, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
        CLONE_NEWNET = 0x40000000
        hold = []
        def stay(): threading.Event().wait()
        if how == "thread": threading.Thread(target=stay, daemon=True).start()
        if how == "descriptor": hold.append(socket.create_connection(("127.0.0.1", port)))
        if how == "early": s = socket.socket(socket.AF_UNIX); s.connect(path)
        if how in ("child", "daemon", "early"):
            ours, theirs = socket.socketpair()
            if os.fork() == 0:
                ours.close()
                if how != "child":
                    os.setsid()
                    if os.fork(): os._exit(0)
                    _, data, _, _ = theirs.recvmsg(1, socket.CMSG_SPACE(4))
                theirs.sendall(b"x")
                theirs.recv(1)
                os._exit(0)
            theirs.close()
        if how != "open":
            if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET): sys.exit(9)
        if how != "early": s = socket.socket(socket.AF_UNIX); s.connect(path)
        if how == "child": ours.recv(1)
        if how in ("daemon", "early"):
            os.wait()
            ours.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [s.fileno()]))])
            ours.recv(1)
        sound = bytes(3200)
        wave = b"RIFF" + struct.pack("<I", 36 + len(sound)) + b"WAVEfmt " \
            + struct.pack("<IHHIIHH", 16, 1, 1, 16000, 32000, 2, 16) + b"data" + struct.pack("<I", len(sound)) + sound
        s.sendall(b"POST /v1/audio/transcriptions HTTP/1.1\r\nHost: v\r\nConnection: close\r\nContent-Length: "
                  + str(len(wave)).encode() + b"\r\n\r\n" + wave)
        print(s.makefile().read().splitlines()[0], flush=True)
        """#

    @Test(
        "only a client without any network is verified, whatever it hides it in",
        arguments: [
            ("closed", "verified"), ("open", "declared"), ("thread", "declared"), ("child", "declared"),
            ("descriptor", "declared"), ("daemon", "declared"), ("early", "declared"),
        ])
    func hidden(how: String, expected: String) async throws {
        let listener = try AnsweringListener(.tcp)
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let script = try service.registerScript(Self.client, name: "client")
        let program = try RunningProgram(
            ["/usr/bin/python3", script, how, service.socket, "\(listener.port)"], environment: service.environment)
        #expect(await program.end() == 0, "\(program.errorText)")
        #expect(program.lines == ["HTTP/1.1 200 OK"], "\(program.errorText)")
        let records = try await service.records().filter { $0.kind == "session.started" }
        #expect(records.map { $0.text("sharing") } == [expected], "\(service.program.errorText)")
    }

    @Test("where the command line runs for a program, it is that program's network that counts")
    func responsibleProgram() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let code = """
            import subprocess, sys
            sys.exit(subprocess.run(sys.argv[1:]).returncode)
            """
        let script = try service.registerScript(code, name: "client")
        let sound = try service.folder.write(
            HumanSpeech.wav([Int16](repeating: 0, count: 1_600), sampleRate: 16_000, channels: 1), to: "sound.wav")
        let transcribe = [Programs.commandLine, "transcribe", "--socket", service.socket, sound]
        let outside = try RunningProgram(
            ["/usr/bin/python3", script, "/usr/bin/unshare", "--net"] + transcribe, environment: service.environment)
        await outside.end()
        let inside = try RunningProgram(
            ["/usr/bin/unshare", "--net", "/usr/bin/python3", script] + transcribe, environment: service.environment)
        await inside.end()
        let records = try await service.records().filter { $0.kind == "session.started" }
        #expect(records.map { $0.text("client") } == ["org.example.client", "org.example.client"])
        #expect(records.map { $0.text("sharing") } == ["declared", "verified"], "\(outside.errorText)")
    }
}
