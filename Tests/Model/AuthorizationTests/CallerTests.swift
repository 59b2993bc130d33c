import Authorization
import TestSupport
import Testing

@Suite("Interpreters and their scripts")
struct InterpreterTests {
    @Test(
        "an interpreter is recognised by its name, with or without a version, also after its file was replaced",
        arguments: [
            "/usr/bin/python3.11", "/usr/bin/python3", "/bin/sh", "/usr/bin/bash", "/usr/bin/dash", "/opt/perl5.36.0",
            "/usr/bin/perl5.36-x86_64-linux-gnu", "/usr/bin/node", "/usr/bin/ruby3.1", "/usr/bin/lua5.4",
            "/usr/bin/guile-3.0", "/usr/bin/python3.11 (deleted)", "/usr/bin/mawk",
            "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
        ])
    func known(path: String) { #expect(Interpreter(program: path) != nil) }

    @Test(
        "other programs are not interpreters, whatever their names begin with",
        arguments: ["/usr/bin/curl", "/usr/bin/lua-language-server", "/usr/bin/shutdown", "/usr/bin/nodeploy", "", "/"])
    func others(path: String) { #expect(Interpreter(program: path) == nil) }

    @Test(
        "the script is the first word after options that do not change what runs",
        arguments: [
            ("python3", ["notes.py", "-c", "x"], "notes.py"), ("python3", ["-IBu", "/a/notes.py"], "/a/notes.py"),
            ("bash", ["/a/b"], "/a/b"), ("bash", ["-eu", "-o", "pipefail", "b"], "b"), ("dash", ["-ex", "b"], "b"),
            ("bash", ["--norc", "--", "-b"], "-b"), ("bash", ["-euo", "pipefail", "b"], "b"), ("sh", ["-", "b"], "b"),
            ("perl", ["-Tw", "a.pl"], "a.pl"), ("ruby", ["a.rb"], "a.rb"), ("node", ["a.js", "--x"], "a.js"),
            ("java", ["-Xmx1g", "-Da=b", "-jar", "a.jar"], "a.jar"), ("fish", ["a.fish"], "a.fish"),
        ])
    func scripts(name: String, words: [String], script: String) throws {
        let interpreter = try #require(Interpreter(program: "/usr/bin/" + name))
        #expect(interpreter.code(in: [name] + words) == .file(script))
    }

    @Test(
        "code in the command line, a module, or an option that could load something is not a script",
        arguments: [
            ("python3", ["-c", "x", "notes.py"]), ("python3", ["-Ic", "x"]), ("python3", ["-m", "notes"]),
            ("python3", ["-X", "importtime", "a.py"]), ("python3", ["--help"]), ("bash", ["-c", "x"]),
            ("bash", ["-ec", "x", "b"]), ("bash", ["--rcfile", "evil", "b"]), ("perl", ["-e", "x"]),
            ("perl", ["-ne", "x", "a.pl"]), ("perl", ["-MEvil", "a.pl"]), ("perl", ["-I/evil", "a.pl"]),
            ("ruby", ["-e", "x"]), ("ruby", ["-r./evil", "a.rb"]), ("node", ["-e", "x"]),
            ("node", ["-r", "./evil.js", "a.js"]), ("java", ["-javaagent:evil.jar", "-jar", "a.jar"]),
            ("java", ["-cp", "a.jar", "Main"]), ("java", ["-XX:OnError=evil", "-jar", "a.jar"]),
            ("mawk", ["-f", "a.awk"]), ("busybox", ["sh", "a.sh"]), ("php", ["-r", "x"]),
        ])
    func inlineCode(name: String, words: [String]) throws {
        let interpreter = try #require(Interpreter(program: "/usr/bin/" + name))
        #expect(interpreter.code(in: [name] + words) == .unknown)
    }

    @Test(
        "without arguments, or with an option for it, an interpreter reads standard input",
        arguments: [
            ("bash", []), ("-bash", []), ("bash", ["-il"]), ("bash", ["-s", "a"]), ("sh", ["-"]), ("python3", []),
            ("python3", ["-"]), ("perl", ["-w"]), ("node", []),
        ] as [(String, [String])])
    func input(name: String, words: [String]) throws {
        let interpreter = try #require(Interpreter(program: "/usr/bin/" + name.drop { $0 == "-" }))
        #expect(interpreter.code(in: [name] + words) == .input)
    }

    @Test("an empty command line means standard input and does not crash")
    func empty() throws { #expect(try #require(Interpreter(program: "/bin/sh")).code(in: []) == .input) }
}

@Suite("Untrusted programs")
struct UntrustedProgramTests {
    private func requester(_ evidence: Evidence) -> Requester {
        let sample = Samples.requester()
        let caller = Caller(
            process: sample.caller.process, user: sample.caller.user, executable: sample.caller.executable,
            evidence: evidence)
        return Requester(caller: caller, client: sample.client, presence: .foreground)
    }

    @Test(
        "every request is refused with untrusted, whatever was allowed; the person is not asked, and the refusal is recorded"
    )
    func refused() async throws {
        let (ledger, agent) = (RecordingLedger(), StandInAgent { _ in .whileInUse })
        let gate = try await Gate(ledger: ledger, agent: agent)
        #expect(await gate.checkAndRequest(for: requester(.executable)).status == .authorized)
        let prompts = agent.prompts.count
        let untrusted = requester(.untrusted("Nobody can tell what it is."))
        for resource in Resource.allCases {
            let outcome = await gate.request(resource, for: untrusted)
            #expect(outcome.refusal?.code == .untrusted)
            #expect(outcome.refusal?.message == "Nobody can tell what it is.")
            #expect(outcome.status == .notDetermined)
        }
        let error = await #expect(throws: AuthorizationError.self) {
            let grant = try await gate.microphoneGrant(for: untrusted)
            _ = grant.lease
        }
        #expect(error?.code == .untrusted)
        #expect(agent.prompts.count == prompts)
        #expect(ledger.eventNames.suffix(2) == ["accessBlocked", "accessBlocked"])
        #expect(await gate.status(of: .microphone, for: requester(.executable)) == .authorized)
    }
}
