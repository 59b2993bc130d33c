import AuditExport
import Consent
import Foundation
import TestSupport

extension BundleCorpus {
    mutating func addHeld() throws {
        func older(_ size: Int) -> Change { { try $0.hold($0.log.checkpoint($0.log.head(size))) } }
        func wrong(_ size: Int) throws -> TreeHead {
            TreeHead(size: UInt64(size), root: try BundleFixture(count: 19, seed: 8).head(size).root)
        }
        let same: Change = { try $0.hold($0.log.checkpoint()) }
        try add("verified", rounds: 2, continuing: [4, 5, 7]) {
            Break("a checkpoint of the same size", same)
            Break("a smaller one", older(5))
            Break("a smaller complete tree", older(4))
            Break("a checkpoint of no records") { try $0.hold($0.log.checkpoint(TreeHead(size: 0, root: .empty))) }
            Break("a larger one, of which nothing can be told") { bundle in
                try bundle.hold(bundle.log.checkpoint(TreeHead(size: 400, root: bundle.log.head.root)))
            }
            Break("several in one file") { bundle in
                let notes = try [5, 7].map {
                    String(decoding: try bundle.log.checkpoint(bundle.log.head($0)).data, as: UTF8.self)
                }
                try bundle.hold(notes.joined())
                try bundle.hold("\n" + notes.joined(separator: "\n\n") + "\n")
            }
        }
        try add("contradicts", rounds: 2, continuing: [4, 5, 7]) {
            Break("a checkpoint of the same size") { try $0.hold($0.log.checkpoint(wrong($0.log.entries.count))) }
            Break("a smaller one") { try $0.hold($0.log.checkpoint(wrong(5))) }
            Break("a smaller complete tree") { try $0.hold($0.log.checkpoint(wrong(4))) }
            Break("one of several") { bundle in
                try bundle.hold(bundle.log.checkpoint(bundle.log.head(5)))
                try bundle.hold(bundle.log.checkpoint(wrong(7)))
            }
        }
        // The owner leaves two records out, signs the log again with its own key, and exports it.
        try add("contradicts", in: .whole, rounds: 2) {
            Break("a log that was written again") { bundle in
                try bundle.hold(bundle.log.checkpoint(bundle.log.head(7)))
                let forged = bundle.log.replacing(4, with: BundleFixture.entry(4, "access.blocked", [:]))
                    .prefix(7)
                try forged.write(to: bundle.folder.emptied())
            }
            Break("a log that was cut and continued") { bundle in
                try bundle.hold(bundle.log.checkpoint())
                let last = bundle.log.entries.count - 1
                try bundle.log.replacing(last, with: BundleFixture.entry(last, "access.blocked", [:])).write(
                    to: bundle.folder)
            }
        }
        try add("contradicts", in: .part, continuing: [5]) {
            Break("a changed hash of the consistency proof") { bundle in
                try bundle.hold(bundle.log.checkpoint(bundle.log.head(5)))
                try bundle.edit("consistency/5") { text in
                    let start = text.range(of: "old 5\n")?.upperBound ?? text.startIndex
                    text.replaceSubrange(start...start, with: text[start] == "A" ? "B" : "A")
                }
            }
            Break("a hash of the consistency proof removed") { bundle in
                try bundle.hold(bundle.log.checkpoint(bundle.log.head(5)))
                try bundle.edit("consistency/5") { text in
                    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                    lines.remove(at: 1)
                    text = lines.joined(separator: "\n")
                }
            }
        }
        try add("H1") {
            Break("no checkpoint") { try $0.hold("hello\n") }
            Break("an empty file") { try $0.hold("") }
            Break("half a checkpoint") {
                try $0.hold(String(decoding: $0.log.checkpoint().data.dropLast(10), as: UTF8.self))
            }
            Break("another log's") { bundle in
                let stranger = try Self.stranger()
                let text = try bundle.log.checkpoint().text.replacing(
                    BundleFixture.origin, with: Self.strangerOrigin)
                guard let note = try stranger.sign(text) else { throw CocoaError(.coderInvalidValue) }
                try bundle.useKeys(bundle.log.signer.verifier.text + "\n" + stranger.verifier.text + "\n")
                try bundle.hold(note)
            }
            Break("another key's") { try $0.hold($0.log.checkpoint(by: BundleFixture.signer(Self.otherSeed))) }
            Break("changed") { bundle in
                let text = String(decoding: try bundle.log.checkpoint().data, as: UTF8.self)
                try bundle.hold(text.replacing("\n\(bundle.log.entries.count)\n", with: "\n3\n"))
            }
        }
        try add("H2", rounds: 2, rotations: [.init(at: 2, seed: 21)], continuing: [5]) {
            Break("by a replaced key") { try $0.hold($0.log.checkpoint($0.log.head(5), by: $0.log.signers[0])) }
            Break("of the same size, by a replaced key") { try $0.hold($0.log.checkpoint(by: $0.log.signers[0])) }
            Break("larger, by a replaced key") { bundle in
                try bundle.hold(
                    bundle.log.checkpoint(
                        TreeHead(size: 400, root: bundle.log.head.root), by: bundle.log.signers[0]))
            }
        }
        try add("verified", rounds: 2, rotations: [.init(at: 5, seed: 21)], continuing: [4]) {
            Break("by a key before it was replaced") {
                try $0.hold($0.log.checkpoint($0.log.head(4), by: $0.log.signers[0]))
            }
        }
        try add("H3", in: .part, rounds: 2) {
            Break("a part without its proof", older(5))
        }
    }

