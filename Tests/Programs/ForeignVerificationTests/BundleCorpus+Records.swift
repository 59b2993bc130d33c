import AuditExport
import Consent
import Foundation
import TestSupport

extension BundleCorpus {
    mutating func addBrokenRecords() throws {
        try addBrokenLines()
        try addBrokenLeaves()
        try addBrokenFields()
        try addBrokenOrder()
        try addBrokenGenesis()
        try addBrokenErasures()
        try addReplacedKeys()
    }

    private mutating func addBrokenLines() throws {
        func line(_ name: String, _ change: @escaping (inout String) -> Void) -> Break {
            Break(name) { try $0.line($0.place, change) }
        }
        try add("R1") {
            line("a doubled leaf") {
                $0 = $0.replacing("{\"disclosures\"", with: "{\"leaf\":\"\",\"disclosures\"")
            }
            line("doubled disclosures, the last empty") {
                $0 = $0.replacing(",\"leaf\"", with: ",\"disclosures\":[],\"leaf\"")
            }
            line("a doubled member at the end") { $0 = $0.dropLast(2) + ",\"leaf\":\"\"}\n" }
            line("members in another order") { text in
                let parts = text.dropLast(2).components(separatedBy: ",\"leaf\":")
                text = "{\"leaf\":\(parts[1]),\(parts[0].dropFirst())}\n"
            }
            line("white space") { $0 = "{ " + $0.dropFirst() }
            line("white space behind it") { $0 = $0.dropLast() + " \n" }
            line("a line break of Windows") { $0 = $0.dropLast() + "\r\n" }
            line("an order mark") { $0 = "\u{FEFF}" + $0 }
            line("a member more") { $0 = $0.dropLast(2) + ",\"proof\":[]}\n" }
            line("no disclosures") { $0 = "{" + $0.dropFirst($0.components(separatedBy: "\"leaf\"")[0].count) }
            line("no leaf") { $0 = $0.components(separatedBy: ",\"leaf\"")[0] + "}\n" }
            line("invalid disclosures") {
                $0 = $0.replacing("\"disclosures\":[", with: "\"disclosures\":[null,")
            }
            line("disclosures as text") {
                $0 = "{\"disclosures\":\"\"," + $0.dropFirst($0.components(separatedBy: "\"leaf\"")[0].count)
            }
            line("two disclosures") { $0 = $0.replacing("\"disclosures\":[", with: "\"disclosures\":[\"\",") }
            line("a number as leaf") { $0 = "{\"disclosures\":[],\"leaf\":1}\n" }
            line("an escape that needs none") { $0 = $0.replacing("\"leaf\"", with: "\"l\\u0065af\"") }
            line("an escaped slash") { $0 = $0.replacing("\"leaf\":\"", with: "\"leaf\":\"\\/") }
            line("half a character") { $0 = $0.replacing("\"leaf\":\"", with: "\"leaf\":\"\\ud83c") }
            line("an empty line") { $0 = "\n" }
            line("null") { $0 = "null\n" }
            line("a list") { $0 = "[]\n" }
            line("no number") { $0 = "NaN\n" }
            line("two objects") { $0 = $0.dropLast() + "{}\n" }
            line("deep lists") { $0 = String(repeating: "[", count: 100_000) + "\n" }
            line("deep objects") { $0 = String(repeating: "{\"leaf\":", count: 100_000) + "\n" }
            line("a NUL") { $0 = "\0" + $0 }
            Break("bytes that are not UTF-8") { bundle in
                var data = try bundle.bytes(BundleLayout.records)
                data[data.firstIndex(of: 0x6C) ?? 5] = 0xFF
                try bundle.folder.write(data, to: BundleLayout.records)
                try bundle.log.sign(bundle.folder)
            }
            Break("no last line break") { try $0.edit(BundleLayout.records) { $0.removeLast() } }
            Break("half a line") { try $0.edit(BundleLayout.records) { $0.removeLast(30) } }
            Break("an empty line at the end") { try $0.edit(BundleLayout.records) { $0 += "\n" } }
        }
        try add("R1", in: .whole) {
            Break("a line without end") {
                try $0.edit(BundleLayout.records) { $0 = String(repeating: "a", count: 9 << 20) }
            }
        }
    }

