import Authorization
import Cryptography
import Foundation
import Glibc
import PolicyFiles
import TestSupport
import Testing

@Suite("The directory of policies")
struct PolicyDirectoryTests {
    private static let noMicrophone = PolicyRule(resource: .microphone, client: nil, user: nil, reason: nil)
    private static let noSpeech = PolicyRule(resource: .speechRecognition, client: nil, user: nil, reason: nil)
    private static let microphoneText = "deny: [{resource: microphone}]\n"
    private static let speechText = "deny: [{resource: speechRecognition}]\n"

    private let folder: TemporaryFolder
    private let directory: PolicyDirectory

    init() throws {
        folder = try TemporaryFolder()
        directory = PolicyDirectory(folder: folder.path + "/policy.d")
    }

    private func key(_ resource: Resource, user: UInt32 = 1000) -> DecisionKey {
        DecisionKey(user: user, client: .unregistered(executable: "x"), resource: resource)
    }

    private func deniesEverything(_ snapshot: PolicySnapshot) -> Bool {
        Resource.allCases.allSatisfy { snapshot.policy.restriction(of: key($0), at: Date()) != nil }
    }

    /// Written beside and moved into place, as an administrator's tools do.
    private func replace(_ name: String, _ text: String) throws {
        let new = try folder.write(text, to: "new")
        rename(new, folder.path + "/policy.d/" + name)
    }

    @Test("without a folder there is no policy")
    func missing() {
        let snapshot = directory.read()
        #expect(snapshot.policy.rules.isEmpty)
        #expect(snapshot.provenance == PolicyProvenance(files: [:], broken: [:]))
    }

    @Test("the rules of all files count, and each file is named with its digest")
    func files() throws {
        let first = try folder.write(Self.microphoneText, to: "policy.d/10.yaml")
        let second = try folder.write(Self.speechText, to: "policy.d/20.yml")
        try folder.write("no policy", to: "policy.d/README")
        try folder.write("no policy", to: "policy.d/.10.yaml")
        let snapshot = directory.read()
        #expect(snapshot.policy.rules == [Self.noMicrophone, Self.noSpeech])
        let digest = { (text: String) in SHA256.hash(data: text.utf8).map { String(format: "%02x", $0) }.joined() }
        #expect(snapshot.provenance.files == [first: digest(Self.microphoneText), second: digest(Self.speechText)])
        #expect(snapshot.provenance.broken.isEmpty)
    }

    @Test("a file that breaks keeps its last valid denials and no more", arguments: ["deny: [", "", "denny: []", "\0"])
    func breaks(text: String) throws {
        let file = try folder.write(Self.microphoneText, to: "policy.d/10.yaml")
        let good = directory.read()
        try folder.write(text, to: "policy.d/10.yaml")
        let broken = directory.read()
        #expect(broken.policy == good.policy)
        #expect(broken.provenance.files == good.provenance.files)
        #expect(broken.provenance.broken.keys.sorted() == [file])
        #expect(broken.provenance.broken[file]?.hasSuffix("Its last valid denials apply.") == true)
        try folder.write(Self.speechText, to: "policy.d/10.yaml")
        #expect(directory.read().policy.rules == [Self.noSpeech])
        #expect(directory.read().provenance.broken.isEmpty)
    }

    @Test("a file that was never valid denies everything until it is removed, and is reported")
    func neverGood() throws {
        let file = try folder.write("deny: [", to: "policy.d/10.yaml")
        try folder.write(Self.microphoneText, to: "policy.d/20.yaml")
        let snapshot = directory.read()
        #expect(deniesEverything(snapshot))
        #expect(snapshot.provenance.broken[file]?.contains("Everything is denied") == true)
        #expect(snapshot.policy.restriction(of: key(.speechRecognition), at: Date())?.reason?.contains(file) == true)
        unlink(file)
        #expect(directory.read().policy.rules == [Self.noMicrophone])
    }

    @Test("the denials of a removed file end, and do not return with a broken file of its name")
    func gone() throws {
        let file = try folder.write(Self.microphoneText, to: "policy.d/10.yaml")
        #expect(directory.read().policy.rules == [Self.noMicrophone])
        unlink(file)
        #expect(directory.read().policy.rules.isEmpty)
        try folder.write("deny: [", to: "policy.d/10.yaml")
        #expect(deniesEverything(directory.read()))
    }

