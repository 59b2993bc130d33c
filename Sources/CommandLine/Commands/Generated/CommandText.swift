// Written by Sources/Base/generate-texts from en.strings.
import Authorization
import Texts

enum CommandText: String, Sendable, Hashable, CaseIterable {
    case authorized, restricted, nothingDecided, toChange, startingService, logBeingVerified, nothingListens
    case notListening, pausedInBackground, pausedInAbsence, useOutput, unfinishedWords, notInGrammar, alreadyDelivered
    case silence, cancelled, endedRestricted, endedInBackground, endedLocked, endedSwitched, endedAsleep, disconnected
    case incomplete, clientStalled, serviceStalled, serviceStopped
}

struct CommandWording: Sendable {
    let language: Language

    func callAsFunction(_ word: CommandText) -> String { string(word.rawValue) }
    func resource(_ word: Resource) -> String { string("resource:\(word)") }
    func denied(settings: TextValue, resource: TextValue) -> String {
        string("denied", ["settings": settings, "resource": resource])
    }
    func notDetermined(resource: TextValue) -> String { string("notDetermined", ["resource": resource]) }
    func allowed(_ word: Scope) -> String { string("allowed:\(word)") }
    func phrasesOnly(allowed: TextValue) -> String { string("phrasesOnly", ["allowed": allowed]) }
    func problem(text: TextValue) -> String { string("problem", ["text": text]) }
    func toAllow(command: TextValue) -> String { string("toAllow", ["command": command]) }
    func answerNotGiven(reason: TextValue) -> String { string("answerNotGiven", ["reason": reason]) }
    func exporting(count: TextValue, percent: TextValue, size: TextValue) -> String {
        string("exporting", ["count": count, "percent": percent, "size": size])
    }
    func recognizedBy(engine: TextValue) -> String { string("recognizedBy", ["engine": engine]) }
    func rewritable(count: TextValue, size: TextValue) -> String {
        string("rewritable", ["count": count, "size": size])
    }
    func everythingMuted(everyone: TextValue, by: TextValue, command: TextValue) -> String {
        string("everythingMuted", ["everyone": everyone, "by": by, "command": command])
    }
    func usedSince(time: TextValue) -> String { string("usedSince", ["time": time]) }
    func listening(device: TextValue) -> String { string("listening", ["device": device]) }
    func pushToTalk(device: TextValue) -> String { string("pushToTalk", ["device": device]) }
    func listeningAgain(device: TextValue) -> String { string("listeningAgain", ["device": device]) }
    func waiting(device: TextValue) -> String { string("waiting", ["device": device]) }
    func lostSound(milliseconds: TextValue) -> String { string("lostSound", ["milliseconds": milliseconds]) }
    func noSound(device: TextValue, decibels: TextValue) -> String {
        string("noSound", ["device": device, "decibels": decibels])
    }
    func lostWhileSuspended(milliseconds: TextValue) -> String {
        string("lostWhileSuspended", ["milliseconds": milliseconds])
    }
    func tooNoisy(decibels: TextValue) -> String { string("tooNoisy", ["decibels": decibels]) }
    func resetOf(client: TextValue, what: TextValue) -> String { string("resetOf", ["client": client, "what": what]) }
    func resetOfAll(what: TextValue) -> String { string("resetOfAll", ["what": what]) }
    func noSpeech(file: TextValue, time: TextValue) -> String { string("noSpeech", ["file": file, "time": time]) }
    func toContinue(place: TextValue) -> String { string("toContinue", ["place": place]) }
    func transcribing(part: TextValue, file: TextValue, progress: TextValue, left: TextValue) -> String {
        string("transcribing", ["part": part, "file": file, "progress": progress, "left": left])
    }
    func percent(percent: TextValue) -> String { string("percent", ["percent": percent]) }
    func doneUntil(done: TextValue) -> String { string("doneUntil", ["done": done]) }
    func fileOf(number: TextValue, count: TextValue) -> String { string("fileOf", ["number": number, "count": count]) }
    func timeLeft(time: TextValue) -> String { string("timeLeft", ["time": time]) }
    func silenceOf(seconds: TextValue) -> String { string("silenceOf", ["seconds": seconds]) }
    func revoked(settings: TextValue) -> String { string("revoked", ["settings": settings]) }
    func endedMuted(command: TextValue) -> String { string("endedMuted", ["command": command]) }
    func deviceLost(reason: TextValue) -> String { string("deviceLost", ["reason": reason]) }
    func disconnectedDevice(device: TextValue) -> String { string("disconnectedDevice", ["device": device]) }
    func failed(device: TextValue) -> String { string("failed", ["device": device]) }

    private func string(_ key: String, _ values: [String: TextValue] = [:]) -> String {
        language.texts.text("command." + key, values)
    }
}
