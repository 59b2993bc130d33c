import Foundation

extension Wording {
    /// What was refused, by whom and when, and what to do next. Commands and keys are the same in every language.
    ///
    /// - Parameter command: that of the reason (`RefusalReason.row`); empty: none, for a program that runs the code of others.
    func refusal(_ reason: RefusalReason, client: String, resource: Resource, command: String) -> String {
        let (use, lasting) = (resourceObject(resource), command.isEmpty ? self(.lasting) : nil)
        switch reason {
        case .restricted(let reason):
            return reason.map { refusalRestrictedBecause(client: client, resource: use, reason: $0) }
                ?? refusalRestricted(client: client, resource: use)
        case .muted(let scope, let program):
            let (everyone, by) = muted(scope, by: program)
            return refusalMuted(everyone: everyone, by: by, client: client, resource: use, command: command)
        case .denied(let day):
            return refusalDenied(client: client, resource: use, day: date(day), command: command)
        case .untrusted(let sentence): return sentence
        case .identityChanged(let program, let bytes):
            return refusalIdentityChanged(
                program: program, client: client, resource: use,
                growth: bytes.map { refusalGrowth(growth: growth($0)) } ?? "", command: command)
        case .termsWidened: return refusalTermsWidened(client: client, resource: use, command: command)
        case .notDetermined:
            return lasting.map { refusalNotDeterminedProgram(client: client, resource: use, lasting: $0) }
                ?? refusalNotDetermined(client: client, resource: use, command: command)
        case .notAskedInBackground: return refusalNotAskedInBackground(client: client, resource: use)
        case .notInBackground:
            return command.isEmpty
                ? refusalUndeclaredBackground(client: client, resource: use)
                : refusalNotInBackground(client: client, resource: use, command: command)
        case .notAnUpgrade: return refusalNotAnUpgrade(client: client, command: command)
        case .reducedFidelity: return refusalReducedFidelity(client: client, command: command)
        case .alreadyFull: return refusalAlreadyFull(client: client)
        case .missingPurpose(let key):
            return refusalMissingPurpose(client: client, key: key, dictionary: Manifest.purposesKey)
        case .missingBackgroundMode: return refusalMissingBackgroundMode(client: client)
        case .noManifest(let path):
            return command.isEmpty
                ? refusalNoManifestProgram(key: resource.usageDescriptionKey, path: path)
                : refusalNoManifest(command: command)
        case .missingUsageDescription:
            return refusalMissingUsageDescription(client: client, key: resource.usageDescriptionKey)
        case .noAgent:
            return lasting.map { refusalNoAgentProgram(client: client, resource: use, lasting: $0) }
                ?? refusalNoAgent(client: client, resource: use, command: command)
        case .noAnswer:
            return lasting.map { refusalNoAnswerProgram(client: client, resource: use, lasting: $0) }
                ?? refusalNoAnswer(client: client, resource: use, command: command)
        case .tooManyRequests: return self(.refusalTooManyRequests)
        case .tooManyPrompts(let seconds):
            return lasting.map { refusalTooManyPromptsProgram(client: client, seconds: seconds, lasting: $0) }
                ?? refusalTooManyPrompts(client: client, seconds: seconds, command: command)
        case .tooManyRecords(let seconds): return refusalTooManyRecords(seconds: seconds)
        case .recordingFailed: return self(.refusalRecordingFailed)
        }
    }

    /// ISO 8601 in English.
    private func date(_ day: DateComponents) -> String {
        let form = language == .english ? "%02d" : "%d"
        return self.day(
            year: day.year ?? 0, month: String(format: form, day.month ?? 0), day: String(format: form, day.day ?? 0))
    }
}
