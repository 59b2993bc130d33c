import Foundation
import ProgramSupport
import TestSupport
import Testing

/// A service and a filter that makes foreign text of what its microphone hears.
enum ForeignText {
    /// Letters of both layouts and of none, marks, what a shell would read, and an option's first letter.
    static let text = "-Größe, Ökonomie (yz) \"café\" — 日本語 €5; Żółw & $HOME"

    static func service() async throws -> ServiceUnderTest {
        try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
    }

    /// What a filter makes of "go forward ten meters": foreign letters, and Enter at the end.
    static func filter(in service: ServiceUnderTest) throws -> String {
        let text = try service.folder.write(Self.text + "\n", to: "foreign")
        return "cut -d ' ' -f 3- | paste -d ' ' '\(text)' -; echo"
    }
}

/// Alone: xdotool puts characters that the layout lacks on a spare key for 60 ms each, and a busy window may lose one
/// (Documentation/Delivery.md).
@Suite("Text that is typed into a window", .timeLimit(.minutes(3)))
struct TypingSerialTests {
    @Test(
        "a window that has the keyboard receives every character, under either layout",
        arguments: TypedWindow.Screen.allCases, ["us", "de"])
    func typed(_ screen: TypedWindow.Screen, _ layout: String) async throws {
        let window = try await TypedWindow(screen, layout: layout)
        let service = try await ForeignText.service()
        let expected = ForeignText.text + " ten meters"
        var typed: [String] = []
        // A busy window may lose a character that xdotool put on a spare key, but not each time.
        repeat {
            let (status, output, errors) = try await service.run(
                [
                    "dictate", "--type", "--stop-after-silence", "1", "--filter",
                    ForeignText.filter(in: service),
                ],
                variables: window.environment)
            #expect(status == 0, "\(errors)")
            #expect(output.isEmpty, "\(output)")
            let isText: @Sendable (String) -> Bool = { $0 != "listening" && $0 != "window" }
            try await window.typed.lines(typed.count + 1, where: isText)
            typed = window.typed.lines.filter(isText)
        } while typed.last != expected && typed.count < 3
        #expect(typed.last == expected, "\(typed)")
    }
}
