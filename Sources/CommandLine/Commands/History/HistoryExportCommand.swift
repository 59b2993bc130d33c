import ArgumentParser
import Foundation
import SocketAPI
import VoiceGateClient

struct HistoryExportCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write something that is kept to a file of yours.",
        discussion:
            "A recording becomes a WAV file, a transcript a text. The file is yours: VoiceGate does not erase it.")

    @Argument(help: "The item's identifier, or its beginning as the list shows it.")
    var item: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The file; it must not be there yet.", valueName: "file"))
    var output: String

    @OptionGroup var options: GlobalOptions

    func run(_ context: CommandContext) async throws {
        let service = try await context.client()
        for entry in try await HistorySupport.entries([item], service) {
            // Before the file is made: what cannot be read leaves no empty one.
            let content = try await service.keptContent(entry.item)
            let file = try NewFile(path: output)
            do {
                if entry.kind == .transcript {
                    for utterance in try await HistorySupport.utterances(entry.item, service) {
                        try file.write(Array((utterance.text + "\n").utf8))
                    }
                } else {
                    for try await bytes in content { try file.write(bytes) }
                }
            } catch {
                file.remove()
                throw error
            }
            context.output.note("\(output) was written. VoiceGate erases its own copy on time, and not this one.")
        }
    }
}
