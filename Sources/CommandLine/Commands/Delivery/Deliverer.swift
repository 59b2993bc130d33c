import ArgumentParser
import Foundation
import LinuxSystem

/// Takes what a dictation has to say to the person, in order: writes its text as it was asked for and hands it on.
///
/// Runs beside the dictation, which goes on listening while a filter or a tool takes its time.
struct Deliverer: Sendable {
    let form: TextForm
    let filters: [TextFilter]
    /// `nil`: lines of standard output.
    let delivery: (any Delivery)?
    /// Everything at once when the dictation is over.
    let isAtEnd: Bool
    let output: Output

    /// Returns when all is delivered.
    ///
    /// - Throws: `OutputClosed`, or `CommandError` when standard output cannot be written.
    func run(_ actions: AsyncStream<DictationDisplay.Action>) async throws {
        var former = TextFormer(form)
        var all = ""
        for await action in actions {
            switch action {
            case .live(let text): output.live(text)
            case .note(let text): output.note(text)
            case .warning(let text): output.warn(text)
            case .text(let said):
                let formed = former.utterance(DeliveredText.cleaned(said))
                let text = await filtered(formed.text)
                guard !text.isEmpty else { continue }
                let addition = (all.isEmpty ? "" : formed.separator) + text
                all += addition
                if !isAtEnd { try await deliver(text, addition, all) }
            }
        }
        if isAtEnd, !all.isEmpty { try await deliver(all, all, all) }
    }

    /// - Parameters:
    ///   - text: the utterance by itself.
    ///   - addition: as it stands behind the one before.
    private func deliver(_ text: String, _ addition: String, _ all: String) async throws {
        guard let delivery else { return try write(text) }
        do {
            switch delivery.portion {
            case .utterance: try await delivery.deliver(text)
            case .continuation: try await delivery.deliver(addition)
            case .everything: try await delivery.deliver(all)
            }
        } catch let error as CommandError where error.code == .cannotDeliver {
            output.warn("\(error.message) The text is written here instead.")
            try write(text)
        }
    }

    /// With `--json` the text stands in its event already.
    private func write(_ text: String) throws {
        guard !output.isJSON else { return }
        // What begins or ends with a line end has one already.
        try output.line(text.trimmingCharacters(in: .newlines))
    }

    private func filtered(_ text: String) async -> String {
        var text = text
        for filter in filters where !text.isEmpty {
            do {
                text = try await filter.filtered(text)
            } catch {
                output.warn("\(error) The text stays as it was.")
            }
        }
        return text
    }
}

/// A way for text out of this program that is not standard output.
protocol Delivery: Sendable {
    var portion: DeliveryPortion { get }

    /// - Parameter text: cleaned of control characters other than line ends and tabs; not empty.
    /// - Throws: `CommandError` with `cannotDeliver`, saying what failed.
    func deliver(_ text: String) async throws
}

/// What of a session's text a delivery is given after each utterance.
enum DeliveryPortion: Sendable, Hashable {
    /// It by itself.
    case utterance
    /// It as it stands behind the one before, with a space between.
    case continuation
    /// All of them so far.
    case everything
}

/// Where the text of a dictation goes, where no command is given for it.
enum DeliveryTarget: String, Sendable, Hashable, CaseIterable, Codable, ExpressibleByArgument {
    /// A line for each utterance.
    case stdout
    /// Typed into the window that has the keyboard.
    case type
    case clipboard
}

/// Runs a command line of the person's by the shell, with each utterance on its standard input.
struct CommandDelivery: Delivery {
    static let limit = Duration.seconds(60)

    let command: String
    let portion = DeliveryPortion.utterance

    func deliver(_ text: String) async throws {
        let run: ToolRun
        do {
            run = try await Tool(path: "/bin/sh").run(
                ["-c", command],
                ToolCall(
                    input: [UInt8]((text + "\n").utf8), output: .inherited, complaints: .inherited, limit: Self.limit))
        } catch let error as ToolError {
            throw DeliveryTools.failure(error.message)
        }
        if run.isOverdue {
            throw DeliveryTools.failure("The command did not end within \(Self.limit.components.seconds) seconds.")
        }
        guard run.status == 0 else { throw DeliveryTools.failure("The command failed with status \(run.status).") }
    }
}

/// A command line of the person's that gets an utterance on its standard input and writes what is delivered in its place.
struct TextFilter: Sendable, Hashable {
    static let limit = Duration.seconds(5)

    let command: String

    /// - Returns: the text without a line end that the command added; empty where nothing is to be delivered.
    /// - Throws: `CommandError` with `cannotDeliver`: its result cannot be used.
    func filtered(_ text: String) async throws -> String {
        let run: ToolRun
        do {
            run = try await Tool(path: "/bin/sh").run(
                ["-c", command],
                ToolCall(input: [UInt8]((text + "\n").utf8), complaints: .kept, limit: Self.limit))
        } catch let error as ToolError {
            throw DeliveryTools.failure(error.message)
        }
        if run.isOverdue { throw failure("did not end within \(Self.limit.components.seconds) seconds") }
        if run.isCut { throw failure("wrote more than 64 KiB") }
        guard run.status == 0 else {
            let reason = run.complaint.split(separator: "\n").first.map { ": \($0)" } ?? ""
            throw failure("failed with status \(run.status)\(reason)")
        }
        return DeliveredText.cleaned(run.output.hasSuffix("\n") ? String(run.output.dropLast()) : run.output)
    }

    private func failure(_ what: String) -> CommandError { DeliveryTools.failure("The filter “\(command)” \(what).") }
}

/// Text on its way out of this program.
enum DeliveredText {
    /// Leaves out what would be a command to a terminal or a key press in a window. Engines of others and filters may
    /// write anything.
    static func cleaned(_ text: String) -> String {
        var cleaned = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control: if scalar == "\n" || scalar == "\t" { cleaned.append(scalar) }
            // What turns the direction of the text beside it can make another text of it.
            case .format where scalar.properties.isBidiControl: break
            case .lineSeparator, .paragraphSeparator: cleaned.append("\n")
            default: cleaned.append(scalar)
            }
        }
        return String(cleaned)
    }
}
