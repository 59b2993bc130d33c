import Authorization
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite("The directory of clients")
struct ClientDirectoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func plist(_ identifier: String, executable: String, name: String = "Name") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>\(identifier)</string>
        <key>CFBundleName</key><string>\(name)</string>
        <key>CFBundleExecutable</key><string>\(executable)</string>
        </dict></plist>
        """
    }

    private var directory: ClientDirectory {
        ClientDirectory(systemFolders: [folder.path + "/system"], userFolder: folder.path + "/user")
    }

    private func caller(_ path: String) throws -> Caller {
        let file = try FileMetadata(path: path)
        return Caller(
            process: ProcessIdentity(processIdentifier: 1, startTime: 1), user: geteuid(),
            executable: Executable(path: path, device: file.device, inode: file.inode, sha256: ""))
    }

    @Test("a manifest is found as NAME.plist and as NAME/Info.plist")
    func bothPlaces() throws {
        try folder.write(plist("org.example.a", executable: "/bin/sleep"), to: "system/a.plist")
        try folder.write(plist("org.example.b", executable: "/bin/cat"), to: "user/b/Info.plist")
        try folder.write("not looked at", to: "user/notes.txt")
        let catalog = directory.catalog()
        #expect(catalog.clients.map(\.manifest.identifier.rawValue) == ["org.example.a", "org.example.b"])
        #expect(catalog.clients.map(\.path) == [folder.path + "/system/a.plist", folder.path + "/user/b/Info.plist"])
        #expect(catalog.problems.isEmpty)
    }

    @Test("a program is known by its file, through links too, and not by its name")
    func byFile() throws {
        let program = try folder.write("program", to: "program")
        let copy = try folder.write("program", to: "elsewhere/program")
        symlink(program, folder.path + "/link")
        try folder.write(plist("org.example.a", executable: folder.path + "/link"), to: "system/a.plist")
        let catalog = directory.catalog()
        #expect(try catalog.client(for: caller(program)).identifier.rawValue == "org.example.a")
        let other = try catalog.client(for: caller(copy))
        #expect(other.displayName == "program")
        #expect(other.manifest == nil)
    }

    @Test("a manifest's translations are read with it")
    func translations() throws {
        try folder.write(plist("org.example.a", executable: "/bin/sleep"), to: "user/a/Info.plist")
        try folder.write("CFBundleName = \"名前\";", to: "user/a/ja.lproj/InfoPlist.strings")
        try folder.write("no strings, and never shown", to: "user/a/fr.lproj/InfoPlist.strings")
        try folder.write("of another kind", to: "user/a/ko.lproj/Localizable.strings")
        let catalog = directory.catalog()
        #expect(catalog.problems.isEmpty)
        let manifest = try #require(catalog.clients.first?.manifest)
        #expect(manifest.localizations.keys.sorted { $0.rawValue < $1.rawValue } == [.japanese])
        #expect(manifest.localized(in: .japanese).name == "名前")
        #expect(manifest.localized(in: .korean).name == "Name")
    }

    @Test("an invalid translation is reported by name and makes its client unusable")
    func badTranslations() throws {
        for (name, strings, permissions) in [
            ("a", "no strings", 0o644), ("b", String(repeating: " ", count: Manifest.sizeLimit), 0o644),
            ("c", "CFBundleName = \"x\";", 0o666),
        ] {
            try folder.write(plist("org.example.\(name)", executable: "/bin/sleep"), to: "user/\(name)/Info.plist")
            try folder.write(strings, to: "user/\(name)/ja.lproj/InfoPlist.strings", permissions: permissions)
        }
        let catalog = directory.catalog()
        #expect(catalog.clients.isEmpty)
        #expect(
            catalog.problems.keys.sorted()
                == ["a", "b", "c"].map { folder.path + "/user/\($0)/ja.lproj/InfoPlist.strings" })
    }

    @Test("built-in wins over system, and system over user")
    func precedence() throws {
        let program = try folder.write("program", to: "program")
        let second = try folder.write("second", to: "second")
        try folder.write(plist("org.example.user", executable: program), to: "user/a.plist")
        try folder.write(plist("org.example.user2", executable: second), to: "user/b.plist")
        try folder.write(plist("org.example.system", executable: program), to: "system/a.plist")
        try folder.write(plist("org.example.system2", executable: second), to: "system/b.plist")
        let builtIn = try Manifest(propertyList: Data(plist("org.example.own", executable: program).utf8))
        let catalog = ClientDirectory(
            systemFolders: [folder.path + "/system"], userFolder: folder.path + "/user", builtIn: [builtIn]
        ).catalog()
        #expect(try catalog.client(for: caller(program)).identifier.rawValue == "org.example.own")
        #expect(try catalog.client(for: caller(second)).identifier.rawValue == "org.example.system2")
        #expect(catalog.clients.count == 2)
        let problem = try #require(catalog.problems[folder.path + "/user/b.plist"])
        #expect(problem.contains(folder.path + "/system/b.plist") && problem.contains("org.example.system2"))
        #expect(catalog.problems[folder.path + "/system/a.plist"]?.contains("VoiceGate itself") == true)
    }

    @Test("two manifests of one program are a problem that names both, also by another name of the program")
    func sameProgram() throws {
        let program = try folder.write("program", to: "program")
        symlink(program, folder.path + "/link")
        let first = try folder.write(plist("org.example.a", executable: program), to: "user/a/Info.plist")
        let second = try folder.write(
            plist("org.example.b", executable: folder.path + "/link"), to: "user/b/Info.plist")
        let catalog = directory.catalog()
        #expect(catalog.clients.count == 1)
        let used = try #require(catalog.clients.first?.path)
        let other = used == first ? second : first
        #expect(catalog.problems.keys.sorted() == [other])
        #expect(catalog.problems[other]?.contains(used) == true)

        let third = try folder.write(plist("org.example.c", executable: program), to: "c/Info.plist")
        let installation = ManifestInstallation(clients: folder.path + "/user", staging: folder.path)
        let error = #expect(throws: ManifestInstallationError.self) {
            try installation.install(
                ManifestFile(path: third), as: #require(ClientIdentifier(rawValue: "org.example.c")))
        }
        #expect(
            error?.code == .taken && error?.message.contains(third) == true && error?.message.contains(used) == true)
    }

    @Test("a duplicate identifier is a problem, and the first client keeps it")
    func takenIdentifier() throws {
        try folder.write(plist("org.example.a", executable: "/bin/sleep"), to: "system/a.plist")
        try folder.write(plist("org.example.a", executable: "/bin/cat"), to: "user/a.plist")
        let catalog = directory.catalog()
        #expect(catalog.clients.map(\.manifest.executablePath) == ["/bin/sleep"])
        #expect(catalog.problems.keys.sorted() == [folder.path + "/user/a.plist"])
        #expect(try catalog.client(for: caller("/bin/cat")).manifest == nil)
    }

    @Test("an invalid file is reported with its reason, and the valid ones count")
    func badFiles() throws {
        try folder.write(plist("org.example.good", executable: "/bin/sleep"), to: "user/good.plist")
        try folder.write("no plist", to: "user/broken.plist")
        try folder.write("", to: "user/empty.plist")
        try folder.write("<plist><dict/></plist>", to: "user/keys.plist")
        // Sparse: 100 MB long without taking the space.
        truncate(try folder.write("", to: "user/huge.plist"), 100_000_000)
        mkfifo(folder.path + "/user/pipe.plist", 0o600)
        symlink("/dev/zero", folder.path + "/user/device.plist")
        symlink("/nowhere", folder.path + "/user/dangling.plist")
        mkdir(folder.path + "/user/folder.plist", 0o700)
        try folder.write(plist("org.example.open", executable: "/bin/sleep"), to: "user/open.plist", permissions: 0o666)
        let catalog = directory.catalog()
        #expect(catalog.clients.map(\.manifest.identifier.rawValue) == ["org.example.good"])
        let bad = ["broken", "dangling", "device", "empty", "folder", "huge", "keys", "open", "pipe"]
        #expect(catalog.problems.keys.sorted() == bad.map { folder.path + "/user/\($0).plist" })
        #expect(catalog.problems[folder.path + "/user/huge.plist"] == "It is larger than 256 kB.")
        #expect(catalog.problems[folder.path + "/user/keys.plist"]?.contains("CFBundleIdentifier") == true)
    }

    @Test("a folder that all users can write is not used")
    func openFolder() throws {
        try folder.write(plist("org.example.a", executable: "/bin/sleep"), to: "user/a.plist")
        chmod(folder.path + "/user", 0o777)
        let catalog = directory.catalog()
        #expect(catalog.clients.isEmpty)
        #expect(catalog.problems.keys.sorted() == [folder.path + "/user"])
    }

    @Test("a file or folder of a third user is not used", .enabled(if: geteuid() == 0, "needs root to give files away"))
    func foreignOwner() throws {
        let file = try folder.write(plist("org.example.a", executable: "/bin/sleep"), to: "user/a.plist")
        chown(file, 12345, 12345)
        try folder.write(plist("org.example.b", executable: "/bin/sleep"), to: "system/b.plist")
        chown(folder.path + "/system", 12345, 12345)
        let catalog = directory.catalog()
        #expect(catalog.clients.isEmpty)
        #expect(catalog.problems.keys.sorted() == [folder.path + "/system", file])
    }

    @Test("an installed or removed manifest counts at the next reading")
    func fresh() throws {
        #expect(directory.catalog().clients.isEmpty)
        let file = try folder.write(plist("org.example.a", executable: "/bin/sleep"), to: "user/a.plist")
        #expect(directory.catalog().clients.count == 1)
        unlink(file)
        #expect(directory.catalog().clients.isEmpty)
        #expect(directory.catalog().problems.isEmpty)
    }
}
