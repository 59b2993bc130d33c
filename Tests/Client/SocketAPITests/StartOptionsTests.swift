import SocketAPI
import Testing

@testable import Consent

@Suite("The options of a start")
struct StartOptionsTests {
    private static let refused = LogStart(records: .signed, checkpoint: .ahead, key: .unknown)

    private func error(_ options: LogStart.Options) -> ConsentError {
        Self.refused.error(.rolledBack, unless: options, size: 3, signedSize: 5).withCommand
    }

    private static let flags: [(LogStart.Options, String)] = [
        (.acceptRestoredLog, "--accept-restored-log"), (.replaceLostKey, "--replace-lost-key"),
        ([.acceptRestoredLog, .replaceLostKey], "--accept-restored-log --replace-lost-key"),
    ]

    @Test("an error says the exact options that resolve it", arguments: flags)
    func messages(_ options: LogStart.Options, _ arguments: String) {
        let message = error(options).message
        #expect(options.arguments == arguments)
        #expect(message.contains("Restore") && message.hasSuffix("."), "\(message)")
        #expect(message.contains(": voicegate service start \(arguments) (for the machine's service as root)."))
        #expect(message.contains("new verifier key") == options.contains(.replaceLostKey), "\(message)")
        #expect(LogStart.Options(arguments: "--other \(arguments)") == options)
        let value = options.environmentValue(untilSecondOfBoot: 100)
        #expect(LogStart.Options(environmentValue: value, atSecondOfBoot: 100) == options)
        #expect(LogStart.Options(environmentValue: value, atSecondOfBoot: 101).isEmpty)
        #expect(LogStart.Options(environmentValue: arguments, atSecondOfBoot: 1).isEmpty)
    }

    @Test("an error that nothing resolves names no command")
    func unresolved() { #expect(!error([]).message.contains("voicegate ")) }
}
