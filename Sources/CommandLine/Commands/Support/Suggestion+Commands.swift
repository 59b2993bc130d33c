import ArgumentParser
import Base
import Glibc
import Speech

extension Suggestion {
    /// A file whose name would be read as options, such as one that a shell found for `*.wav`.
    ///
    /// - Returns: what to write instead; `nil` if there is none.
    static func fileAsOption(_ arguments: [String]) -> String? {
        let options = arguments.prefix { $0 != "--" }
        guard
            let file = options.first(where: {
                $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 2 && access($0, F_OK) == 0
            })
        else { return nil }
        return "The file “\(file)” would be read as options. Write ./\(file), or ./*, so that the name does not begin "
            + "with a dash."
    }

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