    /// Proofs of `voicegate audit prove`.
    mutating func addProofsAlone() throws {
        func alone(_ index: Int = 3, _ change: @escaping (inout String, CorpusBundle) throws -> Void = { _, _ in })
            -> Change
        {
            { bundle in
                guard let inclusion = bundle.log.inclusion(of: index) else { throw CocoaError(.coderInvalidValue) }
                var line = String(bundle.log.entries[index].line.dropLast())
                try change(&line, bundle)
                guard let proof = try OfflineProof(inclusion, in: bundle.log.checkpoint(), extra: Data(line.utf8))
                else {
                    throw CocoaError(.coderInvalidValue)
                }
                bundle.path = try bundle.outside.write(proof.data, to: "\(index).tlog-proof")
                try bundle.useKeys(bundle.log.signer.verifier.text + "\n")
            }
        }
        func altered(_ name: String, _ old: String, _ new: String) -> Break {
            Break(name) { bundle in
                try alone()(bundle)
                let text = try String(contentsOfFile: bundle.path, encoding: .utf8)
                guard text.contains(old) else { throw CorpusBundle.Unchanged(file: name) }
                try text.replacing(old, with: new).write(toFile: bundle.path, atomically: true, encoding: .utf8)
            }
        }
        try add("verified", in: .whole, rounds: 2) {
            Break("a proof alone", alone())
            Break("of the first record", alone(0))
            Break("of the last record", alone(7))
            Break("with its checkpoint") { bundle in
                try alone()(bundle)
                try bundle.hold(bundle.log.checkpoint())
            }
        }
        try add("verified", in: .whole, erased: [3]) {
            Break("of an erased record", alone())
        }
        try add("R1", in: .whole) {
            Break("a line that is not a checkpoint line", alone { line, _ in line += " " })
            Break("a doubled member", alone { line, _ in line = "{\"leaf\":\"\"," + line.dropFirst() })
        }
        try add("R3", in: .whole) {
            Break("other fields", alone { line, _ in line = line.replacing("notes", with: "other") })
        }
        try add("R5", in: .whole) {
            Break("another record", alone { line, bundle in line = String(bundle.log.entries[4].line.dropLast()) })
        }
        try add("P2", in: .whole) {
            altered("no record in it", "extra ", "other ")
            altered("another header", "@v1", "@v2")
            altered("stray base64", "extra ", "extra =")
            altered("another index", "index 3", "index 03")
            altered("a hash too many", "index 3\n", "index 3\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n")
        }
        try add("P3", in: .whole) {
            Break("another kind", alone { line, _ in line = line.replacing("blocked", with: "allowed") })
        }
        try add("C2", in: .whole) {
            Break("another key") { bundle in
                try alone()(bundle)
                try bundle.useKeys(BundleFixture.signer(Self.otherSeed).verifier.text + "\n")
            }
        }
        try add("contradicts", in: .whole) {
            Break("another checkpoint of this size") { bundle in
                try alone()(bundle)
                let other = try BundleFixture(count: 19, seed: 8).head(bundle.log.entries.count)
                try bundle.hold(bundle.log.checkpoint(other))
            }
        }
        try add("H3", in: .whole) {
            Break("a smaller checkpoint") { bundle in
                try alone()(bundle)
                try bundle.hold(bundle.log.checkpoint(bundle.log.head(5)))
            }
        }
    }
}