    private mutating func addBrokenLeaves() throws {
        func leaf(_ name: String, _ old: String, _ new: String) -> Break {
            Break(name) { try $0.leaf(old, new) }
        }
        try add("R2") {
            leaf("an index with an exponent", "\"index\":", "\"index\":1e")
            leaf("an index with a zero before it", "\"index\":", "\"index\":0")
            leaf("a negative index", "\"index\":", "\"index\":-")
            leaf("an index as text", "\"kind\":", "\"kond\":")
            leaf("an index that is too large", "\"index\":", "\"index\":9223372036854775808")
            leaf("another schema", "\"schema\":2", "\"schema\":3")
            leaf("a schema as text", "\"schema\":2", "\"schema\":\"2\"")
            leaf("a schema with a fraction", "\"schema\":2", "\"schema\":2.0")
            leaf("no schema", "\"schema\":2,", "")
            leaf("a member more", "{\"_sd\"", "{\"A\":1,\"_sd\"")
            leaf("a doubled index", "\"index\"", "\"index\":0,\"index\"")
            leaf("white space", ",", ", ")
            leaf("a kind that is a number", "\"kind\":\"access.blocked\"", "\"kind\":1")
            leaf("two digests", "{\"_sd\":[", "{\"_sd\":[\"\",")
            leaf("no day of the calendar", "\"time\":\"2026-09-21", "\"time\":\"2026-02-30")
            leaf("the year 0", "\"time\":\"2026", "\"time\":\"0000")
            leaf("an hour too many", "T14:", "T24:")
            leaf("a time without milliseconds", ".", ",")
            leaf("a time in small letters", "Z\"}", "z\"}")
            leaf("a time of a zone", "Z\"}", "+00:00\"}")
            leaf("digits of another script", "\"time\":\"2026", "\"time\":\"\u{0662}026")
            leaf("trailing bytes", "\"}", "\"}\n")
        }
    }

    private mutating func addBrokenFields() throws {
        func fields(_ name: String, _ text: @escaping (String) -> String) -> Break {
            Break(name) { bundle in
                let place = bundle.place
                try bundle.records { entries in
                    let old = entries[place].disclosures[0]
                    entries[place] = AuditEntry(leaf: entries[place].leaf, disclosures: [text(old)])
                }
            }
        }
        /// The leaf's digest is that of the text.
        func committed(_ name: String, _ text: @escaping (String) -> String) -> Break {
            Break(name) { bundle in
                let place = bundle.place
                try bundle.records { entries in
                    let old = entries[place].disclosures[0]
                    let new = text(old)
                    let digest = { Disclosure.digest(of: Data(($0 as String).utf8)) }
                    entries[place] = AuditEntry(
                        leaf: entries[place].leaf.replacing(digest(old), with: digest(new)), disclosures: [new])
                }
            }
        }
        let salt = "AAAAAAAAAAAAAAAAAAAAAA"
        try add("R3") {
            fields("other words") { $0.replacing("notes", with: "other") }
            fields("a character in another form") { $0.replacing("ü", with: "u\u{308}") }
            fields("trailing bytes") { $0 + " " }
            Break("the fields of another record") { bundle in
                let place = bundle.place
                try bundle.records { entries in
                    entries[place] = AuditEntry(leaf: entries[place].leaf, disclosures: entries[2].disclosures)
                }
            }
            committed("a short salt") { "[\"AAAA\"," + $0.dropFirst(26) }
            committed("stray bits in the salt") { "[\"\(salt.dropLast())B\"," + $0.dropFirst(26) }
            committed("a salt of another alphabet") { "[\"\(salt.dropLast(2))+A\"," + $0.dropFirst(26) }
            committed("no salt") { "[" + $0.dropFirst(26) }
            committed("a part more") { $0.dropLast() + ",1]" }
            committed("fields as list") { _ in "[\"\(salt)\",[]]" }
            committed("a doubled field") { $0.replacing("{\"", with: "{\"A\":1,\"A\":2,\"") }
            committed("fields in another order") { $0.replacing("{\"", with: "{\"z\":1,\"") }
            committed("white space") { $0.replacing(",{", with: ", {") }
            committed("a fraction") { $0.replacing("1000", with: "1000.5") }
            committed("an exponent") { $0.replacing("1000", with: "1e3") }
            committed("a negative zero") { $0.replacing("1000", with: "-0") }
            committed("a number that is too large") { $0.replacing("1000", with: "9223372036854775808") }
            committed("an escape that needs none") { $0.replacing("user", with: "us\\u0065r") }
            committed("a large escape") { $0.replacing("notes", with: "\\u001F") }
            committed("deep") { _ in
                "[\"\(salt)\",{\"a\":" + String(repeating: "[", count: 63) + String(repeating: "]", count: 63)
                    + "}]"
            }
            committed("more than 1 MiB") { $0.replacing("notes", with: String(repeating: "n", count: 1 << 20)) }
        }
    }

