import Authorization
import Consent
import EngineRouting
import Foundation
import Glibc
import Hummingbird
import PermissionRoutes
import RecordRoutes
import Server
import SocketAPI
import WyomingEngine

/// `GET /v1/diagnosis`, `PUT /v1/confinement`, `GET /v1/health` and `GET /v1/openapi.json`.
struct ServiceRoutes {
    let options: VoicegateDaemon
    let gate: Gate
    let problems: ProblemBoard
    let verification: LogVerification
    let modelFolder: String
    /// `nil`: none is configured.
    let engine: OutsideEngine?
    let engines: EngineService
    let limits: ServiceLimits
    let anchors: AnchorReport

    func add(to routes: Routes) {
        routes.on(
            .get, "diagnosis", for: .commandLine("This is for VoiceGate's own command: voicegate doctor"),
            use: diagnosis)
        routes.on(
            .put, "confinement", for: .commandLine("This is for VoiceGate's own command: voicegate run --no-network")
        ) {
            try $0.connection.peer.announceConfinement()
            return Response(status: .noContent)
        }
        routes.onAnyProcess(.get, "health", for: .process.alwaysServed) {
            try Response(
                json: HealthReply(
                    version: ServiceVersion.current, mode: options.mode, processIdentifier: getpid(),
                    // With several users, whether everyone is.
                    muted: await gate.mutes.covering(geteuid()) != nil, log: verification.state,
                    recognizer: gate.engine.title, limits: limits))
        }
        routes.onAnyProcess(.get, "openapi.json") {
            Response(bytes: try APIDescription.bytes(), type: "application/json")
        }
    }

    private func diagnosis(_ call: Call) async throws -> Response {
        let snapshot = problems.policy
        let agent: DiagnosisReply.Agent =
            switch options.agent {
            case .caller: .caller
            case .terminal: .terminal
            case .desktop: .desktop
            case .script: .script
            }
        return try Response(
            json: DiagnosisReply(
                stateDirectory: options.stateDirectory, clientsDirectory: options.clientsDirectory,
                policy: DiagnosisReply.Policy(
                    folder: options.policyDirectory, snapshot?.policy ?? Policy(), snapshot?.provenance, at: Date()),
                manifests: call.catalog.catalog.problems, agent: agent, modelFolder: modelFolder,
                engine: engine.map { DiagnosisReply.Engine(name: "\($0.address)", problem: $0.problem?.message) },
                recognizers: await engines.reports(),
                anchors: options.mode.mayManage(call.user) ? try? await anchors.read() : nil))
    }
}

/// What of the log is covered outside the service's power, for `voicegate doctor`.
struct AnchorReport: Sendable {
    let log: ConsentLog
    let policy: WitnessPolicy?
    let journal: JournalAnchor

    func read() async throws -> DiagnosisReply.Anchors {
        let policy = policy?.needsWitness == true ? policy : nil
        let witnessed = try await log.keptCheckpoints().last { policy?.isMet(by: $0) == true }
        var problem: String?
        do { _ = try await log.signedCheckpoint() } catch { problem = "\(error)" }
        let (signed, size) = (await log.signedSize, await log.head.size)
        let last = try await log.records(in: signed - min(signed, 1)..<signed).last
        return DiagnosisReply.Anchors(
            size: size, signed: signed, signedUntil: last?.time.text, signingProblem: problem,
            published: try await log.publications().map(\.size).max() ?? 0,
            witnessed: witnessed.flatMap { Checkpoint(text: $0.text) }?.size ?? 0, quorum: policy?.summary,
            journal: journal.minutes == nil ? nil : journal.size, journalLine: journal.line,
            journalProblem: journal.problem)
    }
}
