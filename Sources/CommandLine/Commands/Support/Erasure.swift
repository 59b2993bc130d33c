import ArgumentParser
import Authorization
import Base
import Foundation
import SocketAPI
import Speech
import CommandClient

/// Of commands that erase.
struct ErasureOptions: ParsableArguments {
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
}

extension CommandContext {
    /// Asks at a terminal. Without one the command alone decides, as for rm(1), so that scripts need no option.
    ///
    /// - Parameters:
    ///   - planned: what will be erased, as lines; empty: nothing, and nothing is asked.
    ///   - question: without its end.
    ///   - isRequired: without a terminal, too, only `--yes` decides.
    /// - Returns: whether to go on; if not, the user has read so.
    func agrees(
        toErase planned: [String], _ options: ErasureOptions, question: String = "Erase permanently?",
        isRequired: Bool = false
    ) async throws -> Bool {
        guard !options.yes, !planned.isEmpty else { return true }
        guard isInteractive else {
            guard isRequired || isAttended else { return true }
            throw CommandError(
                .cannotAsk, status: .usage,
                "Erasure is permanent, and the question cannot be shown: standard input and standard error must be the "
                    + "terminal. To erase: --yes")
        }
        for line in planned { output.note(line) }
        if try await output.confirms(question) { return true }
        output.note("Nothing was erased.")
        return false
    }

    /// Items that are kept of a client; empty if this process may not read them.
    ///
    /// - Parameter client: `nil`: all.
    func kept(of client: String?, _ service: ServiceClient) async throws -> [HistoryEntry] {
        try await ifAllowed { try await service.history(client: client).all() } ?? []
    }

    /// - Throws: `CommandError` with `noInput` for an identifier that no program has.
    func requireKnown(_ client: String?, _ service: ServiceClient) async throws {
        guard let client else { return }
        let settings = try await service.settings()
        let known = Set(settings.entries.map(\.client)).sorted()
        // A program that runs this command sees only its own settings, and must not get the error. Where connections are
        // taken nobody gets it, because it must not keep a user from revoking.
        guard !known.contains(client), (try? await service.keeping()) != nil else { return }
        // One whose manifest has errors is not known.
        for problem in settings.problems { output.warn(problem) }
        throw CommandError(
            .noInput,
            "No program \(client) is known.\(Suggestion.question(client, in: known)) To list them: voicegate settings")
    }
}

/// Kept items as a summary.
enum KeptSummary {
    /// A line for each program, such as `Notes (org.example.notes): 2 transcripts and 1 recording`.
    static func lines(_ entries: [HistoryEntry]) -> [String] {
        Dictionary(grouping: entries, by: \.client).sorted { $0.key < $1.key }.map { client, entries in
            let name = DisplayText.cleaned(entries[0].name, limit: 60)
            return "    \(name == client ? name : "\(name) (\(client))"): \(count(entries))"
        }
    }

    /// Such as `2 transcripts and 1 recording`.
    static func count(_ entries: [HistoryEntry]) -> String {
        let counts = DataKind.allCases.compactMap { kind -> String? in
            let count = entries.count { $0.kind == kind }
            return count == 0 ? nil : "\(count) \(noun(kind))\(count == 1 ? "" : "s")"
        }
        return counts.joined(separator: " and ")
    }

    private static func noun(_ kind: DataKind) -> String {
        switch kind {
        case .transcript: "transcript"
        case .recording: "recording"
        case .microphoneProfile: "microphone profile"
        case .liveAudio: "sound"
        }
    }
}
