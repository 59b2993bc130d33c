import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("The contract for clients in any language", .timeLimit(.minutes(4)))
struct ContractTests {
    @Test(
        "HEAD, problems, unknown words, times, cursors, heartbeats, limits and other servers' fields are as described")
    func contract() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let tool = Checkout.root.appending(path: "Tests/Support/Tools/api_contract.py")
        let script = try service.registerScript(String(contentsOf: tool, encoding: .utf8), name: "contract")
        let wav = try service.folder.write(
            HumanSpeech.wav(try HumanSpeech.samples(Programs.goForward), sampleRate: 16_000, channels: 1), to: "a.wav")
        let program = try RunningProgram(
            ["/usr/bin/python3", script, service.socket, wav], environment: service.environment)
        #expect(await program.end() == 0, "\(program.lines) \(program.errorText)")
        #expect(program.lines.count == 7)
        #expect(program.lines.last == "whisper.cpp's form: go forward ten meters", "\(program.lines)")
    }

    @Test(
        "a client that is generated from the description reads this service, and one that adds fields, words and events"
    )
    func generated() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let tool = Checkout.root.appending(path: "Tests/Support/Tools/generated_client.py")
        let script = try service.registerScript(String(contentsOf: tool, encoding: .utf8), name: "generated")
        let wav = try service.folder.write(
            HumanSpeech.wav(try HumanSpeech.samples(Programs.goForward), sampleRate: 16_000, channels: 1), to: "a.wav")
        let program = try RunningProgram(
            [try await PythonTools.interpreter(), script, service.socket, wav], environment: service.environment)
        #expect(await program.end() == 0, "\(program.lines) \(program.errorText.suffix(2_000))")
        #expect(program.lines.count == 22 && program.lines.last == "events: 5 types", "\(program.lines)")
    }
}
