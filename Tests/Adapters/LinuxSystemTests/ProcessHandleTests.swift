import Authorization
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite("The handle on a process")
struct ProcessHandleTests {
    @Test("the end of the process is reported once to each handler, also to later ones")
    func exit() async throws {
        let child = try ChildProcess(["/bin/sleep", "1000"])
        let handle = try ProcessHandle(processIdentifier: child.processIdentifier)
        #expect(handle.isAlive)
        let (told, teller) = AsyncStream.makeStream(of: String.self)
        handle.onExit { teller.yield("first") }
        handle.onExit { teller.yield("second") }
        child.end()
        var events = told.makeAsyncIterator()
        #expect(await events.next() == "first")
        #expect(await events.next() == "second")
        #expect(!handle.isAlive)
        handle.onExit { teller.yield("late") }
        #expect(await events.next() == "late")
        handle.onExit { teller.finish() }
        #expect(await events.next() == nil)
    }

    @Test("a released handle reports nothing")
    func gone() async throws {
        let running = try ChildProcess(["/bin/sleep", "1000"])
        let witness = try ProcessHandle(processIdentifier: running.processIdentifier)
        let (told, teller) = AsyncStream.makeStream(of: String.self)
        do {
            let handle = try ProcessHandle(processIdentifier: running.processIdentifier)
            handle.onExit { teller.yield("told") }
        }
        witness.onExit { teller.finish() }
        running.end()
        for await event in told { Issue.record("\(event) by a handle that is gone") }
    }

    @Test("a process runs under the programs of its ancestors, by file or as a script, and not under its own")
    func lineage() throws {
        let folder = try TemporaryFolder()
        let script = try folder.write("sleep 1000 & echo $!; wait\n", to: "client.sh")
        let shell = try ChildProcess(["/bin/sh", script])
        let child = try #require(Int32(shell.readLine()))
        let status = try ProcessStatus(of: child)
        let process = ProcessIdentity(processIdentifier: child, startTime: status.startTime)
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        for path in [script, own] { #expect(ProcessLineage.descends(process, fromProgram: path), "\(path)") }
        for path in ["/usr/bin/sleep", folder.path + "/other.sh", "1000"] {
            #expect(!ProcessLineage.descends(process, fromProgram: path), "\(path)")
        }
        kill(child, SIGKILL)
        shell.end()
    }

    @Test("a script that was started by a relative name or by a link is an ancestor's program, too")
    func lineageOfNames() throws {
        let folder = try TemporaryFolder()
        let script = try folder.write("sleep 1000 & echo $!; wait\n", to: "client.sh")
        let other = try folder.write("", to: "other.sh")
        symlink(script, folder.path + "/link")
        for start in [
            "cd \(folder.path); exec sh ./client.sh", "cd \(folder.path); exec sh link", "exec sh \(folder.path)/link",
        ] {
            let shell = try ChildProcess(["/bin/sh", "-c", start])
            let child = try #require(Int32(shell.readLine()))
            let status = try ProcessStatus(of: child)
            let process = ProcessIdentity(processIdentifier: child, startTime: status.startTime)
            // The kernel has both files in memory then.
            _ = try FileMetadata(path: folder.path + "/link")
            #expect(ProcessLineage.descends(process, fromProgram: script), "\(start)")
            #expect(!ProcessLineage.descends(process, fromProgram: other), "\(start)")
            kill(child, SIGKILL)
            shell.end()
        }
    }

    @Test("there is no handle for a process that does not exist")
    func missing() {
        // Above the largest identifier that the kernel gives (PID_MAX_LIMIT, 2 to the 22).
        #expect(failure(ProcessError.self) { try ProcessHandle(processIdentifier: 1 << 23) }?.code == .vanished)
    }
}
