import ArgumentParser

/// `--agent`
enum AgentChoice: ExpressibleByArgument, Sendable, Hashable {
    case caller
    case terminal
    case desktop
    case script(path: String)

    init?(argument: String) {
        switch argument {
        case "caller": self = .caller
        case "terminal": self = .terminal
        case "desktop": self = .desktop
        default:
            guard argument.hasPrefix("script:"), argument.count > "script:".count else { return nil }
            self = .script(path: String(argument.dropFirst("script:".count)))
        }
    }

    var defaultValueDescription: String { "caller" }
}
