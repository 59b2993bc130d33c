// Written by Sources/Base/generate-texts from en.strings.
import Authorization
import Texts

enum ManifestText: String, Sendable, Hashable, CaseIterable {
    case changed, nothingAllowed, allowedWhileUsing, allowedAlways, nameQuestion, purposeQuestion, retentionQuestion
    case keepsNothing, recipientsQuestion, nobody, installedForYou
}

struct ManifestWording: Sendable {
    let language: Language

    func callAsFunction(_ word: ManifestText) -> String { string(word.rawValue) }
    func allowQuestion(script: TextValue, resources: TextValue) -> String {
        string("allowQuestion", ["script": script, "resources": resources])
    }
    func changedBy(growth: TextValue) -> String { string("changedBy", ["growth": growth]) }
    func allowed(extent: TextValue, script: TextValue, client: TextValue) -> String {
        string("allowed", ["extent": extent, "script": script, "client": client])
    }
    func written(path: TextValue, command: TextValue) -> String {
        string("written", ["path": path, "command": command])
    }
    func installed(place: TextValue, program: TextValue) -> String {
        string("installed", ["place": place, "program": program])
    }
    func installedAs(path: TextValue) -> String { string("installedAs", ["path": path]) }
    func installedFor(program: TextValue) -> String { string("installedFor", ["program": program]) }
    func askedAtFirstUse(client: TextValue, allow: TextValue) -> String {
        string("askedAtFirstUse", ["client": client, "allow": allow])
    }
    func removed(client: TextValue) -> String { string("removed", ["client": client]) }
    func purpose(_ word: ProgramUse, name: TextValue) -> String { string("purpose:\(word)", ["name": name]) }
    func always(name: TextValue) -> String { string("always", ["name": name]) }
    func microphone(name: TextValue) -> String { string("microphone", ["name": name]) }

    private func string(_ key: String, _ values: [String: TextValue] = [:]) -> String {
        language.texts.text("manifest." + key, values)
    }
}
