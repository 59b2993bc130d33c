// Written by Sources/Base/generate-texts from en.strings.
import Authorization
import Texts

enum ManifestText: String, Sendable, Hashable, CaseIterable {
    case changed, nothingAllowed, nameQuestion, purposeQuestion, retentionQuestion, keepsNothing, recipientsQuestion
    case nobody, installedForYou
}

struct ManifestWording: Sendable {
    let language: Language

    func callAsFunction(_ word: ManifestText) -> String { text(word.rawValue) }
    func allowQuestion(script: TextValue, resources: TextValue) -> String {
        text("allowQuestion", ["script": script, "resources": resources])
    }
    func changedBy(growth: TextValue) -> String { text("changedBy", ["growth": growth]) }
    func allowed(script: TextValue, client: TextValue) -> String {
        text("allowed", ["script": script, "client": client])
    }
    func written(path: TextValue, command: TextValue) -> String { text("written", ["path": path, "command": command]) }
    func installed(place: TextValue, program: TextValue) -> String {
        text("installed", ["place": place, "program": program])
    }
    func installedAs(path: TextValue) -> String { text("installedAs", ["path": path]) }
    func installedFor(program: TextValue) -> String { text("installedFor", ["program": program]) }
    func askedAtFirstUse(client: TextValue, allow: TextValue) -> String {
        text("askedAtFirstUse", ["client": client, "allow": allow])
    }
    func removed(client: TextValue) -> String { text("removed", ["client": client]) }

    private func text(_ key: String, _ values: [String: TextValue] = [:]) -> String {
        language.texts.text("manifest." + key, values)
    }
}
