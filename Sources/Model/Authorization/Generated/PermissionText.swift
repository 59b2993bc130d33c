// Written by Sources/Base/generate-texts from en.strings.
import Texts

public enum PermissionText: String, Sendable, Hashable, CaseIterable {
    case resources, resourcesObject, sameSize, unknownProgram, collected, purpose, kept, shared, recognised, program
    case programIsUnknown, noPackage, asAbove, reason, phrases, everything, new, inBackground, additionPurpose
    case keptSeparator, additionSharingNotDeclared, listSeparator, nothingIsKept, sharedWithNobody, sharingNotDeclared
    case confirms, scopeSeparator, keptAll, noAnswer, untilWithdrawn, lasting, mutedForAll, refusalTooManyRequests
    case refusalRecordingFailed
}

public struct Wording: Sendable {
    let language: Language

    public func callAsFunction(_ word: PermissionText) -> String { text(word.rawValue) }
    public func resource(_ word: Resource) -> String { text("resource:\(word)") }
    public func resourceObject(_ word: Resource) -> String { text("resourceObject:\(word)") }
    public func kind(_ word: DataKind) -> String { text("kind:\(word)") }
    public func kindObject(_ word: DataKind) -> String { text("kindObject:\(word)") }
    public func fidelity(_ word: Fidelity) -> String { text("fidelity:\(word)") }
    public func programUsedWith(program: TextValue, client: TextValue) -> String {
        text("programUsedWith", ["program": program, "client": client])
    }
    public func larger(count: TextValue) -> String { text("larger", ["count": count]) }
    public func smaller(count: TextValue) -> String { text("smaller", ["count": count]) }
    public func titleFirstUse(client: TextValue, resource: TextValue) -> String {
        text("titleFirstUse", ["client": client, "resource": resource])
    }
    public func titleIdentityChanged(
        client: TextValue, resource: TextValue, before: TextValue, now: TextValue, growth: TextValue
    ) -> String {
        text(
            "titleIdentityChanged",
            ["client": client, "resource": resource, "before": before, "now": now, "growth": growth])
    }
    public func programWithDigest(path: TextValue, digest: TextValue) -> String {
        text("programWithDigest", ["path": path, "digest": digest])
    }
    public func titleGrowth(growth: TextValue) -> String { text("titleGrowth", ["growth": growth]) }
    public func titleTermsWidened(client: TextValue, resource: TextValue) -> String {
        text("titleTermsWidened", ["client": client, "resource": resource])
    }
    public func titleUpgradeToAlways(client: TextValue, resource: TextValue) -> String {
        text("titleUpgradeToAlways", ["client": client, "resource": resource])
    }
    public func titleReview(client: TextValue, resource: TextValue) -> String {
        text("titleReview", ["client": client, "resource": resource])
    }
    public func titleTemporaryFullFidelity(client: TextValue) -> String {
        text("titleTemporaryFullFidelity", ["client": client])
    }
    public func settingsTitle(resource: TextValue, client: TextValue) -> String {
        text("settingsTitle", ["resource": resource, "client": client])
    }
    public func recognisedOnThisMachine(engine: TextValue) -> String {
        text("recognisedOnThisMachine", ["engine": engine])
    }
    public func programFrom(path: TextValue, origin: TextValue) -> String {
        text("programFrom", ["path": path, "origin": origin])
    }
    public func package(name: TextValue) -> String { text("package", ["name": name]) }
    public func mayRunOtherCode(program: TextValue) -> String { text("mayRunOtherCode", ["program": program]) }
    public func hint(keys: TextValue, last: TextValue) -> String { text("hint", ["keys": keys, "last": last]) }
    public func list(count: TextValue, phrases: TextValue) -> String {
        text("list", ["count": count, "phrases": phrases])
    }
    public func quoted(phrase: TextValue) -> String { text("quoted", ["phrase": phrase]) }
    public func more(count: TextValue) -> String { text("more", ["count": count]) }
    public func moreByKey(count: TextValue, key: TextValue) -> String {
        text("moreByKey", ["count": count, "key": key])
    }
    public func page(number: TextValue, count: TextValue) -> String {
        text("page", ["number": number, "count": count])
    }
    public func additionKinds(kinds: TextValue) -> String { text("additionKinds", ["kinds": kinds]) }
    public func additionRetention(time: TextValue) -> String { text("additionRetention", ["time": time]) }
    public func additionKept(kind: TextValue, time: TextValue) -> String {
        text("additionKept", ["kind": kind, "time": time])
    }
    public func additionRecipients(names: TextValue) -> String { text("additionRecipients", ["names": names]) }
    public func backgroundMode(_ word: BackgroundMode) -> String { text("backgroundMode:\(word)") }
    public func start(command: TextValue) -> String { text("start", ["command": command]) }
    public func recordsShared(_ word: RecordCollector.Sending, name: TextValue, purpose: TextValue) -> String {
        text("recordsShared:\(word)", ["name": name, "purpose": purpose])
    }
    public func additionCollector(records: TextValue) -> String { text("additionCollector", ["records": records]) }
    public func additionPhrases(phrases: TextValue) -> String { text("additionPhrases", ["phrases": phrases]) }
    public func additionEngine(engine: TextValue) -> String { text("additionEngine", ["engine": engine]) }
    public func sharedWith(recipients: TextValue) -> String { text("sharedWith", ["recipients": recipients]) }
    public func answer(_ word: Answer) -> String { text("answer:\(word)") }
    public func answerAmong(_ code: String) -> String? { member("answerAmong/\(code)") }
    public func outcome(_ word: Answer) -> String { text("outcome:\(word)") }
    public func actAllow(
        name: TextValue, client: TextValue, resource: TextValue, terms: TextValue, program: TextValue
    ) -> String {
        text("actAllow", ["name": name, "client": client, "resource": resource, "terms": terms, "program": program])
    }
    public func actInstall(client: TextValue) -> String { text("actInstall", ["client": client]) }
    public func actUninstall(client: TextValue) -> String { text("actUninstall", ["client": client]) }
    public func actUnmute(_ word: MuteScope.Kind) -> String { text("actUnmute:\(word)") }
    public func actEraseRecords(scope: TextValue) -> String { text("actEraseRecords", ["scope": scope]) }
    public func scopeClient(client: TextValue) -> String { text("scopeClient", ["client": client]) }
    public func scopeSession(session: TextValue) -> String { text("scopeSession", ["session": session]) }
    public func scopeBefore(time: TextValue) -> String { text("scopeBefore", ["time": time]) }
    public func actEraseKept(items: TextValue, client: TextValue) -> String {
        text("actEraseKept", ["items": items, "client": client])
    }
    public func keptOf(client: TextValue) -> String { text("keptOf", ["client": client]) }
    public func keptItems(count: TextValue, names: TextValue) -> String {
        text("keptItems", ["count": count, "names": names])
    }
    public func keptUntilWithdrawn(kind: TextValue, time: TextValue) -> String {
        text("keptUntilWithdrawn", ["kind": kind, "time": time])
    }
    public func keptFor(kind: TextValue, time: TextValue) -> String { text("keptFor", ["kind": kind, "time": time]) }
    public func duration(_ word: KeepingUnit, count: TextValue) -> String {
        text("duration:\(word)", ["count": count])
    }
    public func refusalRestricted(client: TextValue, resource: TextValue) -> String {
        text("refusalRestricted", ["client": client, "resource": resource])
    }
    public func refusalRestrictedBecause(client: TextValue, resource: TextValue, reason: TextValue) -> String {
        text("refusalRestrictedBecause", ["client": client, "resource": resource, "reason": reason])
    }
    public func mutedBy(program: TextValue) -> String { text("mutedBy", ["program": program]) }
    public func refusalMuted(
        everyone: TextValue, by: TextValue, client: TextValue, resource: TextValue, command: TextValue
    ) -> String {
        text(
            "refusalMuted",
            ["everyone": everyone, "by": by, "client": client, "resource": resource, "command": command])
    }
    public func refusalDenied(client: TextValue, resource: TextValue, day: TextValue, command: TextValue) -> String {
        text("refusalDenied", ["client": client, "resource": resource, "day": day, "command": command])
    }
    public func day(year: TextValue, month: TextValue, day: TextValue) -> String {
        text("day", ["year": year, "month": month, "day": day])
    }
    public func refusalIdentityChanged(
        program: TextValue, client: TextValue, resource: TextValue, growth: TextValue, command: TextValue
    ) -> String {
        text(
            "refusalIdentityChanged",
            ["program": program, "client": client, "resource": resource, "growth": growth, "command": command])
    }
    public func refusalGrowth(growth: TextValue) -> String { text("refusalGrowth", ["growth": growth]) }
    public func refusalTermsWidened(client: TextValue, resource: TextValue, command: TextValue) -> String {
        text("refusalTermsWidened", ["client": client, "resource": resource, "command": command])
    }
    public func refusalNotDetermined(client: TextValue, resource: TextValue, command: TextValue) -> String {
        text("refusalNotDetermined", ["client": client, "resource": resource, "command": command])
    }
    public func refusalNotDeterminedProgram(client: TextValue, resource: TextValue, lasting: TextValue) -> String {
        text("refusalNotDeterminedProgram", ["client": client, "resource": resource, "lasting": lasting])
    }
    public func refusalNotAskedInBackground(client: TextValue, resource: TextValue) -> String {
        text("refusalNotAskedInBackground", ["client": client, "resource": resource])
    }
    public func refusalNotInBackground(client: TextValue, resource: TextValue, command: TextValue) -> String {
        text("refusalNotInBackground", ["client": client, "resource": resource, "command": command])
    }
    public func refusalNotAnUpgrade(client: TextValue, command: TextValue) -> String {
        text("refusalNotAnUpgrade", ["client": client, "command": command])
    }
    public func refusalReducedFidelity(client: TextValue, command: TextValue) -> String {
        text("refusalReducedFidelity", ["client": client, "command": command])
    }
    public func refusalAlreadyFull(client: TextValue) -> String { text("refusalAlreadyFull", ["client": client]) }
    public func refusalMissingPurpose(client: TextValue, key: TextValue, dictionary: TextValue) -> String {
        text("refusalMissingPurpose", ["client": client, "key": key, "dictionary": dictionary])
    }
    public func refusalMissingBackgroundMode(client: TextValue) -> String {
        text("refusalMissingBackgroundMode", ["client": client])
    }
    public func refusalNoManifest(command: TextValue) -> String { text("refusalNoManifest", ["command": command]) }
    public func refusalNoManifestProgram(key: TextValue, path: TextValue) -> String {
        text("refusalNoManifestProgram", ["key": key, "path": path])
    }
    public func refusalMissingUsageDescription(client: TextValue, key: TextValue) -> String {
        text("refusalMissingUsageDescription", ["client": client, "key": key])
    }
    public func refusalNoAnswer(client: TextValue, resource: TextValue, command: TextValue) -> String {
        text("refusalNoAnswer", ["client": client, "resource": resource, "command": command])
    }
    public func refusalNoAnswerProgram(client: TextValue, resource: TextValue, lasting: TextValue) -> String {
        text("refusalNoAnswerProgram", ["client": client, "resource": resource, "lasting": lasting])
    }
    public func refusalTooManyPrompts(client: TextValue, seconds: TextValue, command: TextValue) -> String {
        text("refusalTooManyPrompts", ["client": client, "seconds": seconds, "command": command])
    }
    public func refusalTooManyPromptsProgram(client: TextValue, seconds: TextValue, lasting: TextValue) -> String {
        text("refusalTooManyPromptsProgram", ["client": client, "seconds": seconds, "lasting": lasting])
    }
    public func refusalTooManyRecords(seconds: TextValue) -> String {
        text("refusalTooManyRecords", ["seconds": seconds])
    }

    private func text(_ key: String, _ values: [String: TextValue] = [:]) -> String {
        language.texts.text("permission." + key, values)
    }

    private func member(_ key: String) -> String? {
        language.texts.member("permission." + key)
    }
}
