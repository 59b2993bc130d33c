// Written by Sources/Base/generate-texts from en.strings.
import Authorization
import Texts

enum IndicatorText: String, Sendable, Hashable, CaseIterable {
    case device, background, noNetwork, saysNotShared
}

struct IndicatorWording: Sendable {
    let language: Language

    func callAsFunction(_ word: IndicatorText) -> String { string(word.rawValue) }
    func who(name: TextValue, client: TextValue, process: TextValue) -> String {
        string("who", ["name": name, "client": client, "process": process])
    }
    func waits(phrases: TextValue, name: TextValue, client: TextValue) -> String {
        string("waits", ["phrases": phrases, "name": name, "client": client])
    }
    func waitsForYou(name: TextValue, client: TextValue) -> String {
        string("waitsForYou", ["name": name, "client": client])
    }
    func activity(_ word: IndicatorReply.Session.Activity, device: TextValue) -> String {
        string("activity:\(word)", ["device": device])
    }
    func since(time: TextValue) -> String { string("since", ["time": time]) }
    func until(time: TextValue) -> String { string("until", ["time": time]) }
    func recognisedBy(engine: TextValue) -> String { string("recognisedBy", ["engine": engine]) }
    func sentence(who: TextValue, activity: TextValue, time: TextValue, details: TextValue) -> String {
        string("sentence", ["who": who, "activity": activity, "time": time, "details": details])
    }

    private func string(_ key: String, _ values: [String: TextValue] = [:]) -> String {
        language.texts.text("indicator." + key, values)
    }
}
