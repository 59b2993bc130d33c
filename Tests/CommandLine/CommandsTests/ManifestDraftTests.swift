import Authorization
import Foundation
import LinuxSystem
import ManifestLint
import TestSupport
import Testing

@testable import Commands

@Suite("New manifests")
struct ManifestDraftTests {
    let folder: TemporaryFolder
    let script: String

    init() throws {
        folder = try TemporaryFolder()
        script = try folder.write("#!/usr/bin/env python3\nprint()\n", to: "meine notiz.py", permissions: 0o755)
    }

    private func draft(
        _ arguments: [String], _ language: Language = .english, taken: Set<ClientIdentifier> = []
    ) throws -> ManifestDraft {
        try ManifestDraft(
            PlannedProgram([script], searchPath: "/usr/bin:/bin", folder: "/"), identifier: nil, taken: taken,
            options: try ManifestTextOptions.parse(arguments), language: language)
    }

    @Test(
        "without any text of the user they pass the lint, for each use in each language", arguments: Language.allCases)
    func templates(language: Language) throws {
        for use in ProgramUse.allCases {
            let phrases = use == .commands ? ["--phrase", "next page"] : []
            let draft = try draft(["--for", use.rawValue] + phrases, language)
            let data = try draft.propertyList
            #expect(ManifestFile(data: data, translations: []).findings() == [], "\(use) \(language)")
            let manifest = try Manifest(propertyList: data)
            #expect(manifest.binding == .script(script) && manifest.executablePath == "/usr/bin/python3")
            #expect(Set(manifest.usageDescriptions.keys) == Set(use.resources))
            #expect(manifest.practices.recipients == [])
        }
    }

    @Test("the texts are the user's, in the language in which they are")
    func texts() throws {
        let draft = try draft([
            "--name", "메모", "--purpose", "말한 내용을 메모로 받아쓰기 위해 사용합니다.", "--recipient", "Example Ltd", "--retention",
            "30일",
        ])
        let manifest = try Manifest(propertyList: try draft.propertyList)
        #expect(manifest.developmentRegion == "ko" && manifest.name == "메모")
        #expect(manifest.usageDescriptions[.speechRecognition] == "말한 내용을 메모로 받아쓰기 위해 사용합니다.")
        #expect(manifest.practices.recipients == ["Example Ltd"] && manifest.practices.retention == "30일")
    }

    @Test("identifiers are made from the file's name, and no identifier is used twice")
    func identifiers() throws {
        #expect(try draft([]).identifier.rawValue == "local.meinenotiz.py")
        let second = try draft([], taken: [draft([]).identifier])
        #expect(second.identifier.rawValue == "local.meinenotiz.py-2")
    }
}
