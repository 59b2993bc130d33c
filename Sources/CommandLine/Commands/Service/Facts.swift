import CommandClient
import Consent
import Foundation
import LinuxSystem
import SocketAPI
import Speech

/// The input of all checks.
struct Facts: Sendable {
    enum Service: Sendable {
        case running(HealthReply)
        case notRunning
        case unreachable(String)
    }

    /// This user.
    var user: UInt32
    var timeZone: TimeZone
    var version: String
    var service: Service
    /// What is wrong with config.yaml, which a running service has read.
    var configurationProblem: String?
    var socketFolder: FolderFact
    /// `nil` if the service does not answer.
    var stateFolder: FolderFact?
    var diagnosis: DiagnosisReply?
    /// Of this user.
    var mute: MuteReply?
    var verification: VerificationReport?
    var devices: [CaptureDevice]?
    /// `nil` if the model is complete or unknown.
    var modelProblem: String?
    var captureUse: CaptureUse
    /// `nil` if nothing is installed that enforces anything.
    var enforcement: EnforcementFacts?
    /// `nil` if it could not be tried.
    var sandbox: SandboxSupport?
}

extension Facts {
    /// Asks the service and the machine; changes nothing and opens no device.
    static func gather(_ client: ServiceClient) async -> Facts {
        let service = await service(client)
        var facts = Facts(
            user: getuid(), timeZone: .local, version: ServiceVersion.current, service: service,
            socketFolder: FolderFact(path: SocketPath.directory(of: client.socketPath)),
            captureUse: (try? await Blocking.run { CaptureUse() }) ?? CaptureUse(nodes: [], holders: [], hidden: 0))
        facts.enforcement = try? await Blocking.run { EnforcementFacts.gather() }
        facts.sandbox = try? await Blocking.run { SandboxSupport.ofKernel() }
        guard case .running = service else {
            facts.configurationProblem = await configurationProblem(client)
            return facts
        }
        facts.diagnosis = try? await client.diagnosis()
        facts.mute = try? await client.authorization().mute
        facts.verification = try? await client.auditVerification()
        facts.devices = try? await client.devices().devices
        if let diagnosis = facts.diagnosis {
            facts.stateFolder = FolderFact(path: diagnosis.stateDirectory)
            facts.modelProblem = problem(ofModel: diagnosis.modelFolder)
        }
        return facts
    }

    private static func configurationProblem(_ client: ServiceClient) async -> String? {
        let isOwn = client.socketPath == ServicePaths().ownSocket || access(MachineService.configuration, R_OK) != 0
        do {
            try await ServiceProgram.find().checkConfiguration(isOwn ? nil : MachineService.configuration)
            return nil
        } catch let error as CommandError where error.code == .badConfiguration {
            return error.message
        } catch {
            return nil
        }
    }

    private static func service(_ client: ServiceClient) async -> Service {
        do {
            return .running(try await client.health())
        } catch let error as ClientError where error.code == .notRunning {
            return .notRunning
        } catch {
            return .unreachable("\(error)")
        }
    }

    /// What the model folder lacks; the recogniser reports details when it starts.
    private static func problem(ofModel folder: String) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        if names.isEmpty { return "PocketSphinx's model folder \(folder) is missing or empty." }
        let hasAcousticModel = names.contains { access("\(folder)/\($0)/mdef", R_OK) == 0 }
        let missing = [
            hasAcousticModel ? nil : "an acoustic model (a folder with mdef)",
            names.contains { $0.hasSuffix(".lm.bin") } ? nil : "a language model (*.lm.bin)",
            names.contains { $0.hasSuffix(".dict") } ? nil : "a dictionary (*.dict)",
        ].compactMap { $0 }
        return missing.isEmpty ? nil : "PocketSphinx's model in \(folder) lacks \(missing.joined(separator: ", "))."
    }
}

/// A folder's state, without following symbolic links.
struct FolderFact: Sendable, Hashable {
    let path: String
    var isThere = true
    var isFolder = true
    let owner: UInt32
    /// Permission bits.
    let mode: UInt32
}

extension FolderFact {
    init(path: String) {
        var status = stat()
        let isThere = lstat(path, &status) == 0
        self.init(
            path: path, isThere: isThere, isFolder: isThere && status.st_mode & S_IFMT == S_IFDIR,
            owner: status.st_uid, mode: UInt32(status.st_mode) & 0o7777)
    }

    /// - Returns: why the folder is not private to this user, with the next step; `nil` if it is private.
    func problem(for user: UInt32) -> (message: String, nextStep: String)? {
        if !isFolder { return ("\(path) is not a folder.", "Remove it; the service creates the folder.") }
        if owner != user {
            return ("\(path) belongs to user \(owner), not to you.", "As root: chown \(user) '\(path)'")
        }
        guard mode & 0o077 == 0 else {
            return ("\(path) is open to others (mode \(String(mode & 0o777, radix: 8))).", "chmod 700 '\(path)'")
        }
        return nil
    }
}
