import Foundation

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
