import ArgumentParser

/// A command that talks to the service. Its errors become messages and exit codes here, once for all commands.
protocol ServiceCommand: AsyncParsableCommand {
    var options: GlobalOptions { get }

    func run(_ context: CommandContext) async throws
}

extension ServiceCommand {
    func run() async throws {
        let context = CommandContext(options)
        do {
            try await run(context)
        } catch let error as ValidationError {
            throw error
        } catch {
            throw ExitCode(context.report(error).rawValue)
        }
    }
}
