import Consent
import Foundation
import SocketAPI
import Speech
import VoiceGateClient

/// Everything that the checks look at, gathered once.
struct Facts: Sendable {
    enum Service: Sendable {
        case running(HealthReply)
        case notRunning
        /// Why it cannot be talked to.
        case unreachable(String)
    }

    /// This user.
    var user: UInt32
    var now: Date
    var timeZone: TimeZone
    /// Of this command.
    var version: String
    var service: Service
    var socketFolder: FolderFact
    /// `nil` where the service does not say which it is.
    var stateFolder: FolderFact?
    var diagnosis: DiagnosisReply?
    var verification: VerificationReport?
    var devices: [CaptureDevice]?
    /// What is wrong with the model's folder; `nil`: nothing, or not looked at.
    var modelProblem: String?
    var captureUse: CaptureUse
    /// `nil`: nothing is installed that could enforce anything.
    var enforcement: EnforcementFacts?
}

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

/// A folder as it is found. Reading it follows no symbolic link.
struct FolderFact: Sendable, Hashable {
    let path: String
    let isThere: Bool
    let isFolder: Bool
    let owner: UInt32
    /// Permission bits.
    let mode: UInt32

    init(path: String, isThere: Bool = true, isFolder: Bool = true, owner: UInt32, mode: UInt32) {
        self.path = path
        self.isThere = isThere
        self.isFolder = isFolder
        self.owner = owner
        self.mode = mode
    }

    init(path: String) {
        var status = stat()
        let isThere = lstat(path, &status) == 0
        self.init(
            path: path, isThere: isThere, isFolder: isThere && status.st_mode & S_IFMT == S_IFDIR,
            owner: status.st_uid, mode: UInt32(status.st_mode) & 0o7777)
    }

    /// - Returns: what is wrong with a folder that only this user may look into, with the next step; `nil` when it is so.
    func problem(for user: UInt32) -> (message: String, nextStep: String)? {
        if !isFolder { return ("\(path) is not a folder.", "Remove it; the service makes the folder anew.") }
        if owner != user {
            return ("\(path) belongs to user \(owner), not to you.", "As root: chown \(user) '\(path)'")
        }
        guard mode & 0o077 == 0 else {
            return (
                "\(path) is open to others (mode \(String(mode & 0o777, radix: 8))).", "chmod 700 '\(path)'"
            )
        }
        return nil
    }
}
