import AuditBundle
import Consent
import FleetDatabase
import FleetModel
import FleetSupport
import Foundation
import Logging
import Testing

/// `voicegate-fleet` as a process, with rows that the collector's store wrote.
@Suite("Questions", .needsPostgreSQL, .timeLimit(.minutes(5)))
struct QuestionTests {
    @Test("Hosts, status and records say what the database has, in text and JSON")
    func reading() async throws {
        let fleet = try await Fleet()
        let hosts = try await fleet.ask("hosts")
        #expect(hosts.status == 0, "\(hosts.messages)")
        #expect(hosts.text.contains(/n1 +north +law +ok +604/))
        #expect(try await fleet.ask("hosts", "--tenant", "south").text.split(separator: "\n").count == 2)
        #expect(try await fleet.ask("hosts", "nowhere").status == 66)
        #expect(try await fleet.ask("status").text == "2 machines: 2 ok\n")
        try await fleet.change(
            "INSERT INTO fleet.alarm (host, kind) SELECT id, 'silent' FROM fleet.host WHERE name = 's1'")
        let status = try await fleet.ask("status", "--json")
        #expect(status.status == 1)
        #expect(status.text.contains(#""states":{"ok":1,"silent":1}"#))
        let mail = try await fleet.ask("records", "--client", "org.example.Mail", "--json")
        let lines = mail.text.split(separator: "\n")
        #expect(lines.count == 21, "\(mail.messages)")
        #expect(lines.allSatisfy { $0.contains(#""host":"n1""#) && $0.contains("org.example.Mail") })
        #expect(lines[1].contains(#"Café “mic”\u0000"#))
        #expect(try await fleet.ask("records", "--since", "6d", "--host", "n1").text.split(separator: "\n").count == 21)
        let newest = try await fleet.ask("records", "--limit", "1", "--host", "s1").text
        #expect(newest.contains("session.stopped"))
        #expect(try await fleet.ask("records", "--host", "s1").text.contains("not sent"))
    }

    @Test("Records that a stolen key may have signed are marked in the list of hosts, in records, and by verify")
    func suspect() async throws {
        let fleet = try await Fleet()
        try await fleet.change(
            "UPDATE fleet.host_key SET revoked_at = now(), revoked_from = 600 WHERE host = (SELECT id FROM fleet.host WHERE name = 'n1')"
        )
        let hosts = try await fleet.ask("hosts").text
        #expect(hosts.contains(/n1 .*ok, suspect from 600 +604/))
        #expect(hosts.matches(of: /suspect/).count == 1)
        let records = try await fleet.ask("records", "--host", "n1").text.split(separator: "\n")
        #expect(records.filter { $0.hasSuffix("  suspect") } == records.suffix(4))
        let json = try await fleet.ask("records", "--limit", "5", "--host", "n1", "--json").text
        #expect(json.matches(of: /"isSuspect":true/).count == 4)
        let verified = try await fleet.ask("verify", "n1").text
        #expect(verified.contains("Not checked: who wrote the records from 600 on: their key was revoked"))
    }

