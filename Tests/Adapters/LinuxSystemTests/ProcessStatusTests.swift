import Foundation
@testable import LinuxSystem
import TestSupport
import Testing

@Suite("The status of a process")
struct ProcessStatusTests {
    private func line(name: String, terminal: Int = 34816, group: Int = 50, foreground: Int = 50) -> String {
        "42 (\(name)) S 7 \(group) 40 \(terminal) \(foreground) 4194304 1 0 0 0 0 0 0 0 20 0 1 0 987654 1 2 3\n"
    }

    @Test(
        "a program's name cannot shift the fields of its status",
        arguments: ["sleep", "a b", ") R 1 1 1 1 1 (", "))((", "x\ny", "", "42 (x) Z 1"])
    func names(name: String) throws {
        let status = try #require(ProcessStatus(parsing: line(name: name)))
        #expect(status.processIdentifier == 42)
        #expect(status.state == "S")
        #expect(status.parent == 7)
        #expect(status.processGroup == 50)
        #expect(status.session == 40)
        #expect(status.terminal == 34816)
        #expect(status.startTime == 987654)
    }

    @Test("an invalid status is refused", arguments: ["", "42", "42 (x)", "42 x S 1 2 3", ")(", "x (y) S 1 1 1"])
    func refused(text: String) {
        #expect(ProcessStatus(parsing: text) == nil)
        #expect(ProcessStatus(parsing: String(line(name: "x").prefix(40))) == nil)
    }

    @Test("the foreground job is the one whose group has the terminal")
    func foreground() throws {
        #expect(try #require(ProcessStatus(parsing: line(name: "x"))).isForegroundJobOfTerminal)
        #expect(try !#require(ProcessStatus(parsing: line(name: "x", foreground: 51))).isForegroundJobOfTerminal)
        #expect(
            try !#require(ProcessStatus(parsing: line(name: "x", terminal: 0, foreground: -1)))
                .isForegroundJobOfTerminal)
    }

    @Test("a process is over once the end of its last thread has begun, and not before")
    func over() throws {
        let folder = try TemporaryFolder()
        let living = line(name: "x")
        let ending = living.replacingOccurrences(of: " 4194304 ", with: " 4194308 ")
        #expect(try !#require(ProcessStatus(parsing: living)).isExiting)
        let process = try #require(ProcessStatus(parsing: living)).identity
        // The first thread has ended; another goes on.
        try folder.write(ending, to: "42/stat")
        try folder.write(ending, to: "42/task/42/stat")
        try folder.write(living.replacingOccurrences(of: "42 (", with: "43 ("), to: "42/task/43/stat")
        #expect(!ProcessStatus.isOver(process, root: folder.path))
        try folder.write(ending.replacingOccurrences(of: "42 (", with: "43 ("), to: "42/task/43/stat")
        #expect(ProcessStatus.isOver(process, root: folder.path))
        #expect(try !ProcessStatus.isOver(ProcessStatus(of: getpid()).identity, root: "/proc"))
    }

    @Test("it is read below the given root, and another process's status is refused")
    func root() throws {
        let folder = try TemporaryFolder()
        try folder.write(line(name: "x"), to: "42/stat")
        try folder.write(line(name: "x"), to: "43/stat")
        #expect(try ProcessStatus(of: 42, root: folder.path).startTime == 987654)
        #expect(throws: ProcessError.self) { try ProcessStatus(of: 43, root: folder.path) }
        #expect(failure(ProcessError.self) { try ProcessStatus(of: 44, root: folder.path) }?.code == .vanished)
    }

    @Test("this process is found in the real /proc")
    func real() throws {
        let status = try ProcessStatus(of: getpid())
        #expect(status.parent == getppid())
        #expect(status.processGroup == getpgrp())
        #expect(status.startTime > 0)
    }
}
