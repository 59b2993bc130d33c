import ArgumentParser
import CommandClient
import SocketAPI

import struct Prompting.DesktopPrompt

struct AgentCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent", abstract: "Show permission prompts of other programs here, and answer them.",
        discussion: """
            Prompts for programs without a terminal, and for use in the background, appear where an agent runs: in this \
            terminal, or on the desktop. Ctrl-C stops the agent. Closing a prompt leaves it unanswered.
            """)

    @Flag(help: "Show prompts as desktop notifications with buttons.")
    var desktop = false

    @Flag(
        help: """
            Show only the prompts of the program that runs this command, in the terminal of both. Libraries start it while \
            their request waits.
            """)
    var ofCaller = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if desktop, ofCaller { throw ValidationError("--desktop and --of-caller exclude each other.") }
    }

    func run(_ context: CommandContext) async throws {
        let signals = SignalWatch(removingEchoFrom: context.output)
        let ask = try await ask(context)
        let kind: AgentKind? = ofCaller ? nil : desktop ? .desktop : .terminal
        try await signals.cancelling {
            let client = try await context.client()
            let desk = PromptDesk(client: client, output: context.output, isAgent: !ofCaller, ask: ask)
            let prompts = try await client.prompts(as: kind)
            try await desk.serve(
                prompts,
                onListening: {
                    if !ofCaller { context.output.note("Prompts of other programs appear here. Ctrl-C stops.") }
                })
            throw CommandError(.cannotAsk, "The service stopped, so the agent stopped too.")
        }
    }

    private func ask(_ context: CommandContext) async throws -> PromptDesk.Ask {
        guard desktop else {
            try require(
                context.isInteractive, .cannotAsk,
                "Prompts need a terminal. Run the agent in a terminal, or use voicegate agent --desktop.")
            return PromptDesk.askInTerminal
        }
        let prompt = DesktopPrompt()
        try await prompt.check()
        return { offer, _ in try await prompt.ask(offer.notice, offersFidelity: offer.offersFidelity) }
    }
}
