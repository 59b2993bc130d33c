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
            ("sh", "-ex ok.sh"), ("sh", "- ok.sh"), ("dash", "-euo nounset ok.sh -c evil"), ("bash", "ok.sh -i"),
            ("bash", "-eu -o pipefail ok.sh"), ("bash", "--norc -- ok.sh"),
            ("bash", "-euo pipefail ok.sh --rcfile evil"),
            ("zsh", "-f ok.sh"), ("zsh", "-feu -o pipefail ok.sh"), ("fish", "-N ok.sh"),
            ("python3", "ok.sh -c evil"), ("python3", "-IBu -- ok.sh"), ("perl", "-Tw ok.sh -e evil"),
            ("perl", "-- ok.sh"),
            ("ruby", "-W0 -w ok.sh"), ("node", "ok.sh --x"), ("node", "-- ok.sh -r evil"),
            ("lua5.4", "-E -W ok.sh -e evil"),
            ("luajit", "ok.sh"), ("php", "ok.sh"), ("java", "-Xmx1g -jar ok.sh -cp evil"),
        ])
    func scripts(name: String, words: String) throws {
        #expect(try code(name, words) == .file("ok.sh"))
    }

    @Test("awk's program is the only file after -f", arguments: ["mawk", "gawk", "awk"])
    func awk(name: String) throws {
        for words in ["-f ./ok.awk", "-f ./ok.awk data -f evil.awk", "-f ./ok.awk x=1 -", "-f ./ok.awk -- -f"] {
            #expect(try code(name, words) == .file("./ok.awk"), "\(words)")
        }
        // gawk searches AWKPATH for a name without a slash.
        for words in [
            "-f ok.awk", "-f ./ok.awk -f ./evil.awk", "-f ./ok.awk -e evil", "-v x=1 -f ./ok.awk", "-f./ok.awk", "-f -",
            "-f",
            "BEGIN{evil} ./ok.awk", "-- BEGIN{evil}", "-E ./ok.awk", "-i evil -f ./ok.awk", "--file ./ok.awk", "", "-",
        ] {
            #expect(try code(name, words) == .unknown, "\(words)")
        }
    }

    @Test(
        "code in the command line, a module, or an option that could load something is not a script",
        arguments: [
            ("sh", "-c evil ok.sh"), ("sh", "-i ok.sh"), ("sh", "-l ok.sh"), ("sh", "-ei ok.sh"), ("dash", "+x ok.sh"),
            ("dash", "-n ok.sh"), ("dash", "-o ok.sh"), ("-sh", "ok.sh"), ("bash", "-ec evil ok.sh"),
            ("bash", "-i ok.sh"),
            ("bash", "-xi ok.sh"), ("bash", "-il ok.sh"), ("bash", "--login ok.sh"), ("bash", "-login ok.sh"),
            ("-bash", "ok.sh"), ("bash", "--rcfile evil -i ok.sh"), ("bash", "--init-file evil ok.sh"),
            ("bash", "-rcfile evil ok.sh"), ("bash", "-O extdebug ok.sh"), ("bash", "-o history ok.sh"),
            ("bash", "-oe pipefail ok.sh"), ("bash", "--debugger ok.sh"), ("bash", "-- -"), ("bash", "+o posix ok.sh"),
            ("zsh", "ok.sh"), ("zsh", "-e ok.sh"), ("zsh", "-f -i ok.sh"), ("zsh", "-f -l ok.sh"), ("-zsh", "-f ok.sh"),
            ("zsh", "-b -f ok.sh"), ("zsh", "--emulate sh ok.sh"), ("fish", "ok.sh"), ("fish", "-C evil -N ok.sh"),
            ("python3", "-c evil ok.sh"), ("python3", "-Ic evil"), ("python3", "-m ok.sh"), ("python3", "-i ok.sh"),
            ("python3", "-Bi ok.sh"), ("python3", "-ui ok.sh"), ("python3", "-x ok.sh"),
            ("python3", "-X importtime ok.sh"),
            ("python3", "-W error::evil.E ok.sh"), ("python3", "--check-hash-based-pycs never ok.sh"),
            ("python3", "-- -"),
            ("python3", "--help"), ("perl", "-e evil ok.sh"), ("perl", "-ne evil ok.sh"), ("perl", "-Mevil ok.sh"),
            ("perl", "-mevil ok.sh"), ("perl", "-I/evil ok.sh"), ("perl", "-I /evil ok.sh"), ("perl", "-d ok.sh"),
            ("perl", "-d:evil ok.sh"), ("perl", "-x ok.sh"), ("perl", "-S ok.sh"), ("perl", "-s ok.sh"),
            ("perl", "-p ok.sh"),
            ("perl", "-0777 ok.sh"), ("ruby", "-e evil ok.sh"), ("ruby", "-r./evil ok.sh"), ("ruby", "-r ./evil ok.sh"),
            ("ruby", "-I/evil ok.sh"), ("ruby", "-x ok.sh"), ("ruby", "-S ok.sh"), ("ruby", "-C /evil ok.sh"),
            ("ruby", "-W:evil ok.sh"), ("node", "-e evil ok.sh"), ("node", "-r ./evil.js ok.sh"), ("node", "-i ok.sh"),
            ("node", "--require=./evil.js ok.sh"), ("node", "--import ./evil.js ok.sh"), ("node", "-C evil ok.sh"),
            ("node", "inspect ok.sh"), ("node", "--loader ./evil.mjs ok.sh"), ("lua5.4", "-e evil ok.sh"),
            ("lua5.4", "-levil ok.sh"), ("lua5.4", "-l evil ok.sh"), ("lua5.4", "-i ok.sh"), ("lua5.4", "-EW ok.sh"),
            ("java", "-javaagent:evil.jar -jar ok.sh"), ("java", "-cp ok.sh Main"),
            ("java", "-XX:OnError=evil -jar ok.sh"),
            ("java", "-Djava.library.path=/evil -jar ok.sh"), ("java", "-Xmx1g;evil -jar ok.sh"),
            ("busybox", "sh ok.sh"),
            ("php", "-r evil ok.sh"), ("php", "-f ok.sh"), ("expect", "ok.sh"), ("guile-3.0", "ok.sh"),
        ])
    func inlineCode(name: String, words: String) throws {
        #expect(try code(name, words) == .unknown)
    }

    @Test(
        "without arguments, or with an option for it, an interpreter reads standard input",
        arguments: [
            ("bash", ""), ("-bash", ""), ("bash", "-il"), ("bash", "-s ok.sh"), ("bash", "-is ok.sh"), ("sh", "-"),
            ("bash", "--norc -i"), ("zsh", ""), ("-zsh", ""), ("zsh", "-f -s ok.sh"), ("fish", "-l"), ("dash", "-e --"),
            ("python3", ""), ("python3", "-"), ("python3", "- ok.sh"), ("perl", "-w"), ("perl", "- ok.sh"),
            ("ruby", "- ok.sh"),
            ("node", ""), ("node", "- ok.sh"), ("lua5.4", "- ok.sh"),
        ])
    func input(name: String, words: String) throws {
        #expect(try code(name, words) == .input)
    }

    private func code(_ name: String, _ words: String) throws -> Interpreter.Code {
        let interpreter = try #require(Interpreter(program: "/usr/bin/" + name.drop { $0 == "-" }))
        return interpreter.code(in: [name] + words.split(separator: " ").map(String.init))
    }

    @Test("an empty command line means standard input and does not crash")
    func empty() throws { #expect(try #require(Interpreter(program: "/bin/sh")).code(in: []) == .input) }
}
