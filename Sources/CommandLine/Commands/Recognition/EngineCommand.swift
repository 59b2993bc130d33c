import ArgumentParser
import Authorization
import Base
import CommandClient
import CommandText
import Foundation
import SocketAPI

import enum LinuxSystem.DiskSpace

struct EngineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine", abstract: "Install and choose speech recognisers.",
        discussion: """
            PocketSphinx is built in. Others, and other models of PocketSphinx, are installed with one command, verified file by \
            file, and run in a sandbox without a network.

            Example:  voicegate engine install moonshine-tiny-en
                      voicegate engine use moonshine-tiny-en

            How to write and configure one: Documentation/Engines.md
            """,
        subcommands: [
            EngineListCommand.self, EngineInstallCommand.self, EngineUseCommand.self, EngineRemoveCommand.self,
        ])

    static func line(_ text: String) -> String { DisplayText.cleaned(text, limit: 1_000) }

    /// Such as `12.2`.
    static func decimal(_ number: Double) -> String { String(format: "%.1f", number) }

    /// How many errors an engine makes, and how many PocketSphinx makes with the same recordings; `nil` if that was not measured.
    static func comparison(
        _ measured: [EngineReply.Measurement], _ engines: [EngineReply]
    ) -> (errors: String, builtIn: String, set: String)? {
        let builtIn = engines.first { $0.id == SpeechEngine.builtIn }?.measured ?? []
        return measured.lazy.compactMap { own in
            builtIn.first { $0.set == own.set }.map { (decimal(own.errors), decimal($0.errors), line(own.set)) }
        }.first
    }
}

struct EngineListCommand: PagedCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the engines that are built in, installed and available.",
        discussion: """
            Each file of the installed ones is verified. ERRORS are word errors in 100 words, CPU is CPU seconds for a second of \
            speech. With a name the exit code is 65 if the engine is damaged, and 66 if it is not installed.
            """)

    @Argument(help: "Only this engine.", completion: .engines)
    var id: String?

    @OptionGroup var paging: PagingOptions
    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        var reply = try await context.client().engines()
        if let id { reply.engines.removeAll { $0.id != id } }
        guard id == nil || !reply.engines.isEmpty else {
            throw CommandError(.noInput, "There is no engine \(id ?? ""). voicegate engine list shows the known ones.")
        }
        let ending: ExitStatus =
            switch id == nil ? nil : reply.engines.first?.state {
            case nil, .builtIn, .installed: .success
            case .damaged: .badData
            case .available, .unavailable: .noInput
            }
        try context.output.result(reply, Self.lines(reply), ending: ending)
        if !context.output.isJSON { Self.warn(reply, context.output) }
    }

    static func lines(_ reply: EngineListReply) -> [String] {
        let heading = ["ENGINE", "STATE", "LANGUAGE", "LICENCES", "SIZE", "ERRORS", "CPU", "USED FOR"]
        let rows = reply.engines.map { engine in
            let measured = engine.measured.first
            let licences =
                engine.codeLicences
                + (engine.codeLicences.contains(engine.weightsLicence) ? [] : [engine.weightsLicence])
            return [
                engine.id, state(engine.state), engine.languages.joined(separator: " "),
                licences.joined(separator: ", ") + (engine.isFree ? "" : " (not free)"),
                engine.size == 0 ? "–" : DiskSpace.megabytes(engine.size),
                measured.map { EngineCommand.decimal($0.errors) } ?? "–",
                measured.map { String(format: "%.2f", $0.cpu) } ?? "–",
                engine.usedFor.isEmpty ? "–" : engine.usedFor.map(\.rawValue).joined(separator: ", "),
            ].map(EngineCommand.line)
        }
        let faults = reply.engines.flatMap { engine in
            engine.faults.map {
                engine.id == SpeechEngine.builtIn
                    ? $0 : "\(engine.id): \($0). Install it again:  voicegate engine install \(engine.id)"
            }
        }
        let sets = reply.engines.flatMap(\.measured).map(\.set).reduce(into: [String]()) { sets, set in
            if !sets.contains(set) { sets.append(set) }
        }
        return TextTable.lines([heading] + rows)
            + (faults + sets.map { "Measured with: \($0)" }).map(EngineCommand.line)
    }

    static func warn(_ reply: EngineListReply, _ output: Output) {
        guard let configured = reply.configured else { return }
        output.warn(
            "config.yaml has engine: \(configured), which decides. To choose here, remove it there and run voicegate service restart."
        )
    }

    private static func state(_ state: EngineReply.State) -> String {
        switch state {
        case .builtIn: "built in"
        case .installed: "installed"
        case .damaged: "damaged, not used"
        case .available: "available"
        case .unavailable: "not for this machine"
        }
    }
}

struct EngineUseCommand: ConnectedCommand {
    static let configuration = CommandConfiguration(
        commandName: "use", abstract: "Choose what recognises speech.",
        discussion: """
            Sessions that start from now on use the engine. What it cannot do, such as phrases, stays with PocketSphinx; requests \
            in a language that it does not have go to the engine that was chosen before it. \
            Back to PocketSphinx:  voicegate engine use pocketsphinx
            """)

    @Argument(help: "The engine's name.", completion: .engines)
    var id: String

    @Option(
        name: .customLong("for"), help: .init("Only for this task. (default: all that it can do)", valueName: "task"))
    var task: EngineTask?

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext, _ client: ServiceClient) async throws {
        try await Self.use(id, for: task, context, client)
    }

    static func use(
        _ id: String, for task: EngineTask?, _ context: CommandContext, _ client: ServiceClient
    ) async throws {
        let engine = try await client.useEngine(id, for: task)
        if context.output.isJSON { return try context.output.json(engine) }
        let tasks = engine.usedFor.map(\.rawValue).joined(separator: ", ")
        context.output.note("\(engine.name) \(engine.version) is used for \(tasks).")
        EngineListCommand.warn(try await client.engines(), context.output)
    }
}

extension EngineTask: ExpressibleByArgument {}

struct EngineRemoveCommand: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove an installed engine.")

    @Argument(help: "The engine's name.", completion: .engines)
    var id: String

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        try await context.client().removeEngine(id)
        context.output.note("The engine \(id) was removed.")
    }
}
