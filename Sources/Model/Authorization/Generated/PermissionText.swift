// Written by Sources/Base/generate-texts from en.strings.
import Texts

public enum PermissionText: String, Sendable, Hashable, CaseIterable {
    case resources, resourcesObject, codeReason, codePurpose, codeRetention, sameSize, unknownProgram, collected
    case purpose, kept, shared, recognised, program, programIsUnknown, noPackage, asAbove, reason, phrases, everything
    case new, inBackground, additionPurpose, keptSeparator, additionSharingNotDeclared, listSeparator, nothingIsKept
    case sharedWithNobody, sharingNotDeclared, confirms, scopeSeparator, keptAll, noAnswer, untilWithdrawn, lasting
    case mutedForAll, refusalTooManyRequests, refusalRecordingFailed
}

public struct Wording: Sendable {
    let language: Language

    public func callAsFunction(_ word: PermissionText) -> String { string(word.rawValue) }
    public func resource(_ word: Resource) -> String { string("resource:\(word)") }
    public func resourceObject(_ word: Resource) -> String { string("resourceObject:\(word)") }
    public func kind(_ word: DataKind) -> String { string("kind:\(word)") }
    public func kindObject(_ word: DataKind) -> String { string("kindObject:\(word)") }
    public func fidelity(_ word: Fidelity) -> String { string("fidelity:\(word)") }
    public func programUsedWith(program: TextValue, client: TextValue) -> String {
        string("programUsedWith", ["program": program, "client": client])
    }
    public func code(program: TextValue) -> String { string("code", ["program": program]) }
    public func larger(count: TextValue) -> String { string("larger", ["count": count]) }
    public func smaller(count: TextValue) -> String { string("smaller", ["count": count]) }
    public func titleFirstUse(client: TextValue, resource: TextValue) -> String {
        string("titleFirstUse", ["client": client, "resource": resource])
    }
    public func titleIdentityChanged(
        client: TextValue, resource: TextValue, before: TextValue, now: TextValue, growth: TextValue
    ) -> String {
        string(
            "titleIdentityChanged",
            ["client": client, "resource": resource, "before": before, "now": now, "growth": growth])
    }
    public func programWithDigest(path: TextValue, digest: TextValue) -> String {
        string("programWithDigest", ["path": path, "digest": digest])
    }
    public func titleGrowth(growth: TextValue) -> String { string("titleGrowth", ["growth": growth]) }
    public func titleTermsWidened(client: TextValue, resource: TextValue) -> String {
        string("titleTermsWidened", ["client": client, "resource": resource])
    }
    public func titleUpgradeToAlways(client: TextValue, resource: TextValue) -> String {
        string("titleUpgradeToAlways", ["client": client, "resource": resource])
    }
    public func titleReview(client: TextValue, resource: TextValue) -> String {
        string("titleReview", ["client": client, "resource": resource])
    }
    public func titleTemporaryFullFidelity(client: TextValue) -> String {
        string("titleTemporaryFullFidelity", ["client": client])
    }
    public func settingsTitle(resource: TextValue, client: TextValue) -> String {
        string("settingsTitle", ["resource": resource, "client": client])
    }
    public func recognisedOnThisMachine(engine: TextValue) -> String {
        string("recognisedOnThisMachine", ["engine": engine])
    }
    public func programFrom(path: TextValue, origin: TextValue) -> String {
        string("programFrom", ["path": path, "origin": origin])
    }
    public func package(name: TextValue) -> String { string("package", ["name": name]) }
    public func mayRunOtherCode(program: TextValue) -> String { string("mayRunOtherCode", ["program": program]) }
    public func hint(keys: TextValue, last: TextValue) -> String { string("hint", ["keys": keys, "last": last]) }
    public func list(count: TextValue, phrases: TextValue) -> String {
        string("list", ["count": count, "phrases": phrases])
    }
    public func quoted(phrase: TextValue) -> String { string("quoted", ["phrase": phrase]) }
    public func more(count: TextValue) -> String { string("more", ["count": count]) }
    public func moreByKey(count: TextValue, key: TextValue) -> String {
        string("moreByKey", ["count": count, "key": key])
    }
    public func page(number: TextValue, count: TextValue) -> String {
        string("page", ["number": number, "count": count])
    }
    public func additionKinds(kinds: TextValue) -> String { string("additionKinds", ["kinds": kinds]) }
    public func additionRetention(time: TextValue) -> String { string("additionRetention", ["time": time]) }
    public func additionKept(kind: TextValue, time: TextValue) -> String {
        string("additionKept", ["kind": kind, "time": time])
    }
    public func additionRecipients(names: TextValue) -> String { string("additionRecipients", ["names": names]) }
    public func backgroundMode(_ word: BackgroundMode) -> String { string("backgroundMode:\(word)") }
    public func start(command: TextValue) -> String { string("start", ["command": command]) }
    public func recordsShared(_ word: RecordCollector.Sending, name: TextValue, purpose: TextValue) -> String {
        string("recordsShared:\(word)", ["name": name, "purpose": purpose])
    }
    public func additionCollector(records: TextValue) -> String { string("additionCollector", ["records": records]) }
    public func additionPhrases(phrases: TextValue) -> String { string("additionPhrases", ["phrases": phrases]) }
    public func additionEngine(engine: TextValue) -> String { string("additionEngine", ["engine": engine]) }
    public func sharedWith(recipients: TextValue) -> String { string("sharedWith", ["recipients": recipients]) }
    public func answer(_ word: Answer) -> String { string("answer:\(word)") }
    public func answerAmong(_ code: String) -> String? { member("answerAmong/\(code)") }
    public func outcome(_ word: Answer) -> String { string("outcome:\(word)") }
    public func actAllow(
        name: TextValue, client: TextValue, resource: TextValue, terms: TextValue, program: TextValue
    ) -> String {
        string("actAllow", ["name": name, "client": client, "resource": resource, "terms": terms, "program": program])
    }
    public func actInstall(client: TextValue) -> String { string("actInstall", ["client": client]) }
    public func actUninstall(client: TextValue) -> String { string("actUninstall", ["client": client]) }
    public func actUnmute(_ word: MuteScope.Kind) -> String { string("actUnmute:\(word)") }
    public func actEraseRecords(scope: TextValue) -> String { string("actEraseRecords", ["scope": scope]) }
    public func scopeClient(client: TextValue) -> String { string("scopeClient", ["client": client]) }
    public func scopeSession(session: TextValue) -> String { string("scopeSession", ["session": session]) }
    public func scopeBefore(time: TextValue) -> String { string("scopeBefore", ["time": time]) }
    public func actEraseKept(items: TextValue, client: TextValue) -> String {
        string("actEraseKept", ["items": items, "client": client])
    }
    public func keptOf(client: TextValue) -> String { string("keptOf", ["client": client]) }
    public func keptItems(count: TextValue, names: TextValue) -> String {
        string("keptItems", ["count": count, "names": names])
    }
    public func keptUntilWithdrawn(kind: TextValue, time: TextValue) -> String {
        string("keptUntilWithdrawn", ["kind": kind, "time": time])
    }
    public func keptFor(kind: TextValue, time: TextValue) -> String { string("keptFor", ["kind": kind, "time": time]) }
    public func duration(_ word: KeepingUnit, count: TextValue) -> String {
        string("duration:\(word)", ["count": count])
    }
    public func refusalRestricted(client: TextValue, resource: TextValue) -> String {
        string("refusalRestricted", ["client": client, "resource": resource])
    }
    public func refusalRestrictedBecause(client: TextValue, resource: TextValue, reason: TextValue) -> String {
        string("refusalRestrictedBecause", ["client": client, "resource": resource, "reason": reason])
    }
    public func mutedBy(program: TextValue) -> String { string("mutedBy", ["program": program]) }
    public func refusalMuted(
        everyone: TextValue, by: TextValue, client: TextValue, resource: TextValue, command: TextValue
    ) -> String {
        string(
            "refusalMuted",
            ["everyone": everyone, "by": by, "client": client, "resource": resource, "command": command])
    }
    public func refusalDenied(client: TextValue, resource: TextValue, day: TextValue, command: TextValue) -> String {
        string("refusalDenied", ["client": client, "resource": resource, "day": day, "command": command])
    }
    public func day(year: TextValue, month: TextValue, day: TextValue) -> String {
        string("day", ["year": year, "month": month, "day": day])
    }
    public func refusalIdentityChanged(
        program: TextValue, client: TextValue, resource: TextValue, growth: TextValue, command: TextValue
    ) -> String {
        string(
            "refusalIdentityChanged",
            ["program": program, "client": client, "resource": resource, "growth": growth, "command": command])
    }
    public func refusalGrowth(growth: TextValue) -> String { string("refusalGrowth", ["growth": growth]) }
    public func refusalTermsWidened(client: TextValue, resource: TextValue, command: TextValue) -> String {
        string("refusalTermsWidened", ["client": client, "resource": resource, "command": command])
    }
    public func refusalNotDetermined(client: TextValue, resource: TextValue, command: TextValue) -> String {
        string("refusalNotDetermined", ["client": client, "resource": resource, "command": command])
    }
    public func refusalNotDeterminedProgram(client: TextValue, resource: TextValue, lasting: TextValue) -> String {
        string("refusalNotDeterminedProgram", ["client": client, "resource": resource, "lasting": lasting])
    }
    public func refusalNotAskedInBackground(client: TextValue, resource: TextValue) -> String {
        string("refusalNotAskedInBackground", ["client": client, "resource": resource])
    }
    public func refusalNotInBackground(client: TextValue, resource: TextValue, command: TextValue) -> String {
        string("refusalNotInBackground", ["client": client, "resource": resource, "command": command])
    }
    public func refusalUndeclaredBackground(client: TextValue, resource: TextValue) -> String {
        string("refusalUndeclaredBackground", ["client": client, "resource": resource])
    }
    public func refusalLocked(client: TextValue, resource: TextValue) -> String {
        string("refusalLocked", ["client": client, "resource": resource])
    }
    public func refusalSwitched(client: TextValue, resource: TextValue) -> String {
        string("refusalSwitched", ["client": client, "resource": resource])
    }
    public func refusalAsleep(client: TextValue, resource: TextValue) -> String {
        string("refusalAsleep", ["client": client, "resource": resource])
    }
    public func refusalNotAnUpgrade(client: TextValue, command: TextValue) -> String {
        string("refusalNotAnUpgrade", ["client": client, "command": command])
    }
    public func refusalReducedFidelity(client: TextValue, command: TextValue) -> String {
        string("refusalReducedFidelity", ["client": client, "command": command])
    }
    public func refusalAlreadyFull(client: TextValue) -> String { string("refusalAlreadyFull", ["client": client]) }
    public func refusalMissingPurpose(client: TextValue, key: TextValue, dictionary: TextValue) -> String {
        string("refusalMissingPurpose", ["client": client, "key": key, "dictionary": dictionary])
    }
    public func refusalMissingBackgroundMode(client: TextValue) -> String {
        string("refusalMissingBackgroundMode", ["client": client])
    }
    public func refusalNoManifest(command: TextValue) -> String { string("refusalNoManifest", ["command": command]) }
    public func refusalNoManifestProgram(key: TextValue, path: TextValue) -> String {
        string("refusalNoManifestProgram", ["key": key, "path": path])
    }
    public func refusalMissingUsageDescription(client: TextValue, key: TextValue) -> String {
        string("refusalMissingUsageDescription", ["client": client, "key": key])
    }
    public func refusalWaited(seconds: TextValue) -> String { string("refusalWaited", ["seconds": seconds]) }
    public func refusalNoAgent(
        client: TextValue, resource: TextValue, waited: TextValue, command: TextValue
    ) -> String {
        string("refusalNoAgent", ["client": client, "resource": resource, "waited": waited, "command": command])
    }
    public func refusalNoAgentProgram(
        client: TextValue, resource: TextValue, waited: TextValue, lasting: TextValue
    ) -> String {
        string("refusalNoAgentProgram", ["client": client, "resource": resource, "waited": waited, "lasting": lasting])
    }
    public func refusalNoAnswer(client: TextValue, resource: TextValue, command: TextValue) -> String {
        string("refusalNoAnswer", ["client": client, "resource": resource, "command": command])
    }
    public func refusalNoAnswerProgram(client: TextValue, resource: TextValue, lasting: TextValue) -> String {
        string("refusalNoAnswerProgram", ["client": client, "resource": resource, "lasting": lasting])
    }
    public func refusalTooManyPrompts(client: TextValue, seconds: TextValue, command: TextValue) -> String {
        string("refusalTooManyPrompts", ["client": client, "seconds": seconds, "command": command])
    }
    public func refusalTooManyPromptsProgram(client: TextValue, seconds: TextValue, lasting: TextValue) -> String {
        string("refusalTooManyPromptsProgram", ["client": client, "seconds": seconds, "lasting": lasting])
    }
    public func refusalTooManyRecords(seconds: TextValue) -> String {
        string("refusalTooManyRecords", ["seconds": seconds])
    }

    private func string(_ key: String, _ values: [String: TextValue] = [:]) -> String {
        language.texts.text("permission." + key, values)
    }

    private func member(_ key: String) -> String? {
        language.texts.member("permission." + key)
    }
}