    @Test("An export can end at the newest checkpoint that another witness has cosigned")
    func cosigned() async throws {
        let fleet = try await Fleet()
        let witness = try #require(NoteSigner(name: "witness.example"))
        var log = try #require(TestLog("busy", start: Fleet.day(-3)))
        log.use("org.example.Notes", sessions: 150)
        let (size, note) = (log.size, try #require(try log.checkpoint()))
        let cosigned = try #require(note.adding(try witness.cosign(note.text, at: 1_790_000_000)))
        log.use("org.example.Mail", sessions: 150)
        let host = try await log.store(as: "busy", tenant: "north", in: fleet.store, collector: fleet.collector)
        let output = fleet.folder.path + "/"
        let none = try await fleet.ask("export", "--cosigned", "--output", output + "none", "busy")
        #expect(none.status == 0 && none.messages.contains("no other witness has cosigned a checkpoint"))
        try await fleet.store.register(witness.witnessVerifier, as: .upstream)
        try await fleet.connection.query(
            "INSERT INTO fleet.upstream (host, vkey, size, note) VALUES ($1, $2, $3, $4)",
            ["\(host)", witness.witnessVerifier.text, "\(size)", String(decoding: cosigned.data, as: UTF8.self)])
        let exported = try await fleet.ask("export", "--cosigned", "--output", output + "some", "busy")
        #expect(exported.status == 0, "\(exported.messages)")
        let policy = try WitnessPolicy(Data("witness w \(witness.witnessVerifier.text)\nquorum w\n".utf8))
        let report = try BundleVerifier(policy: policy, version: "other").verify(folder: output + "some/busy")
        #expect(report.whole && report.size == size && report.records == size)
    }

    @Test("Verification recomputes every machine, and names the first record that was changed")
    func verification() async throws {
        let fleet = try await Fleet()
        let good = try await fleet.ask("verify")
        #expect(good.status == 0, "\(good.text) \(good.messages)")
        #expect(good.text.contains("n1: verified: 604 records"))
        #expect(good.text.contains("cosigned by collector.example"))
        #expect(good.text.contains("the fields of 2 were not sent"))
        for (change, expected) in [
            (
                "UPDATE fleet.record SET fields = fields || '{\"client\": \"org.other\"}' WHERE host = $1 AND index = 300",
                300
            ),
            ("UPDATE fleet.record SET verbatim = NULL WHERE host = $1 AND index = 3", 3),
            ("UPDATE fleet.record SET time = time + interval '1 ms' WHERE host = $1 AND index = 77", 77),
            ("DELETE FROM fleet.record WHERE host = $1 AND index = 603", 603),
            (
                "UPDATE fleet.record SET salt = NULL, fields = NULL, verbatim = NULL, erased = true WHERE host = $1 AND index = 9",
                9
            ),
        ] {
            try await fleet.connection.query("CREATE TABLE saved AS SELECT * FROM fleet.record")
            let host = try #require(
                try await fleet.connection.query("SELECT id FROM fleet.host WHERE name = 'n1'").first)
            try await fleet.connection.query(change, host)
            let bad = try await fleet.ask("verify")
            #expect(bad.status == 65)
            #expect(bad.text.contains("n1: does not verify. Record \(expected):"), "\(bad.text)")
            #expect(bad.text.contains("s1: verified"))
            try await fleet.change(
                "DELETE FROM fleet.record; INSERT INTO fleet.record SELECT * FROM saved; DROP TABLE saved")
        }
        // A key and a checkpoint from elsewhere.
        let foreign = try #require(NoteSigner(name: fleet.log.origin))
        #expect(try await fleet.ask("verify", "n1", "--key", foreign.verifier.text).status == 65)
        #expect(try await fleet.ask("verify", "n1", "--key", fleet.log.signer.verifier.text).status == 0)
        var forked = try #require(TestLog("north1", start: Fleet.day(-100)))
        forked.use("org.example.Other", sessions: 1)
        let note = try #require(try forked.checkpoint())
        let checkpoint = try #require(Checkpoint(text: note.text))
        let held = try #require(try fleet.log.signer.sign(checkpoint.text))
        let file = fleet.folder.path + "/held"
        try held.data.write(to: URL(filePath: file))
        #expect(try await fleet.ask("verify", "n1", "--checkpoint", file).status == 76)
    }

    @Test("Bundles of all machines, whole and in part, verify by the main program's rules and in Python")
    func export() async throws {
        let fleet = try await Fleet()
        let verifier = BundleVerifier(version: "other")
        for (name, options, isWhole) in [("whole", [String](), true), ("part", ["--since", "6d"], false)] {
            let output = fleet.folder.path + "/" + name
            let arguments = ["export", "--output", output] + options + ["--database", fleet.settings]
            let answer = try await Command.run([Command.programs + "/voicegate-fleet"] + arguments)
            #expect(answer.status == 0, "\(answer.messages)")
            for host in ["n1", "s1"] {
                let report = try verifier.verify(folder: "\(output)/\(host)")
                #expect(report.whole == isWhole)
                #expect(report.notChecked.contains { $0.contains("collector.example") })
                let python = try await Command.verifyInPython("\(output)/\(host)")
                #expect(python.text.hasSuffix("verdict: verified\n"), "\(python)")
            }
            // A verifier that requires a witness's cosignature accepts the collector's, and misses another's.
            let stranger = try #require(NoteSigner(name: "stranger.example"))
            for (signer, isThere) in [(fleet.collector, true), (stranger, false)] {
                let text = "witness one \(signer.witnessVerifier.text)\nquorum one\n"
                let policy = try WitnessPolicy(Data(text.utf8))
                let report = try? BundleVerifier(policy: policy, version: "other").verify(folder: "\(output)/n1")
                #expect(report?.cosignatures.map(\.witness) == (isThere ? ["collector.example"] : nil))
            }
            // The list of files without a signature is not accepted in a log's own export.
            let scope = "\(output)/n1/scope.json"
            let text = try String(contentsOfFile: scope, encoding: .utf8)
            try text.replacing(#""collector":"collector.example","#, with: "").write(
                toFile: scope, atomically: true, encoding: .utf8)
            #expect(throws: BundleProblem.self) { try verifier.verify(folder: "\(output)/n1") }
            #expect(try await Command.verifyInPython("\(output)/n1").text.hasSuffix("verdict: F4\n"))
        }
        let table = try await fleet.ask("export", "s1", "--format", "csv")
        #expect(table.status == 0)
        #expect(table.text.contains("org.example.Notes"))
        #expect(try await fleet.ask("export", "--format", "csv").status == 64)
    }

