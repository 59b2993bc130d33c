import Authorization
import CALSA
import Dispatch
import Foundation
import Glibc
import Logging
import Speech
import Synchronization

/// Microphones of this machine by libasound.
///
/// Each open device has a thread of its own, which waits in `poll` and never in a read. A device that cannot deliver
/// 16 kHz mono itself is converted by ALSA's `plug`. Faults: an overrun and a suspend cost the frames that the
/// `overrun` event names; a device that answers with errors or stalls is opened again a few times; one that is gone
/// ends the stream or is waited for, as `DeviceLossBehavior` says.
public struct ALSAMicrophoneSource: MicrophoneSource {
    private let logger: Logger
    private let timing: CaptureTiming

    /// - Parameter logger: gets the library's own messages as well. The library has one handler for the whole process:
    ///   the first source's logger keeps them.
    public init(logger: Logger) { self.init(logger: logger, timing: CaptureTiming()) }

    init(logger: Logger, timing: CaptureTiming) {
        self.logger = logger
        self.timing = timing
        LibraryMessages.send(to: logger)
    }

    /// - Parameter device: see `ALSADeviceName` for the names that are taken. The definition behind the name is read
    ///   first, and types that can end the process, write files or hear nothing are refused.
    /// - Throws: one clear error for each way it can fail; nothing is open then.
    public func open(
        device: String, onLoss: DeviceLossBehavior, grant: borrowing MicrophoneGrant
    ) async throws(CaptureError) -> any CaptureStream {
        let name = try ALSADeviceName(device)
        let lease = grant.lease
        guard lease.isLive else { throw .permissionEnded(device) }
        guard let wake = WakeDescriptor() else {
            throw CaptureError(
                code: .inputOutput, device: device, errorNumber: EMFILE,
                message: "The service has no file descriptor left for “\(device)”. End other sessions, then try again.")
        }
        let control = CaptureControl(wake: wake)
        // The lease may outlive the stream; it must not keep the descriptor open.
        lease.onEnd { [weak wake] _ in wake?.wake() }
        let queue = CaptureQueue(lease: lease, capacity: timing.framesInQueue)
        let stream = ALSACaptureStream(control: control, queue: queue)
        let loop = CaptureLoop(
            device: name, onLoss: onLoss, lease: lease, control: control, queue: queue, timing: timing, logger: logger)

        let failure: CaptureError? = await withCheckedContinuation { continuation in
            let opening = Opening(continuation)
            // `snd_pcm_open` has no time-out of its own, and a sound server that hangs would hold the session for ever.
            // Whatever the thread opens after the deadline it closes again at once.
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(timing.opening)) {
                opening.end(with: .notOpening(name.text))
            }
            let thread = Thread {
                defer { control.didClose() }
                do throws(CaptureError) {
                    // A sound server or a card that came since the last time must be found.
                    PCMDefinition.forgetConfiguration()
                    let pcm = try PCM.open(name)
                    guard lease.isLive else { throw .permissionEnded(name.text) }
                    guard opening.end(with: nil) else { return }
                    var running = loop
                    running.run(pcm)
                } catch {
                    opening.end(with: error)
                }
            }
            thread.name = "capture"
            thread.start()
        }
        if let failure { throw failure }
        return stream
    }

    /// Opens no microphone: what is listed comes from the configuration (`snd_device_name_hint`), from the cards'
    /// control devices, which carry no audio, and from the permissions of the capture nodes. So a device that is listed
    /// without a problem may still be in use, or be gone by the time it is opened.
    public func devices() async -> [CaptureDevice] {
        await withCheckedContinuation { continuation in
            // Evaluating the configuration reads files and asks cards: not on the shared pool.
            Thread { continuation.resume(returning: DeviceList.read()) }.start()
        }
    }
}

/// Whether an opening still waits: the device's thread and the deadline both have a word, and the first counts.
final class Opening: Sendable {
    private let waiting: Mutex<CheckedContinuation<CaptureError?, Never>?>

    init(_ continuation: CheckedContinuation<CaptureError?, Never>) { waiting = Mutex(continuation) }

    /// - Returns: whether this word was the first.
    @discardableResult
    func end(with failure: CaptureError?) -> Bool {
        let continuation = waiting.withLock { $0.take() }
        continuation?.resume(returning: failure)
        return continuation != nil
    }
}

/// Sends the library's own messages to a log. The library has one handler for the whole process, so the first logger
/// stays.
enum LibraryMessages {
    private static let logger = Mutex<Logger?>(nil)

    static func send(to newLogger: Logger) {
        let isFirst = logger.withLock { current in
            guard current == nil else { return false }
            current = newLogger
            return true
        }
        if isFirst { calsa_set_message_handler(receive) }
    }

    // A global function, because ALSA calls it on whichever thread had the trouble.
    private static let receive:
        @convention(c) @Sendable (
            UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?
        ) -> Void = { function, error, message in
            guard let message else { return }
            let text = String(cString: message)
            let name = function.map { String(cString: $0) } ?? ""
            logger.withLock { $0 }?.debug(
                "ALSA: \(text)", metadata: ["function": "\(name)", "errno": "\(error)"])
        }
}

/// The PCMs that the configuration declares, as a listing shows them.
enum DeviceList {
    private static let defaultName = "default"

    static func read() -> [CaptureDevice] {
        PCMDefinition.forgetConfiguration()
        var devices: [CaptureDevice] = []
        for hint in PCMDefinition.hints() where hint.name != defaultName {
            // A name that no client may use is no device of ours; “null” hears nothing.
            guard let name = try? ALSADeviceName(hint.name) else { continue }
            devices.append(device(name, description: hint.description))
        }
        if let name = try? ALSADeviceName(defaultName) {
            devices.insert(device(name, description: "The device that ALSA uses when none is named"), at: 0)
        }
        return devices
    }

    private static func device(_ name: ALSADeviceName, description: String) -> CaptureDevice {
        CaptureDevice(name: name.text, description: description, problem: problem(name))
    }

    private static func problem(_ name: ALSADeviceName) -> String? {
        do throws(CaptureError) {
            let definition = try PCMDefinition.read(name)
            for hardware in definition.hardware {
                let card = snd_card_get_index(hardware.card)
                guard card >= 0 else { throw .opening(name.text, error: -ENOENT) }
                // By permission only: opening the node would be a touch of the microphone.
                if access("/dev/snd/pcmC\(card)D\(hardware.device)c", R_OK) != 0 {
                    throw .opening(name.text, error: -errno)
                }
            }
            return nil
        } catch { return error.message }
    }
}
