import Authorization
import Foundation
import ProgramSupport
import TestSupport
import Testing

@testable import Engines

@Suite("The catalogue in Models", .timeLimit(.minutes(5)))
struct EngineCatalogueTests {
    private static func path(_ name: String) -> String { Checkout.root.appending(path: "Models/" + name).path }

    @Test("fits its schema, which refuses an entry without a field and with one more")
    func schema() async throws {
        let script = """
            import copy, json, sys, jsonschema
            schema, catalogue = (json.load(open(path)) for path in sys.argv[1:])
            jsonschema.Draft202012Validator.check_schema(schema)
            validator = jsonschema.Draft202012Validator(schema)
            for error in validator.iter_errors(catalogue): print(error.json_path, error.message)
            for change in lambda entry: entry.pop("licences"), lambda entry: entry.update(other=1):
                broken = copy.deepcopy(catalogue)
                change(broken["engines"][0])
                if validator.is_valid(broken): print("the schema accepts a broken entry")
            """
        let program = try RunningProgram(
            [
                try await PythonTools.interpreter(), "-c", script, Self.path("catalogue.schema.json"),
                Self.path("catalogue.json"),
            ],
            environment: ["PATH": "/usr/bin:/bin"], isForeground: false)
        #expect(await program.end() == 0, "\(program.errorText)")
        #expect(program.lines == [])
    }

    @Test("is what the build embeds, the built-in engine first")
    func embedded() throws {
        let file = try Data(contentsOf: URL(fileURLWithPath: Self.path("catalogue.json")))
        let catalogue = try EngineCatalogue.builtIn()
        #expect(try JSONDecoder().decode(EngineCatalogue.self, from: file) == catalogue)
        #expect(catalogue.engines.first == catalogue.model && catalogue.model?.uses == EngineTask.allCases)
        #expect(Set(catalogue.engines.map(\.id)).count == catalogue.engines.count)
    }

    @Test(
        "each entry is complete: source, sizes and digests for both architectures, and for English errors beside PocketSphinx"
    )
    func complete() throws {
        let catalogue = try EngineCatalogue.builtIn()
        let page = try String(contentsOfFile: Self.path("README.md"), encoding: .utf8)
        for entry in catalogue.engines {
            if entry.id != EngineEntry.builtIn { try entry.check() }
            #expect(entry.source?.isEmpty == false && entry.free && page.contains("`\(entry.id)`"), "\(entry.id)")
            if entry.languages.contains(where: { $0.hasPrefix("en") }) {
                #expect(entry.measured?.first?.set == catalogue.model?.measured?.first?.set)
            }
            for architecture in ["x86_64", "aarch64"] {
                #expect(entry.isAvailable(on: architecture) && entry.installedBytes(for: architecture) > 0)
            }
            guard !entry.isModel else {
                #expect(entry.package != nil && entry.folder != nil)
                continue
            }
            #expect(!entry.isAvailable(on: "riscv64") && entry.memory != nil)
            let named = (entry.recognizer ?? [:]).filter { $0.key != "family" }.values
            let names = named + (entry.family?.fixedFiles ?? [])
            #expect(!names.isEmpty && names.allSatisfy { entry.files(for: "x86_64")[$0] != nil })
        }
        let tiny = try #require(catalogue.entry("moonshine-tiny-en"))
        #expect(tiny.uses == [.dictation, .files])
        #expect(tiny.files(for: "x86_64")["tokenizer.bin"] == nil, "the sources of a file are not kept")
    }
}
