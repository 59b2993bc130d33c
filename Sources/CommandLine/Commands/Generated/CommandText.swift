// Written by Sources/Base/generate-texts from en.strings.
import Authorization
import Texts

enum CommandText: String, Sendable, Hashable, CaseIterable {
    case restricted, nothingDecided, toChange, startingService, logBeingVerified, nothingListens, notListening
    case pausedInBackground, silence, cancelled, endedRestricted, endedInBackground, disconnected, clientStalled
    case serviceStalled, serviceStopped
}

struct CommandWording: Sendable {
    let language: Language

    func callAsFunction(_ word: CommandText) -> String { text(word.rawValue) }
    func resource(_ word: Resource) -> String { text("resource:\(word)") }
    func authorized(extent: TextValue) -> String { text("authorized", ["extent": extent]) }
    func denied(settings: TextValue, resource: TextValue) -> String {
        text("denied", ["settings": settings, "resource": resource])
    }
    func notDetermined(resource: TextValue) -> String { text("notDetermined", ["resource": resource]) }
    func scope(_ word: Scope) -> String { text("scope:\(word)") }
    func phrasesOnly(scope: TextValue) -> String { text("phrasesOnly", ["scope": scope]) }
    func problem(text: TextValue) -> String { text("problem", ["text": text]) }
    func toAllow(command: TextValue) -> String { text("toAllow", ["command": command]) }
    func answerNotGiven(reason: TextValue) -> String { text("answerNotGiven", ["reason": reason]) }
    func exporting(count: TextValue, percent: TextValue, size: TextValue) -> String {
        text("exporting", ["count": count, "percent": percent, "size": size])
    }
    func recognizedBy(engine: TextValue) -> String { text("recognizedBy", ["engine": engine]) }
    func rewritable(count: TextValue, size: TextValue) -> String { text("rewritable", ["count": count, "size": size]) }
    func everythingMuted(everyone: TextValue, by: TextValue, command: TextValue) -> String {
        text("everythingMuted", ["everyone": everyone, "by": by, "command": command])
    }
    func usedSince(time: TextValue) -> String { text("usedSince", ["time": time]) }
    func listening(device: TextValue) -> String { text("listening", ["device": device]) }
    func listeningAgain(device: TextValue) -> String { text("listeningAgain", ["device": device]) }
    func waiting(device: TextValue) -> String { text("waiting", ["device": device]) }
    func lostSound(milliseconds: TextValue) -> String { text("lostSound", ["milliseconds": milliseconds]) }
    func tooNoisy(decibels: TextValue) -> String { text("tooNoisy", ["decibels": decibels]) }
    func resetOf(client: TextValue, what: TextValue) -> String { text("resetOf", ["client": client, "what": what]) }
    func resetOfAll(what: TextValue) -> String { text("resetOfAll", ["what": what]) }
    func transcribing(part: TextValue, file: TextValue, progress: TextValue, left: TextValue) -> String {
        text("transcribing", ["part": part, "file": file, "progress": progress, "left": left])
    }
    func percent(percent: TextValue) -> String { text("percent", ["percent": percent]) }
    func doneUntil(done: TextValue) -> String { text("doneUntil", ["done": done]) }
    func fileOf(number: TextValue, count: TextValue) -> String { text("fileOf", ["number": number, "count": count]) }
    func timeLeft(time: TextValue) -> String { text("timeLeft", ["time": time]) }
    func silenceOf(seconds: TextValue) -> String { text("silenceOf", ["seconds": seconds]) }
    func revoked(settings: TextValue) -> String { text("revoked", ["settings": settings]) }
    func endedMuted(command: TextValue) -> String { text("endedMuted", ["command": command]) }
    func deviceLost(reason: TextValue) -> String { text("deviceLost", ["reason": reason]) }
    func disconnectedDevice(device: TextValue) -> String { text("disconnectedDevice", ["device": device]) }
    func failed(device: TextValue) -> String { text("failed", ["device": device]) }

    private func text(_ key: String, _ values: [String: TextValue] = [:]) -> String {
        language.texts.text("command." + key, values)
    }
}
