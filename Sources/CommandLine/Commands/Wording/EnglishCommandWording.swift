import Authorization
import Foundation
import SocketAPI
import Speech

struct EnglishCommandWording: CommandWording {
    var speechRecognition: String { "Speech recognition" }
    var microphone: String { "Microphone" }

    func sentence(for status: AuthorizationStatus, _ resource: Resource, extent: String, settings: String) -> String {
        switch status {
        case .authorized: "allowed\(extent)"
        case .denied: "denied. To allow it: \(settings) --allow \(resource.rawValue)"
        case .restricted: "restricted by the administrator's policy"
        case .notDetermined: "not decided. To be asked now: voicegate request \(resource.rawValue)"
        }
    }

    func extent(_ grant: AuthorizationReply.Grant) -> String {
        let scope =
            switch grant.scope {
            case .once: "this use"
            case .whileInUse: "while in use"
            case .always: "always"
            }
        return grant.fidelity == .reduced ? scope + ", phrases only" : scope
    }

    func callAsFunction(_ text: CommandText) -> String {
        switch text {
        case .problem(let text): "Problem: \(text)"
        case .nothingDecided: "No decisions yet."
        case .toChange: "To change a permission: voicegate settings"
        case .toAllow(let command): "To allow it: \(command)"
        case .answerNotGiven(let reason): "Your answer was not delivered: \(reason)"
        case .startingService: "Starting the VoiceGate service."
        case .exporting(let count, let size, let percent):
            "Exporting: \(count) records written, \(percent) % of \(size) read"
        case .recognizedBy(let engine): "Speech is recognised by \(engine) on this machine."
        case .rewritable(let count, let size):
            "The log's owner could rewrite the last \(count) of its \(size) records unnoticed: voicegate doctor"
        case .logBeingVerified: "The consent log is being verified; permissions take effect when that has ended."
        case .everythingMuted(let mute):
            "Everything is muted\(mute?.scope == .everyone ? " for all users" : "")"
                + (mute?.program.map { " by \($0)" } ?? "") + ". To unmute: \(MutedBy.command(ending: mute))"
        case .usedSince(let time): "Since \(time):"
        case .nothingListens: "Nothing listens now."
        case .listening(let device): "Listening on \(device). Ctrl-C stops."
        case .notListening: "Not listening for now."
        case .pausedInBackground: "Not listening in the background; speech is dropped. To continue: fg"
        case .listeningAgain(let device): "Listening again on \(device)."
        case .waiting(let device): "\(device) was disconnected. Waiting for it; Ctrl-C stops."
        case .lostSound(let milliseconds): "\(milliseconds) ms of sound were lost because the machine was too busy."
        case .tooNoisy(let decibels):
            "The text is unreliable: speech is \(decibels) dB above the noise, and 20 dB are needed. Move closer to the microphone."
        }
    }

    func reset(_ client: String?, _ resource: Resource?) -> String {
        let what = resource?.phrase ?? "speech recognition and the microphone"
        return client.map { "You will be asked again whether \($0) may use \(what)." }
            ?? "You will be asked again for every program that wants to use \(what)."
    }

    func transcribing(
        _ file: String, part: (number: Int, count: Int)?, done: String, percent: Int?, left: String?
    ) -> String {
        let progress = percent.map { "\($0) %" } ?? "\(done) done"
        return (part.map { "\($0.number) of \($0.count): " } ?? "") + "\(file): \(progress)"
            + (left.map { ", \($0) left" } ?? "")
    }

    func listener(_ session: IndicatorReply.Session, time: (Date) -> String) -> String { session.sentence(time) }

    func sentence(
        for ending: DictationEnding, on device: String, reason: String?, settings: String, mute: MutedBy?,
        silence: Double?
    ) -> String? {
        switch ending {
        case .ended: reason
        case .silence: "Stopped after \(silence.map { "\($0.formatted()) s of " } ?? "")silence."
        case .cancelled: "Cancelled. Unfinished text was discarded."
        case .revoked: "Stopped: the permission was withdrawn. To allow it again: \(settings)"
        case .restricted: "Stopped: the administrator's policy now forbids it."
        case .muted: "Stopped: everything was muted. To unmute: \(MutedBy.command(ending: mute))"
        case .background:
            "Stopped: the one-time permission ended in the background. Start again to be asked again."
        case .deviceLost:
            "\(reason ?? "\(device) was disconnected.") Connect it and start again; --wait-for-device waits for it."
        case .failed: reason ?? "The recogniser or \(device) failed. Read the service's log, then try again."
        case .disconnected: "The connection to the service was lost. Try again."
        case .clientStalled: reason ?? "This command did not read its events in time. Start again."
        case .serviceStalled: reason ?? "The recogniser did not answer in time. Try again."
        case .serviceStopped: reason ?? "The service was stopped."
        }
    }
}
