@testable import ALSACapture
@testable import Authorization
import Speech
import Foundation
import Logging
import TestSupport

/// A virtual microphone of this test alone, with its files, its lease, and a source that looks at it.
struct Bench {
    let folder: URL
    let lease: Lease
    var microphone: VirtualMicrophone
    var timing = CaptureTiming()

    init(file: String? = HumanSpeech.goForward) throws {
        folder = try VirtualMicrophone.temporaryFolder()
        lease = try Self.lease()
        microphone = VirtualMicrophone(name: "mic_" + UUID().uuidString.prefix(8), file: file)
        microphone.speed = 0
        microphone.openedFile = folder.appendingPathComponent("opened").path
        timing.firstBackOff = 1
        timing.longestBackOff = 20
    }

    static func lease() throws -> Lease {
        guard let client = ClientIdentifier(rawValue: "org.example.test") else { throw CocoaError(.coderInvalidValue) }
        return Lease(identifier: UUID().uuidString, key: DecisionKey(user: 1000, client: client, resource: .microphone))
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    func touch(_ name: String) throws { try Data().write(to: folder.appendingPathComponent(name)) }
    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    var log: VirtualMicrophoneLog { VirtualMicrophoneLog(path("opened")) }

    func source(held: HeldDevices = HeldDevices()) -> ALSAMicrophoneSource {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return ALSAMicrophoneSource(logger: logger, held: held, timing: timing)
    }

    /// Declares the microphone and opens it, or another name.
    func open(_ device: String? = nil, onLoss: DeviceLossBehavior = .end) async throws -> any CaptureStream {
        if device == nil { try microphone.declare() }
        return try await source().open(
            device: device ?? microphone.name, onLoss: onLoss, grant: MicrophoneGrant(lease: lease))
    }

    /// The error of opening, or `nil` when it opened.
    func refusal(_ device: String? = nil) async throws -> CaptureError? {
        do {
            let stream = try await open(device)
            await stream.stop()
            return nil
        } catch let error as CaptureError { return error }
    }
}