    private mutating func addBrokenOrder() throws {
        func records(_ name: String, _ change: @escaping (inout [AuditEntry]) -> Void) -> Break {
            Break(name) { try $0.records(change) }
        }
        try add("R4", in: .whole, rounds: 2) {
            Break("one removed") { bundle in
                let place = bundle.place
                try bundle.records { $0.remove(at: place) }
            }
            Break("two swapped") { bundle in
                let place = bundle.place
                try bundle.records { $0.swapAt(place, 2) }
            }
            Break("one twice") { bundle in
                let place = bundle.place
                try bundle.records { $0.insert($0[place], at: place) }
            }
            records("the first removed") { $0.removeFirst() }
            records("the last removed") { $0.removeLast() }
            records("all removed") { $0 = [] }
            Break("one added") { bundle in
                let next = BundleFixture.entry(bundle.log.entries.count, "access.blocked", [:])
                try bundle.records { $0.append(next) }
            }
        }
        try add("R5", in: .part) {
            records("two swapped") { $0.swapAt(1, 2) }
            records("one twice") { $0.insert($0[3], at: 3) }
            records("in reverse") { $0.reverse() }
            Break("beyond the end") { bundle in
                let next = BundleFixture.entry(bundle.log.entries.count, "access.blocked", [:])
                try bundle.records { $0.append(next) }
            }
        }
        try add("R7", in: .whole, rounds: 2) {
            Break("another kind") { try $0.leaf("blocked", "allowed") }
            Break("another time") { try $0.leaf("2026", "2027") }
            Break("other fields, with their digest") { bundle in
                let place = bundle.place
                try bundle.records {
                    $0[place] = BundleFixture.entry(place, "access.blocked", ["a": .integer(1)])
                }
            }
        }
    }

    private mutating func addBrokenGenesis() throws {
        func log(_ name: String, _ index: Int, _ entry: AuditEntry) -> Break {
            Break(name) { try $0.log.replacing(index, with: entry).write(to: $0.folder, only: $0.chosen) }
        }
        let other: [String: JSONValue] = [
            "log": .string(String(repeating: "ab", count: 16)), "hash": .string("SHA-256"),
        ]
        let own: [String: JSONValue] = ["log": .string(String(BundleFixture.origin.suffix(32)))]
        try add("R6", rounds: 2) {
            log("the beginning of another log", 0, BundleFixture.entry(0, "log.genesis", other))
            log(
                "a beginning without a name", 0, BundleFixture.entry(0, "log.genesis", ["hash": .string("SHA-256")])
            )
            log("a name that is a number", 0, BundleFixture.entry(0, "log.genesis", ["log": .integer(1)]))
            log("another beginning", 0, BundleFixture.entry(0, "access.blocked", own))
            log("a second beginning", 2, BundleFixture.entry(2, "log.genesis", own))
            log("a beginning without fields", 0, BundleFixture.entry(0, "log.genesis", own, isErased: true))
        }
    }

