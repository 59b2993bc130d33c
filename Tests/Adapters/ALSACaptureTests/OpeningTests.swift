import Foundation
import Glibc
import Speech
import TestSupport
import Testing

@testable import ALSACapture

@Suite("Opening a device", .timeLimit(.minutes(1)))
struct OpeningTests {
    @Test(
        "each failure to open has its own error",
        arguments: [
            (EBUSY, CaptureError.Code.deviceBusy), (EACCES, .accessDenied), (EPERM, .accessDenied),
            (ENOENT, .deviceNotFound), (ENODEV, .deviceNotFound), (ECONNREFUSED, .inputOutput), (EINVAL, .inputOutput),
            (ENOMEM, .inputOutput),
        ])
    func openError(number: Int32, code: CaptureError.Code) async throws {
        var bench = try Bench()
        bench.microphone.openError = number
        let error = try await bench.refusal()
        #expect(error?.code == code)
        #expect(error?.errorNumber == number)
        #expect(error?.device == bench.microphone.name)
        #expect(bench.log.count(.open) == 0)
    }

    @Test("a device that is unplugged is not found")
    func unplugged() async throws {
        var bench = try Bench()
        bench.microphone.unpluggedFile = bench.path("unplugged")
        try bench.touch("unplugged")
        #expect(try await bench.refusal()?.code == .deviceNotFound)
    }

    @Test(
        "an undeclared name and an absent card are not found",
        arguments: ["nobody_declared_this", "hw:CARD=NoSuchCard", "plughw:CARD=NoSuchCard,DEV=0", "hw:31,0"])
    func notFound(name: String) async throws { #expect(try await Bench().refusal(name)?.code == .deviceNotFound) }

    @Test(
        "a name that could write a file or run a command is refused",
        arguments: [
            "", " ", "file:FILE=/tmp/x,FORMAT=raw", "file:'|touch /tmp/x',raw", "tee:default,'/tmp/x',raw",
            "plug:default",
            "plug:'hw:0,0'", "{ type file }", "hw:{ }", "hw:CARD=\"a\"", "hw:CARD=a b", "hw:FOO=1", "hw:0,0,0,0",
            "hw:0,x",
            "hw:", "default:FILE=/tmp/x", "mic:CARD=0", "shm:a,b", "share", "null", "dmix", "a\nb", "a\0b", "../x",
            "pcm.mic",
            "mic;rm", "-mic", "ﬁle", "FILE:x", String(repeating: "a", count: 65),
            "hw:" + String(repeating: "a", count: 200),
        ])
    func refusedNames(name: String) async throws {
        #expect(throws: CaptureError.self) { try ALSADeviceName(name) }
        #expect(try await Bench().refusal(name)?.code == .deviceNameRefused)
    }

    @Test(
        "plain names and cards are allowed",
        arguments: [
            "default", "mic", "my_mic-2", "hw", "hw:0", "hw:0,0", "hw:0,0,1", "hw:CARD=PCH,DEV=0",
            "plughw:CARD=USB_Mic,DEV=1",
            "dsnoop:CARD=PCH", "sysdefault:CARD=PCH", "pulse", "pipewire", "hw:DEV=0,CARD=PCH",
        ])
    func takenNames(name: String) throws { #expect(try ALSADeviceName(name).text == name) }

    @Test("share, file and null are refused at any depth of a name's definition, and nothing is opened")
    func refusedTypes() async throws {
        let bench = try Bench()
        try bench.microphone.declare()
        let target = bench.microphone.name
        try VirtualMicrophone.declare(
            """
            pcm.\(target)_share { type share slave.pcm \(target) slave.channels 1 bindings.0 0 }
            pcm.\(target)_file { type file slave.pcm \(target) file "\(bench.path("written"))" format raw }
            pcm.\(target)_alias "\(target)_file"
            pcm.\(target)_plug { type plug slave.pcm "\(target)_alias" }
            pcm_slave.\(target)_slave { pcm "\(target)_plug" }
            pcm.\(target)_route { type plug slave \(target)_slave }
            pcm.\(target)_asym { type asym capture.pcm "\(target)_route" playback.pcm "null" }
            pcm.\(target)_multi { type multi slaves.a.pcm "\(target)_share" slaves.a.channels 1 bindings.0.slave a }
            pcm.\(target)_null { type null }
            pcm.\(target)_circle { type plug slave.pcm "\(target)_circle" }
            pcm.\(target)_file_tilted { type plug slave.pcm "file:FILE=\(bench.path("written")),FORMAT=raw" }

            """)
        for suffix in ["share", "file", "alias", "plug", "route", "asym", "multi", "null", "circle", "file_tilted"] {
            let error = try await bench.refusal("\(target)_\(suffix)")
            #expect(error?.code == .deviceNameRefused, "\(suffix): \(error?.message ?? "opened")")
        }
        #expect(bench.log.entries.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: bench.path("written")))
    }

    @Test("a recording other than 16-bit WAV is refused at opening, and nothing stays open")
    func badRecordings() async throws {
        let good = HumanSpeech.wav([1, 2, 3, 4], sampleRate: 16_000, channels: 1)
        var eightBit = good, noChannels = good, cut = good.prefix(30), fast = good
        eightBit[34] = 8
        noChannels[22] = 0
        cut[16] = 255
        fast.replaceSubrange(24..<28, with: [255, 255, 255, 255])
        for (index, content) in [eightBit, noChannels, cut, fast, good.prefix(36), Data("RIFF".utf8)].enumerated() {
            var bench = try Bench()
            bench.microphone.file = bench.path("bad\(index).wav")
            try content.write(to: bench.folder.appendingPathComponent("bad\(index).wav"))
            #expect(try await bench.refusal()?.errorNumber == EINVAL, "\(index)")
        }
    }

    @Test("a listing opens no device and reports what cannot be used")
    func devices() async throws {
        let bench = try Bench()
        try bench.microphone.declare()
        let target = bench.microphone.name
        try VirtualMicrophone.declare(
            "pcm.\(target)_share { type share slave.pcm \(target) slave.channels 1 bindings.0 0 }\n")
        let devices = await bench.source().devices()
        let listed = try #require(devices.first { $0.name == target })
        #expect(listed.problem == nil)
        #expect(listed.description == "Virtual microphone \(target)")
        #expect(devices.first?.name == "default")
        #expect(devices.first { $0.name == "\(target)_share" }?.problem?.contains("share") == true)
        #expect(!devices.contains { $0.name == "null" })
        #expect(bench.log.entries.isEmpty)
    }
}
