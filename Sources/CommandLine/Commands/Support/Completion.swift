import ArgumentParser

/// What the service knows, for the shells' completions. They do not start it.
extension CompletionKind {
    static let devices = firstColumn(of: "devices")
    static let clients = firstColumn(of: "settings", matching: "[.]")
    static let engines = firstColumn(of: "engine list", matching: "^[a-z0-9.-]+$")

    private static func firstColumn(of command: String, matching pattern: String = ".") -> CompletionKind {
        .shellCommand(
            "VOICEGATE_NO_START=1 voicegate \(command) 2>/dev/null </dev/null "
                + "| awk '$1 ~ /\(pattern)/ && /^[^ ]/ { print $1 }' | sort -u")
    }
}
