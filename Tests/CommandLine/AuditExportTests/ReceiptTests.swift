import AuditBundle
import Consent
import Foundation
import TestSupport
import Testing

@testable import AuditExport

/// Receipts are checked by tools of other authors: rdflib with pyshacl, PyLD, and jsonschema.
@Suite(.timeLimit(.minutes(3))) struct ReceiptTests {
    private let signer: NoteSigner
    private let entries: [AuditEntry]
    private let receipts: [ConsentReceipt]
    private let folder: TemporaryFolder

    init() throws {
        var log = SampleLog()
        log.add(
            "log.genesis", at: SampleLog.start,
            ["log": .string(String(BundleFixture.origin.suffix(32))), "hash": "SHA-256"])
        log.ask(.minutes, at: SampleLog.start, scope: "always")
        log.ask(.hostile, at: SampleLog.start + 10_000, answer: "decision.denied")
        let shown = log.records[2].fields
        log.add("decision.withdrawn", at: SampleLog.start + 60_000, shown.merging(["indication": "settings"]) { $1 })
        log.listen(.minutes, at: SampleLog.start + 70_000, milliseconds: 1_000)
        let key = try BundleFixture.signer(7)
        let entries = log.records.map { record in
            var fields = record.fields
            if record.kind == .granted {
                fields["withdrawal"] = "voicegate reset --client org.example.Minutes"
            }
            return BundleFixture.entry(Int(record.index), record.kind.rawValue, fields)
        }
        let tree = MemoryTree(leaves: entries.map { Data($0.leaf.utf8) })
        let checkpoint = try #require(Checkpoint(origin: BundleFixture.origin, head: tree.head(entries.count)))
        let note = try #require(try key.sign(checkpoint.text))
        receipts = try entries.indices.compactMap { index in
            let inclusion = try #require(tree.inclusion(of: index, in: entries.count))
            let proof = try #require(
                OfflineProof(inclusion, in: note, extra: Data(entries[index].line.utf8).dropLast()))
            return ConsentReceipt(proof, keys: [key.verifier.text])
        }
        (signer, self.entries) = (key, entries)
        folder = try TemporaryFolder()
    }

    @Test("each grant and each withdrawal gets a receipt, and nothing else does")
    func due() {
        #expect(receipts.map(\.state) == [.given, .given, .withdrawn])
        #expect(Set(receipts.map(\.identifier)).count == 3)
    }

    @Test("a receipt is read again only as it was written", arguments: ConsentReceipt.Format.allCases)
    func reading(format: ConsentReceipt.Format) throws {
        for receipt in receipts {
            let text = receipt.document(format)
            let again = try #require(ConsentReceipt(document: Data(text.utf8)))
            #expect(again.document(format) == text)
            let verifier = BundleVerifier(keys: [signer.verifier], held: [], version: "1")
            #expect(try verifier.verify(proof: again.proof.data).record.index == receipt.record.index)
            for (right, wrong) in [("会議の議事録", "広告"), ("Example Speech Ltd.", "Nobody"), ("s-8f3a61", "s-000000")] {
                #expect(ConsentReceipt(document: Data(text.replacing(right, with: wrong).utf8)) == nil)
            }
        }
        #expect(ConsentReceipt(document: Data("{}".utf8)) == nil && ConsentReceipt(document: Data()) == nil)
    }

    @Test("the key that a receipt names is the one that signed it; others that it names are reported as not checked")
    func keys() throws {
        let receipt = try #require(receipts.first)
        let other = try BundleFixture.signer(9).verifier
        func verdict(_ named: [String], knowing keys: [NoteVerifier]) throws -> [String] {
            let made = try #require(ConsentReceipt(receipt.proof, keys: named))
            return try BundleVerifier(keys: keys, held: [], version: "1").verify(receipt: made).report.notChecked
        }
        let own = signer.verifier
        let known = try verdict([own.text], knowing: [own])
        #expect(try verdict([other.text, own.text], knowing: [other, own]) == known)
        #expect(try verdict([other.text, own.text], knowing: [own]).last?.contains(other.text) == true)
        for wrong in [[], [other.text], [own.text, other.text]] {
            for keys in [[own], [own, other]] {
                let problem = #expect(throws: BundleProblem.self) { try verdict(wrong, knowing: keys) }
                #expect(problem?.rule == .keys)
            }
        }
    }

    @Test("the JSON-LD has the fields of ISO/IEC TS 27560 and only known terms")
    func linkedData() async throws {
        let tools = Checkout.root.path + "/Tests/Support/Tools/"
        for receipt in receipts {
            let file = try folder.write(receipt.document(.jsonld), to: "receipt.jsonld")
            // The record and the receipt.
            #expect(
                try await PythonTools.run("check-shapes", [tools + "consent-shapes.ttl", file]).last == "conforms: 2")
            let terms = try await PythonTools.run("check-linked-data", [tools + "linked-data-terms.txt", file])
            #expect(terms.contains("used: https://w3id.org/dpv#ConsentReceipt"))
        }
    }

    @Test("the Kantara form has its fields")
    func kantara() async throws {
        let files = try receipts.enumerated().map { try folder.write($1.document(.kantara), to: "receipt-\($0).json") }
        let schema = Checkout.root.path + "/Documentation/consent-receipt.schema.json"
        #expect(try await PythonTools.run("check-schema", [schema] + files) == ["valid: 3"])
        let wrong = try folder.write(
            receipts[0].document(.kantara).replacing("\"consentType\":\"EXPLICIT\"", with: "\"consentType\":1"),
            to: "wrong.json")
        await #expect(throws: PythonTools.Failure.self) { try await PythonTools.run("check-schema", [schema, wrong]) }
    }
}
