import Authorization
import Foundation
import SocketAPI
import Speech

extension Language {
    /// The language of this process's user.
    static let ofPerson = Language(environment: ProcessInfo.processInfo.environment)

    var commandWording: CommandWording { CommandWording(language: self) }
}

/// Texts about permissions and listening that depend on more than their values. Commands within the texts are the same in every
/// language.
extension CommandWording {
    /// - Parameters:
    ///   - grant: what is allowed, and what is asked about it, if the status is that.
    ///   - settings: the command that shows the client's settings; `--allow` and `--deny` change them.
    func sentence(for status: AuthorizationStatus, _ resource: Resource, grant: String?, settings: String) -> String {
        switch status {
        case .authorized: grant ?? self(.authorized)
        case .denied: denied(settings: settings, resource: resource.rawValue)
        case .restricted: self(.restricted)
        case .notDetermined: notDetermined(resource: resource.rawValue)
        }
    }

    func allowed(_ scope: Scope, _ fidelity: Fidelity?) -> String {
        fidelity == .reduced ? phrasesOnly(allowed: allowed(scope)) : allowed(scope)
    }

    func everythingMuted(_ mute: MutedBy?) -> String {
        let (everyone, by) = language.wording.muted(mute?.scope, by: mute?.program)
        return everythingMuted(everyone: everyone, by: by, command: MutedBy.command(ending: mute))
    }

    /// `nil` means every program, and both resources.
    func reset(_ client: String?, _ resource: Resource?) -> String {
        let what = language.wording.object(resource.map { [$0] } ?? Resource.allCases)
        return client.map { resetOf(client: $0, what: what) } ?? resetOfAll(what: what)
    }

    /// The progress of a sound file, which is one of several if there is a `part`; `done` and `left` are as on a clock.
    func transcribing(
        _ file: String, part: (number: Int, count: Int)?, done: String, percent: Int?, left: String?
    ) -> String {
        transcribing(
            part: part.map { fileOf(number: $0.number, count: $0.count) } ?? "", file: file,
            progress: percent.map { self.percent(percent: $0) } ?? doneUntil(done: done),
            left: left.map { timeLeft(time: $0) } ?? "")
    }

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
    ) -> String? {
        switch ending {
        case .ended: reason
        case .silence: silence.map { silenceOf(seconds: $0.formatted()) } ?? self(.silence)
        case .cancelled: self(.cancelled)
        case .revoked: revoked(settings: settings)
        case .restricted: self(.endedRestricted)
        case .muted: endedMuted(command: MutedBy.command(ending: mute))
        case .background: self(.endedInBackground)
        case .locked: self(.endedLocked)
        case .switched: self(.endedSwitched)
        case .asleep: self(.endedAsleep)
        case .deviceLost: deviceLost(reason: reason ?? disconnectedDevice(device: device))
        case .failed: reason ?? failed(device: device)
        case .incomplete: reason ?? self(.incomplete)
        case .disconnected: self(.disconnected)
        case .clientStalled: reason ?? self(.clientStalled)
        case .serviceStalled: reason ?? self(.serviceStalled)
        case .serviceStopped: reason ?? self(.serviceStopped)
        }
    }
}

extension SetupWording {
    func text(of change: SetupRecord.Change) -> String {
        switch change {
        case .file(let path, _, let previous): previous == nil ? wroteFile(path: path) : changedFile(path: path)
        case .engineInstalled(let id): installedEngine(engine: id)
        case .engineUsed(let id, _): choseEngine(engine: id)
        case .unitEnabled(let name): enabledUnit(unit: name)
        }
    }
}

extension ManifestWording {
    static let ofPerson = ManifestWording(language: .ofPerson)

    func allowQuestion(script: String, resources: [Resource]) -> String {
        let names =
            resources.count > 1 ? language.wording(.resources) : resources.map(language.wording.resource).joined()
        return allowQuestion(script: script, resources: names)
    }

    /// - Parameter bytes: how much larger the script is now; `nil`: unknown.
    func changed(bytes: Int64?) -> String {
        bytes.map { changedBy(growth: language.wording.growth($0)) } ?? self(.changed)
    }

    /// - Parameters:
    ///   - place: the path of the manifest; `nil`: the machine's service has it.
    ///   - program: the program that it is for; `nil`: as the manifest says.
    func installed(at place: String?, for program: String?) -> String {
        installed(
            place: place.map { installedAs(path: $0) } ?? self(.installedForYou),
            program: program.map { installedFor(program: $0) } ?? "")
    }
}
