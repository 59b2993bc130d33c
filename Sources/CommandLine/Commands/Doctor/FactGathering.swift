import Foundation
import SocketAPI
import VoiceGateClient

/// Asks the service and the machine; changes nothing and opens no device.
struct FactGathering: Sendable {
    let client: VoiceGateClient

    func facts() async -> Facts {
        let service = await service()
        var facts = Facts(
            user: getuid(), now: Date(), timeZone: .current, version: ServiceVersion.current, service: service,
            socketFolder: FolderFact(path: SocketPath.directory(of: client.socketPath)),
            captureUse: (try? await Blocking.run { CaptureUse() }) ?? CaptureUse(nodes: [], holders: [], hidden: 0))
        facts.enforcement = try? await Blocking.run { EnforcementGathering.facts() }
        guard case .running = service else { return facts }
        facts.diagnosis = try? await client.diagnosis()
        facts.verification = try? await client.auditVerification()
        facts.devices = try? await client.devices().devices
        if let diagnosis = facts.diagnosis {
            facts.stateFolder = FolderFact(path: diagnosis.stateDirectory)
            facts.modelProblem = Self.problem(ofModel: diagnosis.modelFolder)
        }
        return facts
    }

    private func service() async -> Facts.Service {
        do {
            return .running(try await client.health())
        } catch let error as ClientError where error.code == .notRunning {
            return .notRunning
        } catch {
            return .unreachable("\(error)")
        }
    }

    /// What the recogniser needs of its folder, as it looks for it; it says more itself when it starts.
    private static func problem(ofModel folder: String) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        if names.isEmpty { return "The recogniser's model folder \(folder) is not there or is empty." }
        let hasAcousticModel = names.contains { access("\(folder)/\($0)/mdef", R_OK) == 0 }
        let missing = [
            hasAcousticModel ? nil : "an acoustic model (a folder with mdef)",
            names.contains { $0.hasSuffix(".lm.bin") } ? nil : "a language model (*.lm.bin)",
            names.contains { $0.hasSuffix(".dict") } ? nil : "a dictionary (*.dict)",
        ].compactMap { $0 }
        return missing.isEmpty ? nil : "The recogniser's model in \(folder) lacks \(missing.joined(separator: ", "))."
    }
}
