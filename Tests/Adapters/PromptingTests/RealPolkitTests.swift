import Authorization
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Prompting

/// A real polkitd on its own bus, with the action file of the package and rules of the test. It takes root and a mount
/// namespace to show polkitd other folders and users than the machine's. It is asked by a user voicegate, as in the package.
@Suite("A real polkitd", .timeLimit(.minutes(1)), .enabled(if: Machine.runsPolkit, "takes root and polkitd"))
struct RealPolkitTests {
    /// The number of the user voicegate.
    private static let service = 64_999

    private let folder: TemporaryFolder
    private let programs: [ChildProcess]
    private let authority: PolkitAuthority

    init() throws {
        folder = try TemporaryFolder()
        let path = folder.path
        chmod(path, 0o755)
        let actions = Checkout.root.path + "/Packaging/polkit"
        let allow =
            ["<allow user='*'/>", "<allow own='*'/>", "<allow send_destination='*'/>"]
            + ["signal", "method_call", "method_return", "error"].map { "<allow receive_type='\($0)'/>" }
            + ["method_return", "error"].map { "<allow send_requested_reply='true' send_type='\($0)'/>" }
        let bus = try folder.write(
            "<busconfig><type>system</type><listen>unix:path=\(path)/bus</listen><policy context='default'>"
                + allow.joined() + "</policy></busconfig>", to: "bus.conf")
        try folder.write(
            """
            polkit.addRule(function(action, subject) {
                if (action.id == "io.voicegate.settings" && subject.user == "nobody") return polkit.Result.YES;
                if (action.id == "io.voicegate.answer" && action.lookup("client") == "org.example.asked")
                    return polkit.Result.AUTH_SELF;
            });
            """, to: "rules/50-test.rules")
        try folder.write(
            "voicegate:x:\(Self.service):\(Self.service)::/nonexistent:/usr/sbin/nologin\n"
                + String(contentsOfFile: "/etc/passwd", encoding: .utf8), to: "passwd")
        let users = "mount --bind '\(path)/passwd' /etc/passwd && "
        let pkcheck = try folder.write(
            "#!/bin/sh\nexec /usr/bin/setpriv --reuid=\(Self.service) --regid=\(Self.service) --clear-groups "
                + "/usr/bin/pkcheck \"$@\"\n", to: "pkcheck", permissions: 0o755)
        for file in ["rules", "rules/50-test.rules"] { chmod("\(path)/\(file)", 0o755) }
        let daemon = try ChildProcess(
            [
                "/usr/bin/unshare", "-m", "/bin/sh", "-c",
                users + "exec /usr/bin/dbus-daemon --config-file='\(bus)' --nofork --nopidfile --print-address=1",
            ])
        #expect(daemon.readLine().hasPrefix("unix:"))
        chmod("\(path)/bus", 0o777)
        let polkit = try ChildProcess([
            "/usr/bin/unshare", "-m", "/bin/sh", "-c",
            "mount --bind '\(actions)' /usr/share/polkit-1/actions && mount --bind '\(path)/rules' /etc/polkit-1/rules.d "
                + "&& \(users)export DBUS_SYSTEM_BUS_ADDRESS='unix:path=\(path)/bus' && exec /usr/lib/polkit-1/polkitd --no-debug",
        ])
        let ready = try ChildProcess([
            "/bin/sh", "-c",
            "DBUS_SYSTEM_BUS_ADDRESS='unix:path=\(path)/bus' gdbus wait --system --timeout 30 org.freedesktop.PolicyKit1 "
                + "&& echo ready",
        ])
        #expect(ready.readLine() == "ready")
        programs = [daemon, polkit]
        authority = PolkitAuthority(program: pkcheck, environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(path)/bus"])
    }

    /// A process of the user nobody.
    private func subject() throws -> (ChildProcess, Caller) {
        let child = try ChildProcess([
            "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/bin/sh", "-c",
            "echo; exec sleep 600",
        ])
        _ = child.readLine()
        return (child, caller(try #require(ProcessIdentity.current(child.processIdentifier)), user: 65534))
    }

    private func caller(_ process: ProcessIdentity, user: UInt32) -> Caller {
        Caller(
            process: process, user: user,
            executable: Executable(path: "/usr/bin/voicegate", device: 1, inode: 2, sha256: "aa"))
    }

    private func code(_ act: ConfirmedAct, _ caller: Caller) async -> PolkitError.Code? {
        await #expect(throws: PolkitError.self) { try await authority.check(act, saying: "x", of: caller) }?.code
    }

    private func answer(_ client: String = "org.example.notes", _ resource: Resource = .microphone) throws
        -> ConfirmedAct
    { try #require(ConfirmedAct(.whileInUse, .full, to: Prompt.example(client: client, resource: resource))) }

    @Test(
        "the service, which is not root, may ask; a rule authorizes, and nothing else without the user's active session"
    )
    func actions() async throws {
        let (child, subject) = try subject()
        try await authority.check(.unmute(.user), saying: "x", of: subject)
        #expect(await code(try answer(), subject) == .notAuthorized)
        // Only the agent that would ask for the password is missing.
        #expect(await code(.eraseKept(client: nil, items: nil), subject) == .noAuthenticationAgent)
        withExtendedLifetime(child) {}
    }

    @Test("another process with a reused identifier is not the requester")
    func replaced() async throws {
        let (child, subject) = try subject()
        let other = ProcessIdentity(
            processIdentifier: subject.process.processIdentifier, startTime: subject.process.startTime + 1)
        #expect(await code(.unmute(.user), caller(other, user: 65534)) == .unavailable)
        withExtendedLifetime(child) {}
    }

    @Test("the dialog says which program is allowed what, in each language, and a text cannot be taken for another's")
    func dialogs() async throws {
        let (child, subject) = try subject()
        let process = subject.process
        var texts: Set<String> = []
        for resource in Resource.allCases {
            for language in Language.allCases {
                let terminal = try PseudoTerminal(columns: 1_000)
                // polkit's own agent for terminals, run by the subject's user. While it waits for a password it hears of nothing,
                // so each dialog has its own.
                let agent = try ChildProcess(
                    [
                        "/usr/bin/env", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=\(folder.path)/bus", "/usr/bin/setpriv",
                        "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/pkttyagent", "--process",
                        "\(process.processIdentifier),\(process.startTime)", "--notify-fd", "1",
                    ], terminal: terminal.path)
                // It closes the descriptor when it is registered.
                #expect(agent.readLine() == "")
                let act = try answer("org.example.asked", resource)
                let text = act.text(in: language)
                let asking = Task { try await authority.check(act, saying: text, of: subject) }
                let shown = terminal.read(until: "Password: ")
                #expect(shown.contains("AUTHENTICATING FOR io.voicegate.answer"))
                #expect(shown.contains("\(text)\r\n"), "\(shown)")
                for part in [
                    "Notes", "org.example.asked", "/usr/bin/notes",
                    language.wording.name(of: .whileInUse, among: .firstUse),
                ] { #expect(text.contains(part)) }
                texts.insert(text)
                agent.end()
                asking.cancel()
                _ = await asking.result
            }
        }
        #expect(texts.count == Resource.allCases.count * Language.allCases.count)
        withExtendedLifetime(child) {}
    }

    @Test("the policy file is valid XML and requires the user's own password, and but for erasing the active session")
    func file() throws {
        let path = Checkout.root.path + "/Packaging/polkit/io.voicegate.policy"
        let check = try ChildProcess(["/bin/sh", "-c", "xmllint --noout --nonet '\(path)' 2>&1 && echo valid"])
        #expect(check.readLine() == "valid")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for action in PolkitAction.allCases { #expect(text.contains("<action id=\"\(action.rawValue)\">")) }
        #expect(text.ranges(of: "<allow_active>auth_self</allow_active>").count == PolkitAction.allCases.count)
        let owner = "<annotate key=\"org.freedesktop.policykit.owner\">unix-user:voicegate</annotate>"
        #expect(text.ranges(of: owner).count == PolkitAction.allCases.count)
        #expect(text.ranges(of: "<allow_any>no</allow_any>").count == PolkitAction.allCases.count - 1)
        let erasing = try #require(text.range(of: "<action id=\"\(PolkitAction.erase.rawValue)\">"))
        #expect(text[erasing.upperBound...].contains("<allow_any>auth_self</allow_any>"))
    }
}

extension ProcessIdentity {
    /// By field 22 of `/proc/PID/stat`.
    fileprivate static func current(_ process: Int32) -> ProcessIdentity? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let start = UInt64(fields[19]) else { return nil }
        return ProcessIdentity(processIdentifier: process, startTime: start)
    }
}

private enum Machine {
    static let runsPolkit: Bool = {
        let tools: [String] = ["/usr/lib/polkit-1/polkitd", "/usr/bin/pkcheck", "/usr/bin/dbus-daemon"]
        guard geteuid() == 0, tools.allSatisfy({ access($0, X_OK) == 0 }) else { return false }
        return (try? ChildProcess(["/usr/bin/unshare", "-m", "echo", "yes"]))?.readLine() == "yes"
    }()
}
