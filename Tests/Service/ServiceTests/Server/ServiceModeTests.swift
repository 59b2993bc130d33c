import Authorization
import Foundation
import Glibc
import Prompting
import TestSupport
import Testing

@testable import Daemon
@testable import Server

@Suite("The service's mode")
struct ServiceModeTests {
    @Test("in enforced mode only the users themselves answer", arguments: ["terminal", "desktop", "script:/x"])
    func agents(word: String) throws {
        let agent = try #require(AgentChoice(argument: word))
        let error = #expect(throws: ServiceError.self) { try ServiceMode.enforced.check(agent) }
        #expect(error?.code == .configuration)
        #expect(throws: Never.self) { try ServiceMode.advisory.check(agent) }
        #expect(throws: Never.self) { try ServiceMode.enforced.check(.caller) }
    }

    @Test("advisory mode serves its own user, enforced mode all, and health reports the mode")
    func users() {
        #expect(ServiceMode.advisory.servedUsers == .one(geteuid()))
        #expect(ServiceMode.enforced.servedUsers == .all)
        #expect(ServiceMode.allCases.map(\.rawValue) == ["advisory", "enforced"])
    }

    @Test("in enforced mode a user reads only their own records, and root all; advisory mode has one user")
    func recordsOwner() {
        #expect(ServiceMode.enforced.recordsOwner(for: 1000) == 1000)
        #expect(ServiceMode.enforced.recordsOwner(for: 0) == nil)
        #expect(ServiceMode.advisory.recordsOwner(for: 1000) == nil)
    }

    @Test("a user has one question for the password open, and other users are asked meanwhile")
    func questions() async throws {
        let folder = try TemporaryFolder()
        let program = try folder.write(
            "#!/bin/sh\n: > \"$(mktemp \(folder.path)/asked.XXXXXX)\"\n"
                + "until [ -e \(folder.path)/answered ]; do sleep 0.05; done\n", to: "pkcheck", permissions: 0o700)
        func confirm(_ user: UInt32) async throws {
            let confirmation = PasswordConfirmation(
                authority: PolkitAuthority(program: program, environment: ["PATH": "/usr/bin:/bin"]))
            try await confirmation.confirm(
                .unmute(.user), in: .english,
                by: Caller(
                    process: ProcessIdentity(processIdentifier: 1, startTime: 1), user: user,
                    executable: Executable(path: "/usr/bin/voicegate", device: 1, inode: 2, sha256: "aa")))
        }
        func asked() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).count { $0.hasPrefix("asked.") }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await confirm(64_001) }
            try await eventually { try asked() == 1 }
            let error = await #expect(throws: RouteError.self) { try await confirm(64_001) }
            #expect(error?.code == .busy)
            #expect(error?.message.contains("open already") == true)
            group.addTask { try await confirm(64_002) }
            try await eventually { try asked() == 2 }
            try folder.write("", to: "answered")
            try await group.waitForAll()
        }
        try await confirm(64_001)
    }

    @Test(
        "erasing, ending a mute, installing and uninstalling a client are always confirmed; reading and revoking are not"
    )
    func confirmed() throws {
        struct Document: Decodable { let paths: [String: [String: Operation]] }
        struct Operation: Decodable {
            let callers: [String]
            enum CodingKeys: String, CodingKey { case callers = "x-caller" }
        }
        // FuzzTests compares these with what the routes declare.
        let paths = try JSONDecoder().decode(Document.self, from: Data(PackageResources.openapi_json)).paths
        let words = Dictionary(
            uniqueKeysWithValues: paths.flatMap { path, operations in
                operations.map { ("\($0.key) \(path)", $0.value.callers) }
            })
        let confirmed = words.filter { $0.value.contains("confirmed") }.keys
        #expect(
            Set(confirmed) == [
                "delete /v1/mute", "post /v1/audit/erasures", "delete /v1/history", "put /v1/clients/{client}",
                "delete /v1/clients/{client}",
            ])
        for operation in confirmed { #expect(words[operation]?.contains("foreground") == true, "\(operation)") }
        #expect(RouteAccess.person("", inBackground: .onlyInForeground()).words == ["person", "foreground"])
        #expect(RouteAccess.client.words == ["client"])
    }
}
