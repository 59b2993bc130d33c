import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Commands on the pages", .timeLimit(.minutes(15)))
struct PageCommandTests {
    @Test("each line of a console block in README and Documentation works as typed, in a shell at a terminal")
    func lines() async throws {
        let folder = try TemporaryFolder()
        let configuration = try folder.write("warmRecognizers: 0\nkeepTranscripts: P30D\n", to: "config.yaml")
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll, options: ["--configuration", configuration])
        try service.folder.write("", to: ".config/voicegate/config.yaml")
        for name in ["talk.flac", "hello.wav", "a.wav"] {
            try service.folder.write(
                HumanSpeech.wav(HumanSpeech.samples(Programs.goForward), sampleRate: 16_000, channels: 1), to: name)
        }
        for name in ["notes.md", "Documents/letters/first.txt"] {
            try service.folder.write("Notes about the Kelmscott Press.\n", to: name)
        }
        for name in ["note.sh", "other.sh"] {
            try service.folder.write(
                "#!/bin/sh\nvoicegate dictate --stop-after-silence 2\n", to: name, permissions: 0o755)
        }
        let page = try String(contentsOf: Checkout.root.appending(path: "Documentation/Clients.md"), encoding: .utf8)
        let block = try #require(page.components(separatedBy: "```xml\n").last?.components(separatedBy: "```").first)
        let manifest = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + block
        try service.folder.write(manifest, to: "Info.plist")
        // Of clients that do something while they are not used, and that can have their phrases only.
        let more =
            "<key>UIBackgroundModes</key><array><string>audio</string></array>"
            + "<key>VoiceGatePhrases</key><array><string>go forward</string></array></dict>"
        let full = manifest.replacing("</dict>", with: more)
        try service.folder.write(full, to: "Full.plist")
        try service.folder.write(
            full.replacing("org.example.notes", with: "org.example.Helper").replacing("/curl", with: "/jq"),
            to: "Helper.plist")
        let typed = try RunningProgram(
            ["/usr/bin/python3", Checkout.root.path + "/Tests/Support/Tools/run-pages", Checkout.root.path],
            environment: service.environment.merging([
                "PATH": Programs.folder + ":/usr/bin:/bin", "VOICEGATE_SOCKET": service.socket, "VOICEGATE_PAGER": "",
                "XDG_RUNTIME_DIR": service.folder.path + "/run", "USER": "root", "LANG": "C.UTF-8",
                "PYTHONPATH": Checkout.root.path + "/Sources/Client/Python", "PYTHONDONTWRITEBYTECODE": "1",
            ]) { $1 })
        #expect(await typed.end() == 0, "\(typed.lines.joined(separator: "\n"))\n\(typed.errorText)")
        let count = try #require(typed.lines.last?.firstMatch(of: /^(\d+) lines were typed, 0 failed/)?.1)
        #expect(Int(count) ?? 0 > 60, "\(typed.lines)")
    }
}
