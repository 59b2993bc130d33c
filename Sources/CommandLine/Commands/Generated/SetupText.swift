// Written by Sources/Base/generate-texts from en.strings.
import Authorization
import Texts

enum SetupText: String, Sendable, Hashable, CaseIterable {
    case speak, unusable, microphoneStays, tryMicrophone, sayASentence, playingBack, nothingHeard, tooLoud, agentStarts
    case agentByHand, startAgent, nothingChanged, changed, toUndo, next, nothingToUndo
}

struct SetupWording: Sendable {
    let language: Language

    func callAsFunction(_ word: SetupText) -> String { string(word.rawValue) }
    func step(number: TextValue, count: TextValue, name: TextValue) -> String {
        string("step", ["number": number, "count": count, "name": name])
    }
    func stepName(_ word: SetupStep) -> String { string("stepName:\(word)") }
    func whichMicrophone(suggested: TextValue) -> String { string("whichMicrophone", ["suggested": suggested]) }
    func numberNeeded(count: TextValue) -> String { string("numberNeeded", ["count": count]) }
    func machinesMicrophone(device: TextValue) -> String { string("machinesMicrophone", ["device": device]) }
    func used(device: TextValue) -> String { string("used", ["device": device]) }
    func understood(text: TextValue) -> String { string("understood", ["text": text]) }
    func goodLevel(decibels: TextValue) -> String { string("goodLevel", ["decibels": decibels]) }
    func quiet(decibels: TextValue) -> String { string("quiet", ["decibels": decibels]) }
    func engineUsed(engine: TextValue) -> String { string("engineUsed", ["engine": engine]) }
    func engineConfigured(engine: TextValue) -> String { string("engineConfigured", ["engine": engine]) }
    func downloadBetterEngine(builtIn: TextValue, engine: TextValue, size: TextValue, errors: TextValue) -> String {
        string("downloadBetterEngine", ["builtIn": builtIn, "engine": engine, "size": size, "errors": errors])
    }
    func downloadEngine(engine: TextValue, size: TextValue) -> String {
        string("downloadEngine", ["engine": engine, "size": size])
    }
    func installEngine(engine: TextValue) -> String { string("installEngine", ["engine": engine]) }
    func useEngine(engine: TextValue) -> String { string("useEngine", ["engine": engine]) }
    func engineChosen(engine: TextValue) -> String { string("engineChosen", ["engine": engine]) }
    func wroteFile(path: TextValue) -> String { string("wroteFile", ["path": path]) }
    func changedFile(path: TextValue) -> String { string("changedFile", ["path": path]) }
    func installedEngine(engine: TextValue) -> String { string("installedEngine", ["engine": engine]) }
    func choseEngine(engine: TextValue) -> String { string("choseEngine", ["engine": engine]) }
    func enabledUnit(unit: TextValue) -> String { string("enabledUnit", ["unit": unit]) }
    func undone(change: TextValue) -> String { string("undone", ["change": change]) }
    func left(change: TextValue) -> String { string("left", ["change": change]) }

    private func string(_ key: String, _ values: [String: TextValue] = [:]) -> String {
        language.texts.text("setup." + key, values)
    }
}
