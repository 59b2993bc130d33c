import Foundation
import LinuxSystem

/// Runs a command line of the person's by the shell, with each utterance on its standard input.
struct CommandDelivery: Delivery {
    static let limit = Duration.seconds(60)

    let command: String
    let portion = DeliveryPortion.utterance

    func deliver(_ text: String) async throws {
        let run: ToolRun
        do {
            run = try await Tool(path: "/bin/sh").run(
                ["-c", command],
                ToolCall(
                    input: [UInt8]((text + "\n").utf8), output: .inherited, complaints: .inherited, limit: Self.limit))
        } catch let error as ToolError {
            throw DeliveryTools.failure(error.message)
        }
        if run.isOverdue {
            throw DeliveryTools.failure("The command did not end within \(Self.limit.components.seconds) seconds.")
        }
        guard run.status == 0 else { throw DeliveryTools.failure("The command failed with status \(run.status).") }
    }
}
