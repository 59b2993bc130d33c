import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Dictation over the socket, with curl", .timeLimit(.minutes(3)))
struct SocketDictationTests {
    @Test(
        "another user's process gets a refusal and no data",
        .enabled(if: getuid() == 0, "needs root to become another user"))
    func otherUser() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        // Even where the socket's mode lets it in.
        for path in ["", "/run", "/run/voicegate"] { chmod(service.folder.path + path, 0o755) }
        chmod(service.socket, 0o666)
        let calls = """
            import os, socket, sys
            for number in range(50):
                s = socket.socket(socket.AF_UNIX); s.settimeout(5); s.connect(sys.argv[1])
                try:
                    s.sendall(b"GET /v1/health HTTP/1.1\\r\\nHost: v\\r\\n\\r\\n")
                    answer = b""
                    while piece := s.recv(65536): answer += piece
                    head, _, body = answer.partition(b"\\r\\n\\r\\n")
                    print(head.split(b" ")[1].decode(), body.decode().strip(), flush=True)
                except OSError: pass
                s.close()
            """
        let stranger = try RunningProgram(
            [
                "/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/python3", "-c",
                calls, service.socket,
            ], environment: service.environment)
        #expect(await stranger.end() == 0, "\(stranger.errorText)")
        // Each call comes to the refusal and the end of its connection, and tells nothing of the service.
        #expect(stranger.lines.count == 50)
        #expect(
            stranger.lines.allSatisfy {
                $0.hasPrefix("403 {") && $0.contains(#""error":{"code":"notAllowed","message":""#)
            },
            "\(stranger.lines.first ?? "")")
        #expect(!stranger.lines.contains { $0.contains("processIdentifier") || $0.contains(#""mode":"#) })
        let health = try service.curl("/v1/health")
        await health.end()
        #expect(!health.lines.isEmpty)
    }
}
