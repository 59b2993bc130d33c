// Written by Sources/Base/generate-texts from en.strings.
import Authorization
import Texts

enum DashboardText: String, Sendable, Hashable, CaseIterable {
    case title, reload, lost, footer, nothingListens, muted, mute, now, end, file, background, paused, held, noNetwork
    case saysNotShared, questions, questionsIntro, lastDay, lastWeek, permissions, noClients, notDecided, deny, toAllow
    case changed, kept, erase, eraseAll, eraseRecords, nothingToErase, erasePermanently, cancel, trust, verifyNow
    case verifying, verifiedAtStart, altered, covered, export, format, formats, download, bundleHint, problems
    case doneDenied, doneMuted, doneEnded, doneErased, doneVerified, refused, usedAddress, notThisPage, wrongRequest
    case failed, back
}

struct DashboardWording: Sendable {
    let language: Language

    func callAsFunction(_ word: DashboardText) -> String { string(word.rawValue) }
    func listening(count: TextValue) -> String { string("listening", ["count": count]) }
    func toUnmute(command: TextValue) -> String { string("toUnmute", ["command": command]) }
    func since(time: TextValue) -> String { string("since", ["time": time]) }
    func until(time: TextValue) -> String { string("until", ["time": time]) }
    func waits(phrases: TextValue) -> String { string("waits", ["phrases": phrases]) }
    func process(number: TextValue) -> String { string("process", ["number": number]) }
    func recognisedBy(engine: TextValue) -> String { string("recognisedBy", ["engine": engine]) }
    func waitsFor(what: TextValue) -> String { string("waitsFor", ["what": what]) }
    func lastUsed(time: TextValue) -> String { string("lastUsed", ["time": time]) }
    func confirmErasure(records: TextValue, items: TextValue) -> String {
        string("confirmErasure", ["records": records, "items": items])
    }
    func erasedRecords(count: TextValue) -> String { string("erasedRecords", ["count": count]) }
    func erasedItems(count: TextValue) -> String { string("erasedItems", ["count": count]) }
    func confirmErasureOfKept(count: TextValue) -> String { string("confirmErasureOfKept", ["count": count]) }
    func erasureStays(count: TextValue) -> String { string("erasureStays", ["count": count]) }
    func verified(time: TextValue) -> String { string("verified", ["time": time]) }
    func logSize(count: TextValue) -> String { string("logSize", ["count": count]) }
    func uncovered(count: TextValue) -> String { string("uncovered", ["count": count]) }
    func witness(name: TextValue, count: TextValue, time: TextValue) -> String {
        string("witness", ["name": name, "count": count, "time": time])
    }

    private func string(_ key: String, _ values: [String: TextValue] = [:]) -> String {
        language.texts.text("dashboard." + key, values)
    }
}
