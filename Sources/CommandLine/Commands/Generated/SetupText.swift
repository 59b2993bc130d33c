// Written by Sources/Base/generate-texts from en.strings.
import Authorization
import Texts

enum SetupText: String, Sendable, Hashable, CaseIterable {
    case speak, unusable, microphoneStays, tryMicrophone, sayASentence, playingBack, nothingHeard, tooLoud
    case nothingChanged, changed, toUndo, next, nothingToUndo
}

struct SetupWording: Sendable {
    let language: Language

    func callAsFunction(_ word: SetupText) -> String { text(word.rawValue) }
    func step(number: TextValue, count: TextValue, name: TextValue) -> String {
        text("step", ["number": number, "count": count, "name": name])
    }
    func stepName(_ word: SetupStep) -> String { text("stepName:\(word)") }
    func whichMicrophone(suggested: TextValue) -> String { text("whichMicrophone", ["suggested": suggested]) }
    func numberNeeded(count: TextValue) -> String { text("numberNeeded", ["count": count]) }
    func machinesMicrophone(device: TextValue) -> String { text("machinesMicrophone", ["device": device]) }
    func used(device: TextValue) -> String { text("used", ["device": device]) }
    func understood(text: TextValue) -> String { text("understood", ["text": text]) }
    func goodLevel(decibels: TextValue) -> String { text("goodLevel", ["decibels": decibels]) }
    func quiet(decibels: TextValue) -> String { text("quiet", ["decibels": decibels]) }
    func engineUsed(engine: TextValue) -> String { text("engineUsed", ["engine": engine]) }
    func engineConfigured(engine: TextValue) -> String { text("engineConfigured", ["engine": engine]) }
    func downloadEngine(engine: TextValue) -> String { text("downloadEngine", ["engine": engine]) }
    func useEngine(engine: TextValue) -> String { text("useEngine", ["engine": engine]) }
    func engineChosen(engine: TextValue) -> String { text("engineChosen", ["engine": engine]) }
    func wroteFile(path: TextValue) -> String { text("wroteFile", ["path": path]) }
    func changedFile(path: TextValue) -> String { text("changedFile", ["path": path]) }
    func installedEngine(engine: TextValue) -> String { text("installedEngine", ["engine": engine]) }
    func choseEngine(engine: TextValue) -> String { text("choseEngine", ["engine": engine]) }
    func undone(change: TextValue) -> String { text("undone", ["change": change]) }
    func left(change: TextValue) -> String { text("left", ["change": change]) }

    private func text(_ key: String, _ values: [String: TextValue] = [:]) -> String {
        language.texts.text("setup." + key, values)
    }
}
