import Foundation
import ProgramSupport
import TestSupport

/// The programs of Documentation/verify, which check a bundle with libraries of other authors.
enum ForeignVerifier: String, CaseIterable, Sendable {
    /// Debian's Go with golang.org/x/mod/sumdb.
    case go
    /// PyPI's pymerkle and cryptography.
    case python

    struct Unavailable: Error, CustomStringConvertible {
        let description: String
    }

    struct Answer: Sendable {
        let status: Int32
        let output: [String]
        let errors: String
    }

    private static let root = Checkout.root.path
    private static let tools = Task { try await makeTools() }

    /// - Parameter keys: a file with verifier keys; `nil`: those in the bundle.
    func verify(_ bundle: String, keys: String? = nil) async throws -> Answer {
        let tools = try await Self.tools.value
        let command =
            switch self {
            case .go: [tools.go]
            case .python: [tools.python, "-B", Self.root + "/Documentation/verify/verify.py"]
            }
        return try await Self.run(command + [bundle] + (keys.map { [$0] } ?? []))
    }

    /// The last line for each list of arguments, in one process of Python, or one of Go after the other.
    func verdicts(_ arguments: [[String]]) async throws -> [String] {
        let tools = try await Self.tools.value
        let list = try tools.folder.write(
            try JSONEncoder().encode(arguments), to: "\(rawValue)-arguments.json")
        let script = """
            import contextlib, io, json, subprocess, sys
            def own(arguments):
                with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()):
                    verify.main(arguments)
                return output.getvalue()
            def other(arguments):
                return subprocess.run([sys.argv[2]] + arguments, capture_output=True, text=True).stdout
            if sys.argv[2].endswith(".py"):
                sys.path.insert(0, sys.argv[2][:-len("/verify.py")])
                import verify
            run = own if sys.argv[2].endswith(".py") else other
            for arguments in json.load(open(sys.argv[1])):
                print(run(arguments).rstrip("\\n").split("\\n")[-1].removeprefix("verdict: "))
            """
        let program = self == .go ? tools.go : Self.root + "/Documentation/verify/verify.py"
        let answer = try await Self.run([tools.python, "-B", "-c", script, list, program])
        guard answer.status == 0 else { throw Unavailable(description: answer.errors) }
        return answer.output
    }

    private struct Tools: Sendable {
        let go: String
        let python: String
        /// Holds what was built, as long as the tests run.
        let folder: TemporaryFolder
    }

    private static func makeTools() async throws -> Tools {
        let folder = try TemporaryFolder()
        let go = folder.path + "/verify"
        let building = try await run(
            ["/usr/bin/go", "build", "-o", go]
                + ["verify.go", "formats.go"].map { root + "/Documentation/verify/" + $0 },
            [
                "GOPATH": "/usr/share/gocode", "GO111MODULE": "off", "GOCACHE": folder.path + "/cache",
                "GOTOOLCHAIN": "local",
            ])
        guard building.status == 0 else {
            throw Unavailable(
                description: "verify.go cannot be built with Debian's golang-go and golang-golang-x-mod-dev: "
                    + building.errors)
        }
        let setup = try await run([root + "/Tests/Support/Tools/setup-python"])
        guard setup.status == 0, let python = setup.output.last else {
            throw Unavailable(
                description: "verify.py cannot be run, because its libraries are missing: " + setup.errors)
        }
        return Tools(go: go, python: python, folder: folder)
    }

    private static func run(_ arguments: [String], _ variables: [String: String] = [:]) async throws -> Answer {
        let environment = ProcessInfo.processInfo.environment.merging(variables) { _, new in new }
        let program = try RunningProgram(arguments, environment: environment, isForeground: false)
        try program.closeInput()
        let status = await program.end()
        return Answer(status: status, output: program.lines, errors: program.errorText)
    }
}
