import Foundation
import TestSupport
import Testing
import Yams

@testable import PolicyFiles

@Suite("The schema of a policy")
struct PolicySchemaTests {
    private let schema: SchemaEvaluator

    init() throws {
        let root = Checkout.root
        schema = try SchemaEvaluator(Data(contentsOf: root.appendingPathComponent("Packaging/policy.schema.json")))
    }

    private func isTaken(_ text: String) -> Bool { (try? PolicyDocument(parsing: Data(text.utf8))) != nil }

    private func fitsSchema(_ text: String) throws -> Bool {
        guard let value = try Yams.load(yaml: text) else { return false }
        return try schema.accepts(value)
    }

    @Test(
        "a file that the service accepts matches the schema",
        arguments: [
            "deny: []", "deny: [{resource: all}]", "deny: [{resource: microphone, client: org.example.notes}]",
            "deny: [{resource: speechRecognition, client: '*', user: '*', reason: No recording.}]",
            "deny: [{resource: all, user: root}, {resource: all, user: 1000}, {resource: all, user: '0'}]",
            "deny: [{resource: all, hours: '22:00-06:00'}]", "deny: [{resource: all, hours: 22:00-06:00}]",
            "deny: [{resource: all, hours: ['08:00-12:00', '13:00-24:00'], days: [mon, tue]}]",
            "deny: [{resource: all, days: sun}]", "deny: [{resource: all, hours: '00:00-24:00'}]",
            "deny: [{resource: all, hours: '23:59-00:00'}]", "deny: [{resource: all, client: single}]",
        ])
    func taken(_ text: String) throws {
        #expect(isTaken(text))
        #expect(try fitsSchema(text))
    }

    @Test(
        "a file that the schema refuses is refused by the service",
        arguments: [
            "{}", "deny: all", "deny: [all]", "allow: []", "deny: []\nallow: []", "deny: [{client: a.b}]",
            "deny: [{resource: mic}]", "deny: [{resource: [all]}]", "deny: [{resource: all, client: 'a b'}]",
            "deny: [{resource: all, client: .a}]", "deny: [{resource: all, user: -1}]",
            "deny: [{resource: all, user: 4294967296}]", "deny: [{resource: all, reason: ''}]",
            "deny: [{resource: all, days: []}]", "deny: [{resource: all, days: [monday]}]",
            "deny: [{resource: all, days: [Mon]}]", "deny: [{resource: all, hours: []}]",
            "deny: [{resource: all, hours: '24:00-06:00'}]", "deny: [{resource: all, hours: '8:00-9:00'}]",
            "deny: [{resource: all, hours: '08:00-08:00'}]", "deny: [{resource: all, hours: '08:60-09:00'}]",
            "deny: [{resource: all, hours: '08:00'}]", "deny: [{resource: all, hours: '08:00-24:01'}]",
            "deny: [{resource: all, hours: '08:00 - 09:00'}]", "deny: [{resource: all, hours: '08:00-25:00'}]",
            "deny: [{resource: all, hour: '08:00-09:00'}]", "deny: [{resource: all, except: me}]",
        ])
    func refused(_ text: String) throws {
        #expect(try !fitsSchema(text))
        #expect(!isTaken(text))
    }

    @Test("unknown users are refused by the service, not by the schema")
    func users() throws {
        let text = "deny: [{resource: all, user: no-such-user-here}]"
        #expect(try fitsSchema(text))
        #expect(!isTaken(text))
    }

    @Test("the examples of the documentation match the schema, and the service accepts them")
    func documentation() throws {
        let root = Checkout.root
        let text = try String(contentsOf: root.appendingPathComponent("Documentation/Policy.md"), encoding: .utf8)
        let examples = text.components(separatedBy: "```yaml\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }.filter { $0.hasPrefix("deny:") }  // The page also shows an engines.yaml, which is another file.
        #expect(examples.count >= 2)
        for example in examples {
            // As it is: a name that this machine does not have would deny everything.
            #expect(try fitsSchema(example))
            #expect(isTaken(example), "\(example)")
        }
    }

    @Test(
        "a key that would allow something is an error with the reason",
        arguments: [
            "allow: []\ndeny: []", "deny: [{resource: all, allow: true}]", "deny: [{resource: all, Except: a.b}]",
        ])
    func grants(_ text: String) throws {
        let error = #expect(throws: PolicyFileError.self) { try PolicyDocument(parsing: Data(text.utf8)) }
        #expect(error?.code == .grants)
        #expect(error?.message.contains("only deny") == true)
        #expect(error?.line != nil)
    }

    @Test("too many windows are refused")
    func tooMany() {
        let windows = Array(repeating: "'08:00-09:00'", count: PolicyTimes.windowLimit + 1).joined(separator: ", ")
        #expect(throws: PolicyFileError.self) {
            try PolicyDocument(
                parsing: Data(
                    "deny:\n  - resource: all\n    hours: [\n\(windows.replacingOccurrences(of: ", ", with: ",\n"))]"
                        .utf8))
        }
    }
}
