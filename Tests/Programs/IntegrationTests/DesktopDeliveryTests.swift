import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Text that is delivered to the desktop", .timeLimit(.minutes(3)))
struct DesktopDeliveryTests {
    @Test("the clipboard holds all that was said, by each of the programs that fill it", arguments: ["xclip", "xsel"])
    func clipboardOfX11(_ program: String) async throws {
        let window = try await TypedWindow(.x11, layout: "us")
        let service = try await ForeignText.service()
        // Only the one that is meant is found; the rest of the system stays.
        try FileManager.default.createDirectory(atPath: service.folder.path + "/bin", withIntermediateDirectories: true)
        for name in [program, "tee", "cut", "paste"] {
            try FileManager.default.createSymbolicLink(
                atPath: service.folder.path + "/bin/" + name, withDestinationPath: "/usr/bin/" + name)
        }
        let filter = try "tee '\(service.folder.path)/heard' | " + ForeignText.filter(in: service)
        let (status, output, errors) = try await service.run(
            ["dictate", "--clipboard", "--stop-after-silence", "1", "--filter", filter],
            variables: window.environment.merging(["PATH": service.folder.path + "/bin"]) { $1 })
        try #require(status == 0, "\(errors)")
        #expect(output.isEmpty)
        // Of other words the clipboard would be waited for in vain.
        let heard = try String(contentsOfFile: service.folder.path + "/heard", encoding: .utf8)
        try #require(heard.trimmingCharacters(in: .newlines) == "go forward ten meters", "\(errors)")
        // xsel becomes the clipboard's owner only after it left the foreground. A request to a former owner that ends gets
        // no answer.
        var held: [String] = []
        try await eventually {
            let asking = try RunningProgram(
                ["/usr/bin/timeout", "5", "/usr/bin/xclip", "-selection", "clipboard", "-out"],
                environment: window.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 })
            guard await asking.end() == 0 else { return false }
            held = asking.lines
            return true
        }
        #expect(held == [ForeignText.text + " ten meters"])
    }

    @Test("so does that of Wayland")
    func clipboardOfWayland() async throws {
        let window = try await TypedWindow(.wayland, layout: "us")
        let service = try await ForeignText.service()
        let (status, _, errors) = try await service.run(
            ["dictate", "--clipboard", "--stop-after-silence", "1", "--filter", ForeignText.filter(in: service)],
            variables: window.environment)
        #expect(status == 0, "\(errors)")
        let held = try RunningProgram(["/usr/bin/wl-paste", "--no-newline"], environment: window.environment)
        #expect(await held.end() == 0, "\(held.errorText)")
        #expect(held.lines == [ForeignText.text + " ten meters"])
    }

    @Test("a missing tool to type or to copy is reported before the microphone is opened")
    func nothingThere() async throws {
        let folder = try TemporaryFolder()
        var microphone = VirtualMicrophone(name: "mic", file: Programs.goForward)
        microphone.openedFile = folder.path + "/opened"
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll)
        for (option, session, named) in [
            ("--type", ["WAYLAND_DISPLAY": "w"], "wtype"), ("--type", ["DISPLAY": ":1"], "xdotool"),
            ("--clipboard", ["DISPLAY": ":1"], "xclip"), ("--tones", [:], "alsa-utils"),
        ] {
            let (status, output, errors) = try await service.run(
                ["dictate", option], variables: session.merging(["PATH": "/nowhere"]) { $1 })
            #expect(status == 69)
            #expect(output.isEmpty)
            #expect(errors.contains("sudo apt install \(named)"), "\(errors)")
        }
        // Here xdotool is there, and its screen is not.
        let (status, _, errors) = try await service.run(["dictate", "--type"], variables: ["DISPLAY": ":4711"])
        #expect(status == 69)
        #expect(errors.contains("xdotool"), "\(errors)")
        #expect(VirtualMicrophoneLog(folder.path + "/opened").count(.open) == 0)
        #expect(
            try await service.records().allSatisfy { !$0.kind.hasPrefix("notice") && !$0.kind.hasPrefix("session") })
    }

    @Test("a window that goes away in the middle: a warning, and the text is written to standard output")
    func windowGone() async throws {
        let service = try await ForeignText.service()
        // Its screen ends while the filter works.
        let screen = try await VirtualScreen()
        let server = screen.server
        let (status, output, errors) = try await service.run(
            [
                "dictate", "--type", "--stop-after-silence", "1", "--filter",
                "kill \(server.processIdentifier); while kill -0 \(server.processIdentifier); do sleep 0.1; done; cat",
            ], variables: screen.variables)
        #expect(status == 0, "\(errors)")
        #expect(output == ["go forward ten meters"])
        #expect(errors.contains("xdotool failed") && errors.contains("written to standard output instead"), "\(errors)")
    }
}
