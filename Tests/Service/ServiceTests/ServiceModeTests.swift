import Authorization
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Service

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

    @Test(
        "erasing records, replacing the key, ending a mute and installing a manifest are always confirmed; reading and taking away are not"
    )
    func confirmed() throws {
        struct Document: Decodable { let paths: [String: [String: Operation]] }
        struct Operation: Decodable {
            let callers: [String]
            enum CodingKeys: String, CodingKey { case callers = "x-caller" }
        }
        // FuzzTests compares these with what the routes declare.
        let paths = try JSONDecoder().decode(Document.self, from: Data(PackageResources.openapi_json)).paths
        let confirmed = paths.flatMap { path, operations in
            operations.filter { $0.value.callers.contains("confirmed") }.map { "\($0.key) \(path)" }
        }
        #expect(
            Set(confirmed) == [
                "delete /v1/mute", "post /v1/audit/erasures", "post /v1/audit/keys", "put /v1/clients/{client}",
            ])
        #expect(RouteAccess.person("", inBackground: .onlyInForeground(), isConfirmed: true).words.last == "confirmed")
        #expect(RouteAccess.client.words == ["client"])
    }
}
