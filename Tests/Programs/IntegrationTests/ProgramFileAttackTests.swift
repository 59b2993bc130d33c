import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Program files that are an attack", .timeLimit(.minutes(3)))
struct ProgramFileAttackTests {
    @Test("programs that are large files with holes are refused, and meanwhile a user can look and deny")
    func sparse() async throws {
        let service = try await ServiceUnderTest()
        try service.registerCurl()
        var attackers: [RunningProgram] = []
        for number in 1...8 {
            let path = service.folder.path + "/copy\(number)"
            let making = try RunningProgram(
                ["/bin/sh", "-c", "cp \(Programs.curl) \(path) && truncate -s 1000000000 \(path)"],
                environment: service.environment)
            #expect(await making.end() == 0)
            attackers.append(
                try RunningProgram(
                    [path, "-s", "--unix-socket", service.socket, "http://v/v1/authorization"],
                    environment: service.environment))
        }
        #expect(try await service.run(["settings", "org.example.curl", "--deny", "microphone"]).status == 0)
        #expect(try await service.run(["status"]).status == 0)
        let curl = try service.curl("/v1/authorization")
        await curl.end()
        #expect(curl.lines.joined().contains(#""microphone":"denied""#), "\(curl.lines)")
        for attacker in attackers {
            await attacker.end()
            let answer = attacker.lines.joined()
            #expect(answer.contains("notAllowed"), "\(answer)")
            #expect(answer.contains("has 1000 MB. Programs of up to 512 MB can be identified"), "\(answer)")
        }
        try await service.program.shows("has 1000 MB. Programs of up to 512 MB can be identified")
    }

    @Test("a name from outside cannot write lines or control sequences into the log, nor to a terminal")
    func names() async throws {
        let service = try await ServiceUnderTest()
        let forged = "a\nvoicegated: forged\u{1B}]0;title\u{7}\u{202E}\u{2066}\u{2028}\u{9B}31m"
        let program = service.folder.path + "/" + forged
        let copying = try RunningProgram(["/bin/cp", "/usr/bin/perl", program], environment: service.environment)
        #expect(await copying.end() == 0)
        // Programs of that name: one that is refused, and one whose name is in the service's own error.
        let refused = try RunningProgram(
            [
                "/bin/sh", "-c", #""$0" -e 'system(@ARGV)' "$@"; exit $?"#, program, Programs.commandLine, "settings",
                "--json",
                "--socket", service.socket,
            ], environment: service.environment)
        await refused.end()
        let started = try RunningProgram(
            [Programs.service, "--configuration", program + ".yaml", "--socket", service.folder.path + "/other.sock"],
            environment: service.environment, isForeground: false)
        #expect(await started.end() != 0)
        #expect(refused.errorText.contains("Run it yourself at a terminal"), "\(refused.errorText)")
        for text in [refused.errorText, started.errorText] {
            #expect(text.contains(#"a\u{a}voicegated: forged\u{1b}]0;title\u{7}\u{202e}\u{2066}\u{2028}\u{9b}31m"#))
            for line in text.split(separator: "\n") {
                #expect(!line.hasPrefix("voicegated: forged"), "\(line)")
                let odd = line.unicodeScalars.filter {
                    [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
                }
                #expect(odd.isEmpty, "\(line.debugDescription)")
            }
        }
    }
}
