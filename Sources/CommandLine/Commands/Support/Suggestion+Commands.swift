import ArgumentParser
import Base
import Speech

extension Suggestion {
    /// Why the arguments name no command.
    ///
    /// - Parameter root: the command that they are of.
    /// - Returns: `nil` if they name one, or if what follows is not a command's name.
    static func unknownCommand(_ arguments: [String], of root: any ParsableCommand.Type) -> String? {
        var (command, path) = (root, [root._commandName])
        if let first = arguments.first,
            first.hasPrefix("--socket") || ["--json", "--quiet", "--no-input"].contains(first)
        {
            return "Options follow the command, such as: \(root._commandName) status \(first)"
        }
        for argument in arguments {
            let configuration = command.configuration
            // `help` is the library's, and takes names of commands itself.
            guard !argument.hasPrefix("-"), !configuration.subcommands.isEmpty, argument != "help" else { return nil }
            if let next = configuration.subcommands.first(where: { names($0).contains(argument) }) {
                command = next
                path.append(next._commandName)
                continue
            }
            guard configuration.defaultSubcommand == nil else { return nil }
            let known = configuration.subcommands.map { $0._commandName }
            return "There is no command “\((path.dropFirst() + [argument]).joined(separator: " "))”."
                + question(argument, in: known) + " To list the commands: \(path.joined(separator: " ")) --help"
        }
        return nil
    }

    private static func names(_ command: any ParsableCommand.Type) -> [String] {
        [command._commandName] + command.configuration.aliases
    }
}
