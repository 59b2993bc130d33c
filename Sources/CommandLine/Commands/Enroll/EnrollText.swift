import Authorization
import Foundation
import SocketAPI

/// An enrolment as a person reads it.
enum EnrollText {
    static let beginning = """
        Read each sentence aloud when it appears, as you usually speak, and wait for the next. Ctrl-C gives it up.

        """

    static let kept =
        "It helps, so it is kept: your next sessions are heard with it. To erase it:  voicegate "
        + "enroll --remove"

    static let refused = """
        That does not clearly help on sentences that it was not learnt from, so nothing is kept. More sentences, the \
        microphone that you dictate with, or a quieter room may change that.
        """

    static func sentence(_ number: Int, _ total: Int, _ text: String) -> String {
        "\n\(number)/\(total)  \(cleaned(text))"
    }

    static func heard(_ text: String, _ outcome: EnrolmentEvent.HeardOutcome) -> String {
        let understood = "      understood: \(cleaned(text))"
        return switch outcome {
        case .read: understood
        case .again: understood + "\n      That was something else. Read it once more, please."
        case .skipped: understood + "\n      It is left out."
        }
    }

    static func learning(_ share: Double) -> String { "Learning and trying it … \(Int(share * 100)) %" }

    static func unused(_ places: [Int]) -> String {
        let list = places.map(String.init).joined(separator: ", ")
        return "Not used, because a word is unknown or something else was said: \(list)."
    }

    /// `io.voicegate.cli  24 sentences, 112 s  errors in 100 words: 31.4 → 27.0  until you take it back  3f2a9c1e`
    static func line(_ profile: VoiceProfileReply, timeZone: TimeZone = .current) -> String {
        var parts = [
            cleaned(profile.client), "\(profile.sentences) sentences, \(Int(profile.seconds.rounded())) s",
            "errors in 100 words: \(rate(profile.errorsBefore, profile.words)) → "
                + "\(rate(profile.errorsAfter, profile.words)) (\(profile.better) sentences better, \(profile.worse) worse)",
        ]
        if let item = profile.item {
            parts.append(
                profile.until.map { "until \(DayAndTime.text($0, timeZone: timeZone))" } ?? "until you "
                    + ""
                    + "take it back")
            parts.append(String(item.prefix(8)))
        } else {
            parts.append("not kept")
        }
        if !profile.fitsModel { parts.append("not used: it was learnt with another model") }
        return parts.joined(separator: "  ")
    }

    private static func rate(_ errors: Int, _ words: Int) -> String {
        words == 0 ? "–" : String(format: "%.1f", 100 * Double(errors) / Double(words))
    }

    private static func cleaned(_ text: String) -> String { DisplayText.cleaned(text, limit: 4_000) }
}
