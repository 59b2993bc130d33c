import Authorization
import Foundation
import SocketAPI

/// What the command line itself says about permissions and about listening, in one language. A text that is missing does
/// not compile. Commands stay as they are in every language.
protocol CommandWording: Sendable {
    // Statuses.
    var speechRecognition: String { get }
    var microphone: String { get }
    func word(for status: AuthorizationStatus) -> String
    /// - Parameters:
    ///   - extent: how far a yes reaches, put after it.
    ///   - settings: the command that shows the client's settings; with `--allow` or `--deny` it changes them.
    func sentence(for status: AuthorizationStatus, _ resource: Resource, extent: String, settings: String) -> String
    /// How far a yes reaches.
    func extent(_ grant: AuthorizationReply.Grant) -> String
    func problem(_ text: String) -> String
    var nothingDecided: String { get }
    /// - Parameters:
    ///   - client: `nil`: every program.
    ///   - resource: `nil`: both.
    func reset(_ client: String?, _ resource: Resource?) -> String
    func toAllow(_ command: String) -> String
    func answerNotGiven(_ reason: String) -> String
    var startingService: String { get }
    /// How far a sound file is.
    /// - Parameters:
    ///   - part: which of how many files it is, where there are several.
    ///   - done: as on a clock; `left` likewise.
    func transcribing(_ file: String, part: (number: Int, count: Int)?, done: String, percent: Int?, left: String?)
        -> String
    /// How far an export is.
    func exporting(_ count: Int, of size: UInt64, percent: Int) -> String

    // The indicator.
    func everythingMuted(command: String) -> String
    var nothingListens: String { get }
    /// Who uses what since when, or until when.
    func listener(_ session: IndicatorReply.Session, time: (Date) -> String) -> String

    // A dictation.
    var theMicrophone: String { get }
    func listening(on device: String) -> String
    var notListening: String { get }
    var pausedInBackground: String { get }
    func listeningAgain(on device: String) -> String
    func waiting(for device: String) -> String
    func lostSound(milliseconds: Int) -> String
    func tooNoisy(decibels: Int) -> String
    /// - Parameter reason: a sentence.
    func fellBack(from engine: String, reason: String) -> String
    var silenceEnded: String { get }
    var cancelled: String { get }
    func revoked(command: String) -> String
    var restricted: String { get }
    func muted(command: String) -> String
    var onceEnded: String { get }
    func deviceLost(_ device: String, reason: String?) -> String
    func failed(_ device: String) -> String
    var disconnected: String { get }
    var serviceStopped: String { get }
}

extension Language {
    /// That of the person at this process's terminal.
    static let ofPerson = Language(environment: ProcessInfo.processInfo.environment)

    var commandWording: any CommandWording {
        switch self {
        case .english: EnglishCommandWording()
        case .japanese: JapaneseCommandWording()
        case .korean: KoreanCommandWording()
        }
    }
}
