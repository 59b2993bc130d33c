import Foundation
import Glibc
import TestSupport

@testable import LinuxSystem

/// A folder in place of `/proc` with one real process in it, whose sandbox, group and command line a test chooses: no
/// Flatpak, snap or systemd runs where these tests run.
struct FakeProc {
    let folder: TemporaryFolder
    let process: Int32
    var path: String { folder.path }

    init(_ process: Int32) throws {
        folder = try TemporaryFolder()
        self.process = process
        let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        try folder.write(stat, to: "\(process)/stat")
        try folder.write("", to: "\(process)/root/etc/empty")
        symlink("/proc/\(process)/exe", folder.path + "/\(process)/exe")
        symlink("/", folder.path + "/\(process)/cwd")
        try write(cgroup: "/user.slice/user-0.slice/session-2.scope")
    }

    func write(cgroup: String) throws { try folder.write("0::\(cgroup)\n", to: "\(process)/cgroup") }

    @discardableResult
    func write(_ text: String, inRoot name: String) throws -> String {
        try folder.write(text, to: "\(process)/root/\(name)")
    }

    func write(commandLine words: [String]) throws {
        try folder.write(words.map { $0 + "\0" }.joined(), to: "\(process)/cmdline")
    }

    func write(label: String) throws { try folder.write(label, to: "\(process)/attr/current") }

    func link(_ target: String, to name: String) {
        let path = folder.path + "/\(process)/\(name)"
        unlink(path)
        symlink(target, path)
    }
}
