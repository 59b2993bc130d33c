import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Text that leaves voicegate dictate", .timeLimit(.minutes(3)))
struct DeliveryTests {
    let folder: TemporaryFolder
    let service: ServiceUnderTest
    var opened: VirtualMicrophoneLog { VirtualMicrophoneLog(folder.path + "/opened") }

    init() async throws {
        folder = try TemporaryFolder()
        var endless = VirtualMicrophone(name: "endless", file: Programs.librivox("0870"))
        endless.loops = true
        endless.openedFile = folder.path + "/opened"
        // The first sample is speech already.
        let samples = try HumanSpeech.samples(HumanSpeech.goForward)
        let onset = try #require(samples.firstIndex { abs(Int($0)) > 1_000 })
        let bytes = samples[onset...].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        var once = VirtualMicrophone(name: "once", file: try folder.write(Data(bytes), to: "once.raw"))
        once.openedFile = folder.path + "/opened"
        let whole = VirtualMicrophone(name: "whole", file: Programs.goForward)
        // A level is left out while the former one is unread.
        var slow = VirtualMicrophone(name: "slow", file: Programs.goForward)
        slow.speed = 0.5
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([once, endless, whole, slow]), answers: ServiceUnderTest.yesToAll)
    }

    /// The command with its standard output in a pipe that a shell's last command reads.
    private func piped(_ arguments: [String], into reader: String) throws -> RunningProgram {
        try RunningProgram(
            [
                "/bin/bash", "-c",
                "(echo $BASHPID >&2; exec \"$0\" \"$@\") | (\(reader)); echo \"status ${PIPESTATUS[0]}\"",
                Programs.commandLine,
            ] + arguments + ["--socket", service.socket], environment: service.environment)
    }

    @Test("the first word is there though speech begins with the first sample, and the device is closed afterwards")
    func firstWord() async throws {
        let (status, output, errors) = try await service.run(["dictate", "--stop-after-silence", "1"])
        #expect(status == 0, "\(errors)")
        #expect(output == ["go forward ten meters"])
        #expect(opened.entries.map(\.event) == [.open, .close])
    }

    @Test("killed in the middle of an utterance, a pipe has got whole lines only", arguments: [SIGKILL, SIGTERM])
    func killed(_ signal: Int32) async throws {
        let dictation = try piped(
            ["dictate", "--device", "endless", "--end-silence", "0.2"],
            into: "cat; echo end of pipe")
        let text = try await dictation.line { !$0.isEmpty }
        #expect(text.split(separator: " ").count > 1)
        let identifier = try #require(Int32(dictation.errorText.prefix { $0 != "\n" }))
        kill(identifier, signal)
        await dictation.end()
        // Otherwise the text on its own line behind the pipe's last byte would follow half a line.
        #expect(dictation.lines.contains("end of pipe"), "\(dictation.lines)")
        #expect(dictation.lines.last == "status \(signal == SIGKILL ? 137 : 0)")
        try await eventually { opened.count(.close) > 0 }
    }

    @Test("a reader that has gone ends it quietly, also before anything was said")
    func readerGone() async throws {
        let dictation = try piped(["dictate", "--device", "endless", "--quiet"], into: "exec true")
        #expect(await dictation.end() == 0)
        #expect(dictation.lines == ["status 0"])
        #expect(dictation.errorText.split(separator: "\n").count == 1, "\(dictation.errorText)")
        // The service closes what its client left.
        try await eventually { opened.count(.open) == opened.count(.close) }
    }

    @Test("marks, a filter and a command, in this order")
    func form() async throws {
        let got = folder.path + "/got"
        let (status, output, errors) = try await service.run([
            "dictate", "--device", "whole", "--stop-after-silence", "1", "--punctuation", "--filter",
            "sed s/meters/metres/", "--exec", "cat >> '\(got)'; echo ran",
        ])
        #expect(status == 0, "\(errors)")
        #expect(output == ["ran"])
        #expect(try String(contentsOfFile: got, encoding: .utf8) == "Go forward ten metres\n")
        let json = try await service.run([
            "dictate", "--device", "whole", "--stop-after-silence", "1", "--punctuation", "--json",
        ])
        // Events are as they were recognised.
        let finals = json.output.filter(StreamEvent.isOf("final")).compactMap { StreamEvent($0)?.text }
        #expect(finals.first == "go forward ten meters")
        #expect(json.output.allSatisfy { StreamEvent($0) != nil })
        let sound = try folder.write(
            HumanSpeech.wav(HumanSpeech.samples(Programs.goForward), sampleRate: 16_000, channels: 1), to: "go.wav")
        let file = try await service.run(["transcribe", sound, "--punctuation"])
        #expect(file.output == ["Go forward ten meters"], "\(file.errors)")
        let captions = try await service.run(["transcribe", sound, "--punctuation", "--format", "srt"])
        #expect(captions.output.contains("Go forward ten meters"), "\(captions.output)")
    }

    @Test("a profile's options count, and one that is not there is an error of the configuration")
    func profile() async throws {
        try service.folder.write(
            "short:\n  device: whole\n  stopAfterSilence: 1\n  punctuation: true\n",
            to: ".config/voicegate/profiles.yaml")
        let (status, output, errors) = try await service.run(["dictate", "--profile", "short"])
        #expect(status == 0, "\(errors)")
        #expect(output == ["Go forward ten meters"], "\(errors)")
        let missing = try await service.run(["dictate", "--profile", "long"])
        #expect(missing.status == 78)
        #expect(missing.errors.contains("short"))
    }

    @Test("the reported level is the file's, for each tenth of a second")
    func level() async throws {
        let (status, output, errors) = try await service.run([
            "dictate", "--device", "slow", "--stop-after-silence", "1", "--level", "--json",
        ])
        #expect(status == 0, "\(errors)")
        let told = output.compactMap { line -> Double? in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["type"] as? String == "level" ? object?["decibels"] as? Double : nil
        }
        let samples = try HumanSpeech.samples(Programs.goForward)
        let own = stride(from: 0, to: samples.count - 1_600, by: 1_600).map { start in
            let power = samples[start..<(start + 1_600)].reduce(0.0) { $0 + pow(Double($1) / 32_768, 2) } / 1_600
            return power == 0 ? -96 : max(-96, 10 * log10(power))
        }
        // Each that was told is one of the file's, in its order; a busy service may leave one out.
        var place = 0
        var matched = 0
        for level in told {
            guard let found = own[place...].firstIndex(where: { abs($0 - level) < 0.01 }) else { continue }
            matched += 1
            place = found + 1
        }
        #expect(matched >= own.count * 3 / 4, "\(matched) of \(own.count): told \(told), own \(own)")
        #expect(told.filter { $0 > -96 }.count - matched <= 1)
    }

    @Test("a tone that cannot be played is reported, and the dictation continues")
    func noTones() async throws {
        let (status, output, errors) = try await service.run([
            "dictate", "--device", "whole", "--stop-after-silence", "1", "--tones", "--tone-device", "nosuch",
        ])
        #expect(status == 0)
        #expect(output == ["go forward ten meters"])
        #expect(errors.contains("The tone could not be played"), "\(errors)")
    }
}
