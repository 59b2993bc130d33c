import Authorization
import Foundation
import Glibc
import Hummingbird
import SocketAPI
import WyomingEngine

/// `GET /v1/diagnosis`
struct DiagnosisRoutes {
    let clients: ClientResolver
    let problems: ProblemBoard
    let stateDirectory: String
    let clientsDirectory: String
    let policyDirectory: String
    let agent: AgentChoice
    let modelFolder: String
    /// `nil`: nobody outside of the service recognises.
    let engine: OutsideEngine?

    func add(to group: RouterGroup<ServiceContext>) { group.get("diagnosis", use: show) }

    private func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        guard clients.isCommandLine(requester) else {
            throw RouteError(.notAllowed, "This is for VoiceGate's own command: voicegate doctor")
        }
        return try Response(
            json: DiagnosisReply(
                stateDirectory: stateDirectory, clientsDirectory: clientsDirectory,
                policy: policy(), manifests: try await clients.current(of: context).catalog.problems, agent: agentWord,
                modelFolder: modelFolder,
                engine: engine.map { DiagnosisReply.Engine(name: "\($0.address)", problem: $0.problem?.message) }))
    }

    private func policy() -> DiagnosisReply.Policy {
        let snapshot = problems.policy
        let (policy, now) = (snapshot?.policy ?? Policy(), Date())
        return DiagnosisReply.Policy(
            folder: policyDirectory, files: snapshot?.provenance.files.keys.sorted() ?? [],
            broken: snapshot?.provenance.broken ?? [:], rules: policy.rules.count,
            rulesInForce: policy.rulesInForce(at: now).count, nextChange: policy.nextChange(after: now),
            timeZone: policy.timeZone.identifier)
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
    let mode: HealthReply.Mode

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("health") { _, _ in
            try Response(
                json: HealthReply(
                    version: ServiceVersion.current, mode: mode, processIdentifier: getpid(),
                    muted: await gate.isMuted))
        }
    }
}

/// `GET /v1/openapi.json`: what this API is, for programs (OpenAPI 3.1). For everybody who may connect.
struct DescriptionRoutes {
    func add(to group: RouterGroup<ServiceContext>) {
        group.get("openapi.json") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.openapi_json)))
        }
    }
}
