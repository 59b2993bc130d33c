import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite(
    "A service of all users without systemd", .timeLimit(.minutes(2)),
    .enabled(if: Packaging.canActivate, "needs root and systemd-socket-activate"))
struct SocketRecipeTests {
    /// Answers the first connection of a socket that was handed over (sd_listen_fds(3)).
    private static let service = """
        import os, socket
        s = socket.socket(fileno=3)
        c, _ = s.accept()
        c.sendall(b"served by %d\\n" % os.getuid())
        """

    @Test("after the commands of Installation.md another user can connect, and the service has its own user")
    func recipe() async throws {
        let page = try String(contentsOfFile: Packaging.root + "/Documentation/Installation.md", encoding: .utf8)
        let block = try #require(
            page.components(separatedBy: "```\n").first { $0.contains("systemd-socket-activate --listen") })
        let folder = try TemporaryFolder()
        let program = try folder.write(Self.service, to: "service.py")
        let client = try folder.write(
            """
            import socket
            s = socket.socket(socket.AF_UNIX); s.connect("/run/voicegate/voicegate.sock")
            print(s.makefile().readline().strip())
            """, to: "client.py")
        let commands = block.replacing("--reuid voicegate --regid voicegate", with: "--reuid 12345 --regid 12345")
            .replacing("/usr/bin/voicegated", with: "/usr/bin/python3 - < \(program)")
            .replacing(/--inh-caps \S+ --ambient-caps \S+/, with: "")
        #expect(commands != block)
        // A separate /run, so that nothing of this machine is in it.
        let script = """
            set -e; umask 022; mount -t tmpfs none /run; exec 4< \(client)
            \(commands)
            stat --format %a /run/voicegate/voicegate.sock
            setpriv --reuid 23456 --regid 23456 --clear-groups /usr/bin/python3 - <&4
            wait
            """
        let (status, lines, errors) = try await Packaging.run(["/usr/bin/unshare", "-m", "/bin/sh", "-c", script])
        #expect(status == 0, "\(errors)")
        #expect(lines == ["666", "served by 12345"], "\(errors)")
    }
}
