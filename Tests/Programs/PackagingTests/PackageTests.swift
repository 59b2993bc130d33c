import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The package, made of the programs that are tested here, in a clean Debian that debootstrap makes; see
/// Tests/Support/Packaging/chroot.py. The service runs inside the walls of its unit, put up by hand where no systemd is.
@Suite(
    "The package in a clean Debian", .timeLimit(.minutes(20)),
    .enabled(
        if: Packaging.canInstall && Packaging.hasFleet,
        "needs root, debootstrap, debhelper, patchelf, PostgreSQL, and the built Fleet: make fleet-build"))
struct PackageTests {
    private struct Step: Decodable {
        let name: String
        let ok: Bool
        let detail: String
    }

    /// In their order; a step that fails ends the sequence.
    private static let steps = [
        "prepare", "install", "device", "service", "dictate", "refuse", "apart", "taken_away", "container", "manifests",
        "doctor", "upgraded", "removed", "kept", "asked", "purged", "many_machines",
    ]

    /// Kept for the next run.
    private static let base = Packaging.root + "/.build/package/base"
    /// What the package needs, so that apt has to fetch nothing.
    private static let packages = [
        "systemd", "udev", "acl", "libarchive13", "libasound2", "libflite1", "libpocketsphinx3",
        "libpq5", "libsamplerate0", "libsndfile1", "libspeexdsp1", "libsphinxbase3", "libsqlite3-0",
        "pocketsphinx-en-us",
    ]

    private func base() async throws -> String {
        let known = (try? String(contentsOfFile: Self.base + "/var/lib/dpkg/status", encoding: .utf8)) ?? ""
        if Self.packages.allSatisfy({ known.contains("Package: \($0)\n") }) { return Self.base }
        try? FileManager.default.removeItem(atPath: Self.base)
        let draft = Self.base + ".new"
        try? FileManager.default.removeItem(atPath: draft)
        try FileManager.default.createDirectory(
            atPath: Packaging.root + "/.build/package", withIntermediateDirectories: true)
        let mirror = ProcessInfo.processInfo.environment["VOICEGATE_DEBIAN_MIRROR"] ?? "http://deb.debian.org/debian"
        let (status, lines, errors) = try await Packaging.run([
            "/usr/sbin/debootstrap", "--variant=minbase", "--include=" + Self.packages.joined(separator: ","),
            "bookworm",
            draft, mirror,
        ])
        try #require(status == 0, "\(lines.suffix(5)) \(errors)")
        try FileManager.default.moveItem(atPath: draft, toPath: Self.base)
        return Self.base
    }

    @Test(
        """
        two users dictate and a third is refused, an upgrade keeps the log, a purge too unless it is answered that it \
        shall not; the doctor finds what is broken on purpose; the microphone is taken from other programs only \
        after an answer, which can be changed. The collector's key outlives a purge, too
        """
    )
    func life() async throws {
        let base = try await base()
        let (status, lines, errors) = try await Packaging.run([
            Packaging.root + "/Scripts/package", "--configuration", "debug", "--programs", Programs.folder,
            "--fleet", Programs.folder,
        ])
        let package = try #require(status == 0 ? lines.last : nil, "\(errors.suffix(3_000))")
        let run = try await Packaging.run([
            "/usr/bin/unshare", "--mount", "--pid", "--fork", "--kill-child", "/usr/bin/python3", "-B",
            Packaging.scripts + "/chroot.py", base, Packaging.root + "/.build/package/work",
            Packaging.root + "/" + package, Programs.folder + "/libasound_module_pcm_voicegate.so", Programs.goForward,
        ])
        let steps = run.lines.compactMap { try? JSONDecoder().decode(Step.self, from: Data($0.utf8)) }
        for step in steps { #expect(step.ok, "\(step.name): \(step.detail)") }
        #expect(steps.map(\.name) == Self.steps, "\(run.errors.suffix(3_000))")
        #expect(run.status == 0)
    }
}