    @Test("A dump that is restored into a new server verifies")
    func backup() async throws {
        let fleet = try await Fleet()
        let programs = try #require(PrivatePostgreSQL.programs).path
        let dump = fleet.folder.path + "/dump"
        #expect(
            try await Command.run([
                programs + "/pg_dump", "--format", "custom", "--file", dump, "--dbname", fleet.settings,
            ])
            .status == 0)
        let server = try PrivatePostgreSQL()
        defer { server.stop() }
        // The roles are the server's, and not in the dump.
        let restored = try await server.newDatabase(migrated: false)
        try await DatabaseConnection(settings: restored).script("CREATE ROLE fleet_auditor; CREATE ROLE fleet_admin")
        let restore = try await Command.run(
            [programs + "/pg_restore", "--exit-on-error", "--single-transaction", "--dbname", restored, dump])
        #expect(restore.status == 0, "\(restore.messages)")
        let verified = try await fleet.ask("verify", settings: restored)
        #expect(verified.status == 0, "\(verified.text) \(verified.messages)")
        #expect(verified.text.contains("2 of 2 machines verify."))
    }

    @Test("A base backup and the archived log give the database back as it was before somebody deleted from it")
    func momentBefore() async throws {
        let server = try PrivatePostgreSQL(settings: [
            "archive_mode = on", "archive_command = 'test ! -f ../archive/%f && cp %p ../archive/%f'",
        ])
        defer { server.stop() }
        let archive = try server.makeFolder("archive")
        let fleet = try await Fleet(on: server)
        let copy = try PrivatePostgreSQL(copying: server)
        defer { copy.stop() }
        var log = try #require(TestLog("later", start: Fleet.day(-1)))
        log.use("org.example.Notes", sessions: 200)
        try await log.store(as: "n2", tenant: "north", in: fleet.store, collector: fleet.collector)
        try await fleet.connection.query("SELECT pg_create_restore_point('before')")
        try await fleet.change("DELETE FROM fleet.record WHERE index % 7 = 3")
        try await fleet.connection.query("SELECT pg_switch_wal()")
        #expect(try await fleet.ask("verify").status == 65)

        try copy.restore([
            "archive_mode = off", "restore_command = 'cp \(archive)/%f %p'", "recovery_target_name = 'before'",
            "recovery_target_action = promote",
        ])
        let name = try #require(try await fleet.connection.query("SELECT current_database()")[0][0])
        let verified = try await fleet.ask("verify", settings: copy.settings(database: name))
        #expect(verified.status == 0, "\(verified.text) \(verified.messages)")
        #expect(verified.text.contains("n2: verified: 403 records"))
        #expect(verified.text.contains("3 of 3 machines verify."))
    }

    @Test("Without a database, with a foreign one, and without a right, the exit code says which")
    func refusals() async throws {
        let fleet = try await Fleet()
        #expect(try await fleet.ask("hosts", settings: "host=/nowhere").status == 69)
        let empty = try await PrivatePostgreSQL.shared.get().newDatabase(migrated: false)
        #expect(try await fleet.ask("hosts", settings: empty).status == 78)
        let role = "nobody_" + (try #require(try await fleet.connection.query("SELECT current_database()")[0][0]))
        try await fleet.change("CREATE ROLE \(role) LOGIN")
        let settings = fleet.settings.replacing("user=postgres", with: "user=\(role)")
        #expect(try await fleet.ask("hosts", settings: settings).status == 77)
        try await fleet.change("GRANT fleet_auditor TO \(role)")
        #expect(try await fleet.ask("status", settings: settings).text == "0 machines: none\n")
    }
}
