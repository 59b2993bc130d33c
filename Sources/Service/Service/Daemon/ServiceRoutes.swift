import Authorization
import Foundation
import Glibc
import Hummingbird
import SocketAPI
import WyomingEngine

/// `GET /v1/diagnosis`
struct DiagnosisRoutes {
    let problems: ProblemBoard
    let stateDirectory: String
    let clientsDirectory: String
    let policyDirectory: String
    let agent: AgentChoice
    let modelFolder: String
    /// `nil`: none is configured.
    let engine: OutsideEngine?

    func add(to routes: Routes) {
        routes.on(
            .get, "diagnosis", for: .commandLine("This is for VoiceGate's own command: voicegate doctor"), use: show)
    }

    private func show(_ call: Call) async throws -> Response {
        try Response(
            json: DiagnosisReply(
                stateDirectory: stateDirectory, clientsDirectory: clientsDirectory,
                policy: policy(), manifests: call.catalog.catalog.problems, agent: agentWord,
                modelFolder: modelFolder,
                engine: engine.map { DiagnosisReply.Engine(name: "\($0.address)", problem: $0.problem?.message) }))
    }

    private func policy() -> DiagnosisReply.Policy {
        let snapshot = problems.policy
        return DiagnosisReply.Policy(
            folder: policyDirectory, snapshot?.policy ?? Policy(), snapshot?.provenance, at: Date())
    }

    private var agentWord: DiagnosisReply.Agent {
        switch agent {
        case .caller: .caller
        case .terminal: .terminal
        case .desktop: .desktop
        case .script: .script
        }
    }
}

/// `GET /v1/health`
struct HealthRoutes {
    let gate: Gate
    let mode: ServiceMode

    func add(to routes: Routes) {
        routes.onAnyProcess(.get, "health") {
            try Response(
                json: HealthReply(
                    version: ServiceVersion.current, mode: mode, processIdentifier: getpid(),
                    muted: await gate.isMuted))
        }
    }
}

/// `GET /v1/openapi.json`: the API's description, with the version of this service in place of VERSION.
struct DescriptionRoutes {
    private static let description = ByteBuffer(
        string: String(decoding: PackageResources.openapi_json, as: UTF8.self)
            .replacing(
                "\"version\": \"VERSION\"", with: "\"version\": \"\(ServiceVersion.current)\"", maxReplacements: 1))

    func add(to routes: Routes) {
        routes.onAnyProcess(.get, "openapi.json") {
            Response(bytes: Self.description, type: "application/json")
        }
    }
}
