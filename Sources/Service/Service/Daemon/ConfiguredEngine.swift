import Foundation

/// `engine:` in `config.yaml`: a recogniser of another kind. It speaks the protocol of Documentation/Engines.md, and is locked
/// in by voicegate-engine before it begins.
struct ConfiguredEngine: Decodable {
    /// The program's path and its arguments; `--model FOLDER` follows.
    let command: [String]
    /// Folders and files that it may read, besides the system's programs and the model.
    var reads: [String] = []

    init(from decoder: any Decoder) throws {
        let container = try decoder.mapping(of: ["command", "reads"])
        command = try container.decode([String].self, forKey: "command")
        reads = try container.decodeIfPresent([String].self, forKey: "reads") ?? []
    }

    /// What cannot be used about it, or `nil`.
    var problem: String? {
        guard let program = command.first, (command + reads).allSatisfy({ !$0.isEmpty && $0.utf8.count <= 4_096 }),
            command.count <= 64, reads.count <= 64
        else {
            return "engine has a command, a list of the program and its arguments, and may have reads, a list of paths"
        }
        guard ([program] + reads).allSatisfy({ $0.hasPrefix("/") }) else {
            return "the program of engine, and what it reads, are named by whole paths, from / on"
        }
        return nil
    }

    /// What voicegate-engine is called with.
    func arguments(modelFolder: String) -> [String] {
        (reads + [modelFolder]).flatMap { ["--readable", $0] } + ["--"] + command
    }
}
