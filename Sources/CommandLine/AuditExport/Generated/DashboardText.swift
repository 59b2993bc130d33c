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

    func callAsFunction(_ word: DashboardText) -> String { text(word.rawValue) }
    func listening(count: TextValue) -> String { text("listening", ["count": count]) }
    func toUnmute(command: TextValue) -> String { text("toUnmute", ["command": command]) }
    func since(time: TextValue) -> String { text("since", ["time": time]) }
    func until(time: TextValue) -> String { text("until", ["time": time]) }
    func waits(phrases: TextValue) -> String { text("waits", ["phrases": phrases]) }
    func process(number: TextValue) -> String { text("process", ["number": number]) }
    func recognisedBy(engine: TextValue) -> String { text("recognisedBy", ["engine": engine]) }
    func waitsFor(what: TextValue) -> String { text("waitsFor", ["what": what]) }
    func lastUsed(time: TextValue) -> String { text("lastUsed", ["time": time]) }
    func confirmErasure(records: TextValue, items: TextValue) -> String {
        text("confirmErasure", ["records": records, "items": items])
    }
    func erasedRecords(count: TextValue) -> String { text("erasedRecords", ["count": count]) }
    func erasedItems(count: TextValue) -> String { text("erasedItems", ["count": count]) }
    func confirmErasureOfKept(count: TextValue) -> String { text("confirmErasureOfKept", ["count": count]) }
    func erasureStays(count: TextValue) -> String { text("erasureStays", ["count": count]) }
    func verified(time: TextValue) -> String { text("verified", ["time": time]) }
    func logSize(count: TextValue) -> String { text("logSize", ["count": count]) }
    func uncovered(count: TextValue) -> String { text("uncovered", ["count": count]) }
    func witness(name: TextValue, count: TextValue, time: TextValue) -> String {
        text("witness", ["name": name, "count": count, "time": time])
    }

    private func text(_ key: String, _ values: [String: TextValue] = [:]) -> String {
        language.texts.text("dashboard." + key, values)
    }
}
