import AuditExport
import Consent
import Foundation
import TestSupport

extension BundleCorpus {
    mutating func addBrokenProofs() throws {
        let proof = "proofs/2.tlog-proof"
        try add("P1", in: .part, rounds: 2) {
            Break("a proof missing") { bundle in
                try bundle.remove(proof)
                try bundle.log.sign(bundle.folder)
            }
            Break("a proof of no record") { bundle in
                try bundle.folder.write(bundle.bytes(proof), to: "proofs/4.tlog-proof")
                try bundle.log.sign(bundle.folder)
            }
            Break("a record missing") { try $0.records { $0.remove(at: 3) } }
        }
        try add("P1", in: .whole) {
            Break("proofs of a whole log") { bundle in
                try bundle.folder.write("x", to: proof)
                try bundle.log.sign(bundle.folder)
            }
            Break("consistency proofs of a whole log") { bundle in
                try bundle.folder.write("x", to: "consistency/3")
                try bundle.log.sign(bundle.folder)
            }
        }
        try add("P2", in: .part) {
            Break("the proof of another record") { bundle in
                try bundle.folder.write(bundle.bytes("proofs/1.tlog-proof"), to: proof)
                try bundle.log.sign(bundle.folder)
            }
            Break("a zero before the index") { try $0.edit(proof, "index 2", "index 02") }
            Break("another header") { try $0.edit(proof, "@v1", "@v2") }
            Break("no index") { try $0.edit(proof, "index 2\n", "") }
            Break("garbage behind it") { try $0.edit(proof) { $0 += "garbage\n" } }
            Break("a line break behind it") { try $0.edit(proof) { $0 += "\n" } }
            Break("an extra line") { try $0.edit(proof, "index 2", "extra e30=\nindex 2") }
            Break("a hash too few") {
                try $0.edit(proof) { text in
                    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                    lines.remove(at: 2)
                    text = lines.joined(separator: "\n")
                }
            }
            Break("a hash too many") { try $0.edit(proof, "\n\n", "\n" + $0.log.head.root.base64 + "\n\n") }
            Break("a shorter hash") { try $0.edit(proof, "=\n\n", "\n\n") }
            Break("line breaks of Windows") { try $0.edit(proof) { $0 = $0.replacing("\n", with: "\r\n") } }
            Break("no note") { try $0.edit(proof) { $0 = $0.components(separatedBy: "\n\n")[0] + "\n\n" } }
            Break("an empty file") { try $0.edit(proof) { $0 = "" } }
            Break("another checkpoint") { bundle in
                let note = try bundle.log.checkpoint(by: BundleFixture.signer(Self.otherSeed))
                try bundle.edit(proof) { text in
                    text =
                        text.components(separatedBy: "\n\n")[0] + "\n\n"
                        + String(decoding: note.data, as: UTF8.self)
                }
            }
        }
        try add("P3", in: .part, rounds: 2) {
            Break("another hash") {
                try $0.edit(proof) { text in
                    let start = text.range(of: "index 2\n")?.upperBound ?? text.startIndex
                    text.replaceSubrange(start...start, with: text[start] == "A" ? "B" : "A")
                }
            }
            Break("another leaf") { try $0.leaf("blocked", "allowed") }
            Break("another time") { try $0.leaf("2026", "2027") }
        }
        let earlier = "consistency/5"
        try add("P4", in: .part, continuing: [5]) {
            Break("another size") { try $0.edit(earlier, "old 5", "old 4") }
            Break("another name") { bundle in
                try bundle.folder.write(bundle.bytes(earlier), to: "consistency/6")
                try bundle.log.sign(bundle.folder)
            }
            Break("a size beyond the end") { bundle in
                try bundle.folder.write(
                    String(decoding: bundle.bytes(earlier), as: UTF8.self).replacing("old 5", with: "old 99"),
                    to: "consistency/99")
                try bundle.log.sign(bundle.folder)
            }
            Break("garbage behind it") { try $0.edit(earlier) { $0 += "garbage\n" } }
            Break("no hashes that are some") { try $0.edit(earlier, "old 5\n", "old 5\nhash\n") }
            Break("no note") { try $0.edit(earlier) { $0 = $0.components(separatedBy: "\n\n")[0] + "\n\n" } }
        }
    }

