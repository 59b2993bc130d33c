import ArgumentParser
import Authorization
import Foundation
import LinuxSystem

/// Where the text of a dictation goes, unless a command is given.
enum DeliveryTarget: String, Sendable, Hashable, CaseIterable, Codable, ExpressibleByArgument {
    /// A line per utterance.
    case stdout
    /// Typed into the focused window.
    case type
    case clipboard
}

/// A destination of text other than standard output.
protocol Delivery: Sendable {
    var portion: DeliveryPortion { get }

    /// - Parameter text: empty only if all was taken back; without control characters except line feeds and tabs.
    /// - Throws: `CommandError` with `cannotDeliver`.
    func deliver(_ text: String) async throws
}

/// The part of a session's text that a delivery receives after each utterance.
enum DeliveryPortion: Sendable, Hashable {
    case utterance
    /// The utterance with the separator before it.
    case continuation
    /// All utterances so far.
    case everything
}

/// Writes the messages and the formatted, filtered text of a dictation in order. The dictation does not wait for it.
struct Deliverer: Sendable {
    /// For the first utterance.
    let former: TextFormer
    /// Whether “scratch that” takes back what was said before.
    var scratches = false
    let filters: [TextFilter]
    /// `nil`: lines of standard output.
    let delivery: (any Delivery)?
    /// Whether everything is delivered at once at the end.
    let isAtEnd: Bool
    let output: Output

    /// Returns when all is delivered.
    ///
    /// - Throws: `OutputClosed`, or `CommandError` if standard output cannot be written.
    func run(_ actions: AsyncStream<DictationDisplay.Action>) async throws {
        var former = former
        var written: [Written] = []
        for await action in actions {
            switch action {
            case .live(let text): output.live(text)
            case .note(let text): output.note(text)
            case .warning(let text): output.warn(text)
            case .text(let recognised):
                let said = try await takingBack(DeliveredText.cleaned(recognised), from: &written, &former)
                let before = former
                let formed = former.utterance(said)
                let text = await filtered(formed.text)
                guard !text.isEmpty else { continue }
                let addition = (written.isEmpty ? "" : formed.separator) + text
                written.append(Written(text: addition, before: before))
                if !isAtEnd { try await deliver(text, addition, Self.whole(written)) }
            }
        }
        let all = Self.whole(written)
        if isAtEnd, !all.isEmpty { try await deliver(all, all, all) }
    }

    /// An utterance, with what separates it from the one before.
    private struct Written {
        let text: String
        /// The state that it began with.
        let before: TextFormer
    }

    private static func whole(_ written: [Written]) -> String { written.map(\.text).joined() }

    /// Whether what was written can still be removed.
    private var canTakeBack: Bool { isAtEnd || delivery?.portion == .everything }

    /// Obeys “scratch that”.
    ///
    /// - Returns: what remains of the utterance.
    private func takingBack(
        _ said: String, from written: inout [Written], _ former: inout TextFormer
    ) async throws -> String {
        guard scratches else { return said }
        let (earlier, kept) = ScratchThat.reading(said.split(whereSeparator: \.isWhitespace).map(String.init))
        let removed = min(earlier, written.count)
        if removed > 0 {
            guard canTakeBack else {
                output.note(Language.ofPerson.commandWording(.alreadyDelivered))
                return kept.joined(separator: " ")
            }
            former = written[written.count - removed].before
            written.removeLast(removed)
            let all = Self.whole(written)
            if !isAtEnd { try await deliver(all, all, all) }
        }
        return kept.joined(separator: " ")
    }

    private func deliver(_ utterance: String, _ continuation: String, _ all: String) async throws {
        guard let delivery else { return try write(utterance) }
        do {
            switch delivery.portion {
            case .utterance: try await delivery.deliver(utterance)
            case .continuation: try await delivery.deliver(continuation)
            case .everything: try await delivery.deliver(all)
            }
        } catch let error as CommandError where error.code == .cannotDeliver {
            output.warn("\(error.message) The text is written to standard output instead.")
            try write(utterance)
        }
    }

    /// With `--json` the event has the text.
    private func write(_ text: String) throws {
        guard !output.isJSON else { return }
        try output.line(text.trimmingCharacters(in: .newlines))
    }

    private func filtered(_ text: String) async -> String {
        var text = text
        for filter in filters where !text.isEmpty {
            do {
                text = try await filter.filtered(text)
            } catch {
                output.warn("\(error) The text is unchanged.")
            }
        }
        return text
    }
}

/// Runs a shell command of the user with each utterance on its standard input.
struct CommandDelivery: Delivery {
    static let limit = Duration.seconds(60)

    let command: String
    let portion = DeliveryPortion.utterance

    func deliver(_ text: String) async throws {
        let run = try await DeliveryTools.run(
            "The command", Tool(path: "/bin/sh"), ["-c", command], text + "\n", output: .inherited,
            complaints: .inherited, limit: Self.limit)
        guard run.status == 0 else { throw DeliveryTools.failure("The command failed with status \(run.status).") }
    }
}

/// A shell command of the user that replaces each utterance by its output.
struct TextFilter: Sendable, Hashable {
    static let limit = Duration.seconds(5)

    let command: String

    /// - Returns: the text without the command's last line end; empty if nothing is to be delivered.
    /// - Throws: `CommandError` with `cannotDeliver`.
    func filtered(_ text: String) async throws -> String {
        let name = "The filter “\(command)”"
        let run = try await DeliveryTools.run(
            name, Tool(path: "/bin/sh"), ["-c", command], text + "\n", output: .kept, complaints: .kept,
            limit: Self.limit)
        guard run.status == 0 else {
            let reason = run.complaint.split(separator: "\n").first.map { ": \($0)" } ?? ""
            throw DeliveryTools.failure("\(name) failed with status \(run.status)\(reason).")
        }
        return DeliveredText.cleaned(run.output.hasSuffix("\n") ? String(run.output.dropLast()) : run.output)
    }
}

enum DeliveredText {
    /// Removes control sequences, which a terminal or a window would execute; engines and filters may emit any text.
    static func cleaned(_ text: String) -> String {
        var cleaned = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control: if scalar == "\n" || scalar == "\t" { cleaned.append(scalar) }
            // Direction marks can make other text of the text beside them.
            case .format where scalar.properties.isBidiControl: break
            case .lineSeparator, .paragraphSeparator: cleaned.append("\n")
            default: cleaned.append(scalar)
            }
        }
        return String(cleaned)
    }
}
