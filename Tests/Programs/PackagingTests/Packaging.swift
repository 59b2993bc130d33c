import Foundation
import Glibc
import ProgramSupport
import TestSupport

/// What the tests of the package need: the scripts of Tests/Support/Packaging, and tools that only some machines have.
enum Packaging {
    static let root = Checkout.root.path
    static let scripts = root + "/Tests/Support/Packaging"

    static let unit = root + "/Packaging/systemd/system/voicegate.service"
    /// Whether the programs of many machines are built, which are a separate package.
    static let hasFleet = isProgram(Programs.folder + "/voicegate-collector")

    static let canMount =
        geteuid() == 0 && ["/usr/bin/udevadm", "/usr/bin/setfacl", "/usr/bin/systemd-tmpfiles"].allSatisfy(isProgram)
    static let hasPipeWire = isProgram("/usr/bin/pipewire")
    static let canActivate =
        geteuid() == 0
        && ["/usr/bin/systemd-socket-activate", "/usr/bin/setpriv", "/usr/bin/unshare"].allSatisfy(isProgram)
    static let hasAppArmor = isProgram("/usr/sbin/apparmor_parser")
    static let hasSystemd = isProgram("/usr/bin/systemd-analyze")
    static let canInstall =
        geteuid() == 0
        && [
            "/usr/sbin/debootstrap", "/usr/bin/dh", "/usr/bin/patchelf", "/usr/bin/python3", "/usr/bin/psql",
        ].allSatisfy(isProgram)

    static let environment = [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root",
        "LANG": "C.UTF-8",
    ]

    private static func isProgram(_ path: String) -> Bool { access(path, X_OK) == 0 }

    /// Runs a command to its end.
    static func run(_ words: [String]) async throws -> (status: Int32, lines: [String], errors: String) {
        let program = try RunningProgram(words, environment: environment, isForeground: false)
        try program.closeInput()
        let status = await program.end()
        return (status, program.lines, program.errorText)
    }
}