    private mutating func addBrokenErasures() throws {
        let withheld: Change = { bundle in
            try bundle.records { $0[5] = AuditEntry(leaf: $0[5].leaf, disclosures: []) }
        }
        try add("R8", in: .whole, rounds: 2) {
            Break("fields withheld", withheld)
        }
        let declarations: [(String, [[Int]])] = [
            ("another record declared", [[4, 4]]), ("unbounded", [[0, 1_000_000]]), ("reversed", [[6, 4]]),
            ("negative", [[-5, 6]]), ("three ends", [[5, 5, 5]]),
        ]
        for (name, ranges) in declarations {
            try add("R8", in: .whole, rounds: 2, declaring: ranges) {
                Break("fields withheld, \(name)", withheld)
            }
        }
        // The last record may declare only earlier ones, and one in the middle nothing that comes later.
        try add("R8", in: .whole) {
            Break("declared before it happened") { bundle in
                let early = BundleFixture.entry(
                    3, "data.erased",
                    [
                        "records": .array([
                            .array([.integer(0), .integer(2)]), .array([.integer(5), .integer(5)]),
                        ])
                    ])
                let log = bundle.log.replacing(3, with: early)
                try log.write(to: bundle.folder)
                try log.writeRecords(
                    log.entries.enumerated().map { $0 == 5 ? AuditEntry(leaf: $1.leaf, disclosures: []) : $1 },
                    to: bundle.folder)
                try log.sign(bundle.folder)
            }
            Break("declared by a record of another kind") { bundle in
                let last = bundle.log.entries.count - 1
                let log = bundle.log.replacing(
                    last,
                    with: BundleFixture.entry(
                        last, "access.blocked", ["records": .array([.array([.integer(5), .integer(5)])])]))
                try log.write(to: bundle.folder)
                try log.writeRecords(
                    log.entries.enumerated().map { $0 == 5 ? AuditEntry(leaf: $1.leaf, disclosures: []) : $1 },
                    to: bundle.folder)
                try log.sign(bundle.folder)
            }
        }
    }

    private mutating func addReplacedKeys() throws {
        try add("R9", in: .whole, rounds: 2, rotations: [.init(at: 5, seed: 21)]) {
            Break("the checkpoint signed by the replaced key") {
                try $0.checkpoint($0.log.checkpoint(by: $0.log.signers[0]))
            }
            Break("the list of files signed by the replaced key") { try $0.log.sign($0.folder, by: $0.log.signers[0]) }
        }
        try add("R9", in: .whole, rotations: [.init(at: 3, seed: 21), .init(at: 5, seed: 22)]) {
            Break("signed by the first of three keys") { try $0.checkpoint($0.log.checkpoint(by: $0.log.signers[0])) }
            Break("signed by the second of three keys") { try $0.checkpoint($0.log.checkpoint(by: $0.log.signers[1])) }
            Break("signed by a key that no record names") { bundle in
                let other = try BundleFixture.signer(Self.otherSeed)
                try bundle.edit(BundleLayout.keys) { $0 += other.verifier.text + "\n" }
                try bundle.checkpoint(bundle.log.checkpoint(by: other))
            }
        }
        let log = try BundleFixture(count: 9, rotations: [.init(at: 2, seed: 21)])
        try add("R9", in: .part) {
            Break("a part with the record that a key was replaced") { bundle in
                try log.write(
                    to: bundle.folder.emptied(), only: [0, 2, 5], note: log.checkpoint(by: log.signers[0]))
            }
        }
    }
}