    mutating func addBrokenLists() throws {
        func notice(_ bundle: CorpusBundle) throws -> String {
            try BundleFixture.files(bundle.folder).first { $0.hasPrefix("notices/") } ?? ""
        }
        try add("N1") {
            Break("a notice missing") { bundle in
                try bundle.remove(notice(bundle))
                try bundle.log.sign(bundle.folder)
            }
            Break("another text") { try $0.edit(notice($0)) { $0 += "!" } }
            Break("a notice that was never shown") { bundle in
                let text = "May nobody use the microphone?"
                try bundle.folder.write(text, to: BundleLayout.notice(BundleFixture.digest(text)))
                try bundle.log.sign(bundle.folder)
            }
        }
        let note = BundleLayout.sumsNote
        try add("D1") {
            Break("trailing bytes") { try $0.edit(note, signs: false) { $0 += "x\n" } }
            Break("no signed note") { try $0.edit(note, signs: false) { $0 = "hello\n" } }
            Break("the checkpoint in its place") { try $0.folder.write($0.bytes(BundleLayout.checkpoint), to: note) }
            Break("another log") { bundle in
                try bundle.signList(
                    "\(Self.strangerOrigin)/export\n" + String(repeating: "0", count: 64) + "\n")
            }
            Break("another purpose") {
                try $0.signList("\(BundleFixture.origin)/other\n" + String(repeating: "0", count: 64) + "\n")
            }
            Break("a digest in large letters") {
                try $0.signList("\(BundleFixture.origin)/export\n" + String(repeating: "A", count: 64) + "\n")
            }
            Break("a line more") {
                try $0.signList("\(BundleFixture.origin)/export\n" + String(repeating: "0", count: 64) + "\n\n")
            }
        }
        try add("D2", rounds: 2) {
            Break("another key") { try $0.log.sign($0.folder, by: BundleFixture.signer(Self.otherSeed)) }
            Break("one bit of the signature") {
                try $0.edit(note, signs: false) { text in
                    let place = text.index(text.endIndex, offsetBy: -20)
                    text.replaceSubrange(place...place, with: text[place] == "A" ? "B" : "A")
                }
            }
        }
        let sums = BundleLayout.sums
        try add("D3", rounds: 2) {
            Break("a line removed") {
                try $0.edit(sums, signs: false) {
                    $0 = $0.split(separator: "\n").dropLast().map { $0 + "\n" }.joined()
                }
            }
            Break("another digest") {
                try $0.edit(sums, signs: false) {
                    $0 = ($0.hasPrefix("0") ? "1" : "0") + $0.dropFirst()
                }
            }
            Break("an empty list") { try $0.edit(sums, signs: false) { $0 = "" } }
        }
        func listed(_ name: String, _ change: @escaping (inout String) -> Void) -> Break {
            Break(name) { bundle in
                try bundle.edit(sums, signs: false, change)
                try bundle.signList()
            }
        }
        let zeros = String(repeating: "0", count: 64)
        try add("D4") {
            listed("a line twice") { $0 += $0.split(separator: "\n")[0] + "\n" }
            listed("no last line break") { $0.removeLast() }
            listed("line breaks of Windows") { $0 = $0.replacing("\n", with: "\r\n") }
            listed("an empty line") { $0 += "\n" }
            listed("a digest in large letters") { $0 += zeros.replacing("0", with: "A") + "  report.html\n" }
            listed("a mark of binary files") { $0 += zeros + " *report.html\n" }
            listed("an escape") { $0 += "\\" + zeros + "  report.html\n" }
            listed("a path out of the bundle") { $0 += zeros + "  ../secret\n" }
            listed("a path from the root") { $0 += zeros + "  /etc/passwd\n" }
            listed("a hidden name") { $0 += zeros + "  .hidden\n" }
            listed("the list itself") { $0 += zeros + "  SHA256SUMS\n" }
            listed("an unknown name") { $0 += zeros + "  other.txt\n" }
            listed("a NUL") { $0 += zeros + "  report.html\0\n" }
            listed("a very long name") { $0 += zeros + "  " + String(repeating: "z", count: 300) + "\n" }
        }
        try add("D5") {
            listed("a file that is not listed") {
                $0 = $0.split(separator: "\n").dropLast().map { $0 + "\n" }.joined()
            }
            listed("a file that is not there") { $0 += zeros + "  notices/" + zeros + ".txt\n" }
        }
        try add("D6") {
            BundleLayout.derived.sorted().map { name -> Break in
                Break("\(name) changed") { try $0.edit(name, signs: false) { $0 += " " } }
            }
        }
        try add("verified", own: "G1", rounds: 2) {
            BundleLayout.derived.sorted().map { name -> Break in
                Break("\(name) that says something else") { try $0.edit(name) { $0 = "Nobody ever listened.\n" } }
            }
        }
        try add("verified", own: "G1", rounds: 2) {
            Break("one word of the report") { try $0.edit("report.html", "org.example.notes", "org.example.other") }
            Break("one cell of a table") {
                try $0.edit("accesses.csv") {
                    $0 = $0.replacing("org.example.notes", with: "org.example.other") + ","
                }
            }
        }
    }
}
