import Authorization
import Foundation
import SocketAPI
import Speech

/// The command line's texts about permissions and listening, in one language: the compiler finds a missing text. Commands
/// within the texts are the same in every language.
protocol CommandWording: Sendable {
    var speechRecognition: String { get }
    var microphone: String { get }
    func callAsFunction(_ text: CommandText) -> String
    /// - Parameters:
    ///   - extent: the extent of a grant, put after it.
    ///   - settings: the command that shows the client's settings; `--allow` and `--deny` change them.
    func sentence(for status: AuthorizationStatus, _ resource: Resource, extent: String, settings: String) -> String
    func extent(_ grant: AuthorizationReply.Grant) -> String
    /// `nil` means every program, and both resources.
    func reset(_ client: String?, _ resource: Resource?) -> String
    /// The progress of a sound file, which is one of several if there is a `part`; `done` and `left` are as on a clock.
    func transcribing(_ file: String, part: (number: Int, count: Int)?, done: String, percent: Int?, left: String?)
        -> String
    /// A line of the indicator.
    func listener(_ session: IndicatorReply.Session, time: (Date) -> String) -> String
    /// Why a dictation ended; `nil` without a reason.
    ///
    /// - Parameters:
    ///   - reason: the service's, a sentence.
    ///   - settings: the command that allows it again.
    ///   - mute: the one that ended it, if that is known.
    ///   - silence: seconds of silence that end it.
    func sentence(
        for ending: DictationEnding, on device: String, reason: String?, settings: String, mute: MutedBy?,
        silence: Double?
    ) -> String?
}

/// The texts that need nothing but their values.
enum CommandText: Sendable, Hashable {
    case problem(String), nothingDecided
    case toAllow(command: String), toChange
    case answerNotGiven(reason: String)
    case startingService
    case exporting(count: Int, size: UInt64, percent: Int)
    case everythingMuted(MutedBy?), nothingListens, logBeingVerified
    /// The head of what programs listened to and transcribed since then.
    case usedSince(String)
    /// The engine on this machine, with its version.
    case recognizedBy(String)
    /// The last `count` records of `size` are in no checkpoint that is kept elsewhere.
    case rewritable(count: UInt64, size: UInt64)

    // A dictation.
    case listening(device: String), listeningAgain(device: String), notListening, pausedInBackground
    case waiting(device: String)
    case lostSound(milliseconds: Int)
    case tooNoisy(decibels: Int)
    /// The reason is a sentence.
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
