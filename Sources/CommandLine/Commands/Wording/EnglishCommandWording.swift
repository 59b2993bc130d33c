import Authorization
import Foundation
import SocketAPI

struct EnglishCommandWording: CommandWording {
    var speechRecognition: String { "Speech recognition" }
    var microphone: String { "Microphone" }

    func word(for status: AuthorizationStatus) -> String {
        switch status {
        case .notDetermined: "not decided"
        case .restricted: "restricted"
        case .denied: "denied"
        case .authorized: "allowed"
        }
    }

    func sentence(for status: AuthorizationStatus, _ resource: Resource, extent: String, settings: String) -> String {
        switch status {
        case .authorized: "allowed\(extent). To take it back: \(settings) --deny \(resource.rawValue)"
        case .denied: "denied. To allow it: \(settings) --allow \(resource.rawValue)"
        case .restricted: "restricted by a policy of this machine's administrator"
        case .notDetermined: "not decided yet. To be asked now: voicegate request \(resource.rawValue)"
        }
    }

    func extent(_ grant: AuthorizationReply.Grant) -> String {
        let scope =
            switch grant.scope {
            case .once: "one session"
            case .whileInUse: "while in use"
            case .always: grant.isProvisional ? "while in use, always asked for" : "always"
            }
        return grant.fidelity == .reduced ? scope + ", its phrases alone" : scope
    }

    func problem(_ text: String) -> String { "Problem: \(text)" }
    var nothingDecided: String { "Nothing was decided yet." }

    func reset(_ client: String?, _ resource: Resource?) -> String {
        let what = resource?.phrase ?? "speech recognition and the microphone"
        return client.map { "You will be asked again whether \($0) may use \(what)." }
            ?? "You will be asked again for every program that wants to use \(what)."
    }

    func toAllow(_ command: String) -> String { "To allow it: \(command)" }
    func answerNotGiven(_ reason: String) -> String { "Your answer was not given: \(reason)" }
    var startingService: String { "Starting the VoiceGate service." }
    func transcribing(
        _ file: String, part: (number: Int, count: Int)?, done: String, percent: Int?, left: String?
    ) -> String {
        let progress = percent.map { "\($0) %" } ?? "\(done) done"
        return (part.map { "\($0.number) of \($0.count): " } ?? "") + "\(file): \(progress)"
            + (left.map { ", \($0) left" } ?? "")
    }

    func exporting(_ count: Int, of size: UInt64, percent: Int) -> String {
        "Exporting: \(count) records written, \(percent) % of \(size) read"
    }

    func everythingMuted(command: String) -> String { "Everything is muted. To end that: \(command)" }
    var nothingListens: String { "Nothing listens now." }
    func listener(_ session: IndicatorReply.Session, time: (Date) -> String) -> String { session.sentence(time) }

    var theMicrophone: String { "the microphone" }
    func listening(on device: String) -> String { "Listening on \(device). Ctrl-C ends." }
    var notListening: String { "Not listening for now." }
    var pausedInBackground: String {
        "Not listening in the background; what is said is dropped. fg brings it back."
    }
    func listeningAgain(on device: String) -> String { "Listening again on \(device)." }
    func waiting(for device: String) -> String { "\(device) went away. Waiting until it is back; Ctrl-C ends." }

    func lostSound(milliseconds: Int) -> String {
        "\(milliseconds) ms of sound were lost, because this machine was too busy."
    }

    func tooNoisy(decibels: Int) -> String {
        "Too noisy to understand: what was said stands \(decibels) dB above the noise, and 20 are needed. Move closer to "
            + "the microphone."
    }

    func fellBack(from engine: String, reason: String) -> String {
        "\(reason) VoiceGate's own recogniser goes on alone until this session ends; no more sound goes to \(engine)."
    }

    var silenceEnded: String { "Nobody spoke any more, so it ended." }
    var cancelled: String { "Cancelled. What was heard last was thrown away." }

    func revoked(command: String) -> String {
        "The permission was taken back, so nothing is heard any more. To allow it again: \(command)"
    }

    var restricted: String { "A policy of this machine's administrator forbids it now, so nothing is heard any more." }
    func muted(command: String) -> String {
        "Everything was muted, so nothing is heard any more. To end that: \(command)"
    }
    var onceEnded: String {
        "It was allowed once and left the foreground, so it ended. Start it again to be asked again."
    }

    func deviceLost(_ device: String, reason: String?) -> String {
        "\(reason ?? "\(device) went away.") Connect it and start again; with --wait-for-device it waits."
    }

    func failed(_ device: String) -> String {
        "The recogniser or \(device) failed. See the service's log, then try again."
    }

    var disconnected: String { "The service lost the connection. Try again." }
    var serviceStopped: String { "The service is being stopped." }
}
