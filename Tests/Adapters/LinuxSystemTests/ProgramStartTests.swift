import Glibc
import LinuxSystem
import Testing

@Suite("Starting programs", .timeLimit(.minutes(1)))
struct ProgramStartTests {
    @Test("a descriptor is the given one, also if its number is already in use")
    func order() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let compare = "[ /proc/$$/fd/1 -ef /proc/$$/fd/2 ] && echo same || echo different"
        let process = try ProgramStart(
            ["/bin/sh", "-c", compare], environment: [:], descriptors: [nil, ends[1], STDOUT_FILENO]
        ).start()
        close(ends[1])
        waitpid(process, nil, 0)
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(ends[0], &buffer, buffer.count)
        close(ends[0])
        #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "different\n")
    }

    @Test("a program that is not there is an error with the system's number")
    func missing() {
        let error = #expect(throws: SpawnError.self) {
            try ProgramStart(["/nowhere/program"], environment: [:], descriptors: []).start()
        }
        #expect(error?.errorNumber == ENOENT)
    }
}
