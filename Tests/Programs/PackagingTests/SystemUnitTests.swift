import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite(
    "The system service's unit", .timeLimit(.minutes(2)), .enabled(if: Packaging.hasSystemd, "needs systemd's tools"))
struct SystemUnitTests {
    @Test("its exposure is what Installation.md says, and it has no network")
    func exposure() async throws {
        let (status, lines, errors) = try await Packaging.run([
            "/usr/bin/systemd-analyze", "security", "--offline=true", "--no-pager", Packaging.unit,
        ])
        #expect(status == 0, "\(lines.suffix(2)) \(errors)")
        let line = try #require(lines.last { $0.contains("Overall exposure level") })
        let measured = try #require(line.firstMatch(of: #/: ([\d.]+) /#)?.1)
        let page = try String(contentsOfFile: Packaging.root + "/Documentation/Installation.md", encoding: .utf8)
        #expect(page.contains("`systemd-analyze security voicegate.service` gives \(measured)."))
        for open in [
            "PrivateNetwork=", "RestrictAddressFamilies=~AF_(INET|INET6)", "RestrictAddressFamilies=~AF_NETLINK",
        ] {
            #expect(lines.contains { $0.hasPrefix("✓ \(open) ") }, "\(open)")
        }
    }

    @Test(
        "the units of many machines are as exposed as Fleet.md says, and systemd knows each directive",
        arguments: ["voicegate-sender", "voicegate-collector"])
    func fleet(name: String) async throws {
        let unit = Packaging.root + "/Packaging/systemd/system/\(name).service"
        let (status, lines, errors) = try await Packaging.run([
            "/usr/bin/systemd-analyze", "security", "--offline=true", "--no-pager", unit,
        ])
        #expect(status == 0, "\(lines.suffix(2)) \(errors)")
        let line = try #require(lines.last { $0.contains("Overall exposure level") })
        let measured = try #require(line.firstMatch(of: #/: ([\d.]+) /#)?.1)
        let page = try String(contentsOfFile: Packaging.root + "/Documentation/Fleet.md", encoding: .utf8)
        #expect(page.contains("`systemd-analyze security \(name)` gives \(measured)"))

        let folder = try TemporaryFolder()
        // The program is not installed here.
        try folder.write(
            String(contentsOfFile: unit, encoding: .utf8).replacing("/usr/bin/\(name)", with: "/bin/true"),
            to: "\(name).service")
        let verified = try await Packaging.run([
            "/usr/bin/systemd-analyze", "verify", "--man=no", folder.path + "/\(name).service",
        ])
        #expect(!verified.errors.contains("\(name).service:"), "\(verified.errors)")
    }

    @Test("no call is left that reaches into another program, for which its one capability would be enough")
    func calls() async throws {
        let (status, lines, errors) = try await Packaging.run([
            "/usr/bin/python3", Packaging.root + "/Tests/Support/Packaging/unit_calls.py", Packaging.unit,
        ])
        #expect(status == 0, "\(errors)")
        let allowed = Set(lines)
        #expect(allowed.isSuperset(of: ["read", "recvmsg", "capset", "landlock_restrict_self", "execve"]))
        let reaching: Set = [
            "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp", "userfaultfd",
            "perf_event_open", "bpf", "io_uring_setup", "mount", "kexec_load", "init_module",
        ]
        let left = allowed.intersection(reaching)
        #expect(left.isEmpty)
    }

    @Test(
        "AppArmor's parser reads the profile that it names, which must not confine users' own services",
        .enabled(if: Packaging.hasAppArmor, "needs AppArmor's parser"))
    func profile() async throws {
        let unit = try String(contentsOfFile: Packaging.unit, encoding: .utf8)
        let name = try #require(unit.firstMatch(of: /\nAppArmorProfile=-(.+)\n/)?.1)
        let file = Packaging.root + "/Packaging/apparmor/\(name)"
        let parser = ["/usr/sbin/apparmor_parser", "--skip-kernel-load", "--skip-cache"]
        let (status, _, errors) = try await Packaging.run(parser + [file])
        #expect(status == 0, "\(errors)")
        // A name that is a path would attach to the program, also if a user starts it.
        #expect(try await Packaging.run(parser + ["--names", file]).lines == ["\(name)"])
    }

    @Test("systemd reads all of it without a complaint, and knows each directive")
    func verified() async throws {
        let folder = try TemporaryFolder()
        for path in ["system/voicegate.service", "system/voicegate.socket", "user/voicegate-agent.service"] {
            let text = try String(contentsOfFile: Packaging.root + "/Packaging/systemd/" + path, encoding: .utf8)
            // The program is not installed here.
            try folder.write(
                text.replacing(/\/usr\/bin\/voicegated?/, with: "/bin/true"), to: path.replacing(/.*\//, with: ""))
        }
        let (status, _, errors) = try await Packaging.run([
            "/usr/bin/systemd-analyze", "verify", "--man=no", folder.path + "/voicegate.service",
            folder.path + "/voicegate.socket", folder.path + "/voicegate-agent.service",
        ])
        #expect(status == 0, "\(errors)")
        #expect(errors.split(separator: "\n").filter { $0.contains("voicegate.") }.isEmpty, "\(errors)")
    }
}