    @Test("anything but a small regular file denies everything and blocks nothing")
    func irregular() throws {
        try folder.write("deny: []", to: "policy.d/10.yaml")
        let names = ["dangling", "device", "folder", "huge", "pipe"]
        mkfifo(folder.path + "/policy.d/pipe.yaml", 0o600)
        symlink("/dev/zero", folder.path + "/policy.d/device.yaml")
        symlink("/nowhere", folder.path + "/policy.d/dangling.yaml")
        mkdir(folder.path + "/policy.d/folder.yaml", 0o700)
        truncate(try folder.write("", to: "policy.d/huge.yaml"), 100_000_000)
        let snapshot = directory.read()
        #expect(deniesEverything(snapshot))
        #expect(snapshot.provenance.broken.keys.sorted() == names.map { folder.path + "/policy.d/\($0).yaml" })
    }

    @Test("too many files deny everything, and the valid ones keep their denials")
    func tooMany() throws {
        for number in 0..<101 { try folder.write("deny: []", to: "policy.d/\(number).yaml") }
        let snapshot = directory.read()
        #expect(deniesEverything(snapshot))
        #expect(snapshot.provenance.broken.keys.sorted() == [folder.path + "/policy.d"])
    }

    @Test("a file instead of the folder denies everything")
    func noFolder() throws {
        try folder.write("deny: []", to: "policy.d")
        #expect(deniesEverything(directory.read()))
    }

    @Test("a file that others can write still denies, and is reported", arguments: [0o666, 0o664])
    func writable(permissions: Int) throws {
        let file = try folder.write(Self.microphoneText, to: "policy.d/10.yaml", permissions: permissions)
        let snapshot = directory.read()
        #expect(snapshot.policy.rules == [Self.noMicrophone])
        #expect(snapshot.provenance.broken.keys.sorted() == [file])
        #expect(snapshot.provenance.files.keys.sorted() == [file])
    }

    @Test("each kind of change is reported once", .timeLimit(.minutes(1)))
    func changes() async throws {
        let file = try folder.write(Self.microphoneText, to: "policy.d/10.yaml")
        var snapshots = try directory.snapshots().makeAsyncIterator()
        #expect(await snapshots.next()?.policy.rules == [Self.noMicrophone])
        try replace("20.yaml", Self.speechText)
        #expect(await snapshots.next()?.policy.rules == [Self.noMicrophone, Self.noSpeech])
        unlink(file)
        #expect(await snapshots.next()?.policy.rules == [Self.noSpeech])
        try replace("20.yaml", "deny: [")
        let broken = await snapshots.next()
        #expect(broken?.policy.rules == [Self.noSpeech])
        #expect(broken?.provenance.broken.count == 1)
        rename(folder.path + "/policy.d/20.yaml", folder.path + "/policy.d/20.yaml.off")
        #expect(await snapshots.next()?.policy.rules == [])
        chmod(folder.path + "/policy.d/20.yaml.off", 0o600)
        try replace("30.yaml", Self.microphoneText)
        #expect(await snapshots.next()?.policy.rules == [Self.noMicrophone])
    }

    @Test("a folder that is created, removed and created again is watched", .timeLimit(.minutes(1)))
    func folderAppears() async throws {
        let deep = PolicyDirectory(folder: folder.path + "/etc/voicegate/policy.d")
        var snapshots = try deep.snapshots().makeAsyncIterator()
        #expect(await snapshots.next()?.policy.rules == [])
        let stage = folder.path + "/stage"
        try folder.write(Self.microphoneText, to: "stage/voicegate/policy.d/10.yaml")
        rename(stage, folder.path + "/etc")
        #expect(await snapshots.next()?.policy.rules == [Self.noMicrophone])
        rename(folder.path + "/etc", folder.path + "/away")
        #expect(await snapshots.next()?.policy.rules == [])
        // Changes in the folder that was moved away no longer affect the policy.
        try folder.write(Self.speechText, to: "away/voicegate/policy.d/20.yaml")
        unlink(folder.path + "/away/voicegate/policy.d/20.yaml")
        rename(folder.path + "/away", folder.path + "/etc")
        #expect(await snapshots.next()?.policy.rules == [Self.noMicrophone])
    }

    @Test("a stream without readers ends", .timeLimit(.minutes(1)))
    func ends() async throws {
        try folder.write(Self.microphoneText, to: "policy.d/10.yaml")
        let stream = try directory.snapshots()
        let reading = Task {
            var count = 0
            for await _ in stream { count += 1 }
            return count
        }
        reading.cancel()
        #expect(await reading.value <= 1)
    }
}
