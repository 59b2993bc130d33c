import Foundation
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("voicegate transcribe", .timeLimit(.minutes(3)))
struct TranscribeCommandTests {
    let service: ServiceUnderTest
    let file = Programs.librivox("0880")

    init() async throws { service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll, model: .english) }

    private func transcribe(_ arguments: [String]) async throws -> (status: Int32, output: [String], errors: String) {
        try await service.run(["transcribe"] + arguments)
    }

    @Test("text is a line for each utterance and nothing else; only speech recognition is asked for")
    func text() async throws {
        let (status, output, errors) = try await transcribe([file])
        #expect(status == 0, "\(errors)")
        #expect(output.joined(separator: " ").contains("young man"), "\(output)")
        #expect(errors.isEmpty)
        let asked = try await service.records().filter { $0.kind == "notice.shown" }.map { $0.text("resource") }
        #expect(asked == ["speechRecognition"])
    }

    @Test("--format json is one object with the words and their times")
    func json() async throws {
        let (status, output, _) = try await transcribe([file, "--format", "json"])
        #expect(status == 0)
        #expect(output.count == 1)
        let object = try JSONSerialization.jsonObject(with: Data((output.first ?? "").utf8)) as? [String: Any]
        #expect(object?["file"] as? String == file)
        #expect((object?["text"] as? String)?.contains("young man") == true, "\(output)")
        let segments = try #require(object?["segments"] as? [[String: Any]])
        #expect(segments.allSatisfy { $0["start"] is Double && $0["end"] is Double })
    }

    @Test("subtitles have numbers and times as their format writes them", arguments: ["srt", "vtt"])
    func subtitles(_ format: String) async throws {
        let (status, output, _) = try await transcribe([file, "--format", format])
        #expect(status == 0)
        #expect(output.first == (format == "srt" ? "1" : "WEBVTT"))
        let point = format == "srt" ? "," : "\\."
        let clock = #"\d\d:\d\d:\d\d"# + point + #"\d\d\d"#
        let times = try Regex("^\(clock) --> \(clock)$")
        #expect(output.contains { $0.wholeMatch(of: times) != nil }, "\(output)")
        #expect(output.joined(separator: " ").contains("young man"), "\(output)")
    }

    @Test("of several files each text and each event says which file it is of")
    func named() async throws {
        let other = Programs.librivox("0930")
        let (status, output, errors) = try await transcribe([file, other])
        #expect(status == 0, "\(errors)")
        #expect(output.filter { $0.hasPrefix("==>") } == ["==> \(file) <==", "==> \(other) <=="], "\(output)")
        #expect(output.last?.contains("amiable") == true, "\(output)")
        let events = try await transcribe([file, file, "--json"]).output
        #expect(events.allSatisfy { $0.contains(#""file":"\#(file)""#) }, "\(events)")
    }

    @Test("--output-dir writes a file for each sound file; --resume skips those that are complete")
    func outputDirectory() async throws {
        let folder = try TemporaryFolder()
        let notes = try folder.write("no sound", to: "notes.wav")
        let text = folder.path + "/" + URL(filePath: file).deletingPathExtension().lastPathComponent + ".srt"
        let arguments = [file, notes, "--format", "srt", "--output-dir", folder.path]
        let (status, output, errors) = try await transcribe(arguments)
        #expect(status == 65 && output.isEmpty && errors.contains(notes), "\(errors)")
        #expect(try String(contentsOfFile: text, encoding: .utf8).contains("young man"))
        // Nothing is left of what cannot be read.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        #expect(try await transcribe(arguments).errors.contains("\(text) exists already"))
        #expect(try await transcribe(arguments + ["--resume"]).errors.contains("\(text) is complete."))
        let same = ["/other/" + URL(filePath: file).lastPathComponent]
        let refused = try await transcribe([file] + same + ["--output-dir", "/tmp"])
        #expect(refused.status == 64 && refused.errors.contains("the same file"), "\(refused.errors)")
    }

    @Test("a file that is not read, such as M4A, is refused with the command that converts it, which works as printed")
    func otherContainers() async throws {
        let sound = try service.folder.write("\0\0\0\u{20}ftypM4A \0\0\0\0", to: "my note.m4a")
        let damaged = try service.folder.write("RIFF\0\0\0\0WAVEjunk", to: "damaged.wav")
        let (status, _, errors) = try await transcribe([sound, damaged])
        #expect(status == 65 && errors.ranges(of: "ffmpeg").count == 1, "\(errors)")
        let command = try #require(errors.firstMatch(of: /To convert it: (.*)/)).1
        #expect(command == "ffmpeg -loglevel error -i '\(sound)' -f wav -ac 1 -ar 16000 - | voicegate transcribe -")
        // ffmpeg writes no sizes into a pipe.
        let unknown = #"printf '\377\377\377\377'"#
        try service.folder.write(
            """
            #!/bin/sh
            [ "$4" = "\(sound)" ] || exit 1
            head -c 4 \(file); \(unknown); head -c 40 \(file) | tail -c +9; \(unknown); tail -c +45 \(file)
            """, to: "bin/ffmpeg", permissions: 0o755)
        symlink(Programs.commandLine, service.folder.path + "/bin/voicegate")
        let program = try RunningProgram(
            ["/bin/bash", "-c", String(command)],
            environment: service.environment.merging([
                "PATH": service.folder.path + "/bin:/usr/bin:/bin", "VOICEGATE_SOCKET": service.socket,
            ]) { _, new in new })
        #expect(await program.end() == 0, "\(program.errorText)")
        #expect(program.lines.joined(separator: " ").contains("young man"), "\(program.lines)")
    }

    @Test("- is standard input")
    func standardInput() async throws {
        let program = try RunningProgram(
            [
                "/bin/sh", "-c", #"cat "$2" | "$0" transcribe - --socket "$1""#, Programs.commandLine, service.socket,
                file,
            ], environment: service.environment)
        #expect(await program.end() == 0, "\(program.errorText)")
        #expect(program.lines.joined(separator: " ").contains("young man"))
    }

    @Test("a file that is not there is 66 and named")
    func missing() async throws {
        let (status, output, errors) = try await transcribe(["/nonexistent/speech.wav"])
        #expect(status == 66)
        #expect(output.isEmpty)
        #expect(errors.contains("/nonexistent/speech.wav cannot be read"), "\(errors)")
    }

    @Test("a file that holds no audio is 65 and named")
    func noAudio() async throws {
        let path = try service.folder.write("only words, no sound at all, and more of them", to: "words.wav")
        let (status, output, errors) = try await transcribe([path])
        #expect(status == 65)
        #expect(output.isEmpty)
        #expect(errors.contains(path), "\(errors)")
    }

    @Test("a bad file in the middle is named, and the good ones around it come out")
    func several() async throws {
        let bad = try service.folder.write("only words, no sound at all, and more of them", to: "words.wav")
        let (status, output, errors) = try await transcribe([
            file, bad, "/nonexistent/speech.wav", Programs.librivox("0930"), "--format", "json",
        ])
        #expect(status == 65)
        #expect(output.count == 2)
        #expect(output.first?.contains("young man") == true, "\(output)")
        #expect(output.last?.contains("amiable") == true, "\(output)")
        #expect(errors.contains(bad) && errors.contains("/nonexistent/speech.wav"), "\(errors)")
    }

    @Test("a device, a folder and a terminal are refused at once and named, and are not read")
    func devices() async throws {
        // Standard input is a terminal here.
        for path in ["/dev/zero", "/dev/tty", "/dev/null", "/tmp", "/dev/stdin", "-"] {
            let program = try service.atTerminal(["transcribe", path])
            #expect(await program.end() == 66, "\(program.lines)")
            let name = path == "-" ? "standard input" : path
            #expect(program.lines.joined().contains("\(name) cannot be read: "), "\(program.lines)")
        }
        #expect(try await !service.records().contains { $0.kind == "session.started" })
    }

    @Test("files of proc are not sound, and one that cannot be read is named")
    func proc() async throws {
        for (path, expected) in [("/proc/self/maps", 65), ("/proc/self/mem", 66)] {
            let (status, output, errors) = try await transcribe([path])
            #expect(status == expected, "\(errors)")
            #expect(output.isEmpty)
            #expect(errors.contains(path), "\(errors)")
        }
    }

    @Test("a named pipe is waited for until it has a writer, without a session, and Ctrl-C ends that")
    func namedPipe() async throws {
        let pipe = service.folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let interrupted = try service.commandLine(["transcribe", pipe])
        // No program writes; it has the pipe open.
        try await eventually { Self.hasOpen(pipe, interrupted.processIdentifier) }
        #expect(try await !service.records().contains { $0.kind == "session.started" })
        interrupted.signal(SIGINT)
        #expect(await interrupted.end() == 130, "\(interrupted.errorText)")

        let reading = try service.commandLine(["transcribe", pipe])
        try await eventually { Self.hasOpen(pipe, reading.processIdentifier) }
        let writing = try RunningProgram(
            ["/bin/sh", "-c", #"cat "$0" > "$1""#, file, pipe], environment: service.environment)
        #expect(await reading.end() == 0, "\(reading.errorText)")
        #expect(await writing.end() == 0)
        #expect(reading.lines.joined(separator: " ").contains("young man"))
    }

    @Test("a pipe whose writer has ended is empty and not waited for")
    func endedPipe() async throws {
        let program = try RunningProgram(
            [
                "/bin/bash", "-c", #"true | { "$0" transcribe /dev/stdin --socket "$1"; }"#,
                Programs.commandLine, service.socket,
            ],
            environment: service.environment)
        #expect(await program.end() == 65, "\(program.errorText)")
    }

    private static func hasOpen(_ path: String, _ process: Int32) -> Bool {
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0)) == path
        }
    }
}
