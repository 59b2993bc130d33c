import Authorization
import Foundation
import SocketAPI
import Speech

/// The command line's texts about permissions and listening, in one language: the compiler finds a missing text. Commands
/// within the texts are the same in every language.
protocol CommandWording: Sendable {
    // Statuses.
    var speechRecognition: String { get }
    var microphone: String { get }
    /// - Parameters:
    ///   - extent: the extent of a grant, put after it.
    ///   - settings: the command that shows the client's settings; `--allow` and `--deny` change them.
    func sentence(for status: AuthorizationStatus, _ resource: Resource, extent: String, settings: String) -> String
    func extent(_ grant: AuthorizationReply.Grant) -> String
    func problem(_ text: String) -> String
    var nothingDecided: String { get }
    /// `nil` means every program, and both resources.
    func reset(_ client: String?, _ resource: Resource?) -> String
    func toAllow(_ command: String) -> String
    func answerNotGiven(_ reason: String) -> String
    var startingService: String { get }
    /// The progress of a sound file, which is one of several if there is a `part`; `done` and `left` are as on a clock.
    func transcribing(_ file: String, part: (number: Int, count: Int)?, done: String, percent: Int?, left: String?)
        -> String
    func exporting(_ count: Int, of size: UInt64, percent: Int) -> String

    // The indicator.
    var everythingMuted: String { get }
    var nothingListens: String { get }
    func listener(_ session: IndicatorReply.Session, time: (Date) -> String) -> String

    // A dictation.
    func listening(on device: String) -> String
    var notListening: String { get }
    var pausedInBackground: String { get }
    func listeningAgain(on device: String) -> String
    func waiting(for device: String) -> String
    func lostSound(milliseconds: Int) -> String
    func tooNoisy(decibels: Int) -> String
    /// - Parameter reason: a sentence.
    func fellBack(from engine: String, reason: String) -> String
    /// Why a dictation ended; `nil` without a reason.
    ///
    /// - Parameters:
    ///   - reason: the service's, a sentence.
    ///   - settings: the command that allows it again.
    ///   - silence: seconds of silence that end it.
    func sentence(
        for ending: DictationEnding, on device: String, reason: String?, settings: String, silence: Double?
    ) -> String?
}

extension Language {
    /// The language of this process's user.
    static let ofPerson = Language(environment: ProcessInfo.processInfo.environment)

    var commandWording: any CommandWording {
        switch self {
        case .english: EnglishCommandWording()
        case .japanese: JapaneseCommandWording()
        case .korean: KoreanCommandWording()
        }
    }
}
