import Authorization
import Base
import CALSA
import Dispatch
import Foundation
import Glibc
import LinuxSystem
import Logging
import Speech
import Synchronization

/// Microphones of this machine, with libasound.
///
/// Each open device has its own thread, which waits in `poll` and never in a read. ALSA's `plug` converts for a device
/// that cannot deliver 16 kHz mono. After an overrun an `overrun` event has the number of lost frames, after a suspend `asleep`; a device
/// that returns errors or stalls is opened again a few times; for a lost device see `DeviceLossBehavior`.
public struct ALSAMicrophoneSource: MicrophoneSource {
    private let logger: Logger
    private let timing: CaptureTiming
    private let held: HeldDevices

    /// - Parameters:
    ///   - logger: also for the library's own messages, if this is the process's first source: the library has one handler
    ///     for the process.
    ///   - held: gets the devices that do not close.
    public init(logger: Logger, held: HeldDevices = HeldDevices()) {
        self.init(logger: logger, held: held, timing: CaptureTiming())
    }

    init(logger: Logger, held: HeldDevices = HeldDevices(), timing: CaptureTiming) {
        self.logger = logger
        self.held = held
        self.timing = timing
        LibraryMessages.send(to: logger)
    }

    /// - Parameter device: see `ALSADeviceName`. Definitions with types that can abort the process, write files or are silent
    ///   are refused before anything is opened.
    /// - Throws: `CaptureError`; nothing is open then.
    public func open(
        device: String, onLoss: DeviceLossBehavior, grant: borrowing MicrophoneGrant
    ) async throws(CaptureError) -> any CaptureStream {
        let name = try ALSADeviceName(device)
        let lease = grant.lease
        guard lease.isLive else { throw .permissionEnded(device) }
        guard !held.contains(name.text) else { throw .held(name.text) }
        guard let wake = WakePipe() else {
            throw CaptureError(
                code: .inputOutput, device: device, errorNumber: EMFILE,
                message: "The service has no file descriptor left for “\(device)”. End other sessions, then try again.")
        }
        let control = CaptureControl(wake: wake)
        // Weak, so that a lease that outlives the stream does not keep the descriptor open.
        lease.onEnd { [weak wake] _ in wake?.wake() }
        lease.onAbsenceChange { [weak wake] in wake?.wake() }
        let queue = CaptureQueue(lease: lease, capacity: timing.framesInQueue)
        let stream = ALSACaptureStream(
            name, control: control, queue: queue, held: held, closingTime: .milliseconds(timing.closing))
        let loop = CaptureLoop(
            device: name, onLoss: onLoss, lease: lease, control: control, queue: queue, timing: timing, logger: logger)

        let failure: CaptureError? = await withCheckedContinuation { continuation in
            let opening = Opening(continuation)
            // `snd_pcm_open` has no timeout, and a sound server can hang. What the thread opens after the deadline it closes
            // at once.
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(timing.opening)) {
                opening.end(with: .notOpening(name.text))
            }
            let thread = Thread {
                defer { control.closing.set() }
                do throws(CaptureError) {
                    // Finds a new sound server or card.
                    PCMDefinition.forgetConfiguration()
                    let pcm = try PCM.open(name)
                    guard lease.isLive else { throw .permissionEnded(name.text) }
                    guard opening.end(with: nil) else { return }
                    var running = loop
                    running.run(pcm)
                } catch {
                    opening.end(with: DeviceList.suggesting(error))
                }
            }
            thread.name = "capture"
            thread.start()
        }
        if let failure { throw failure }
        return stream
    }

    /// Opens no microphone: reads the configuration (`snd_device_name_hint`), the cards' control devices, which have no audio,
    /// and the permissions of the capture nodes. A device without a problem may still be in use.
    public func devices() async -> [CaptureDevice] {
        await withCheckedContinuation { continuation in
            // Not on the shared pool: evaluating the configuration blocks on files and cards.
            Thread { continuation.resume(returning: DeviceList.read()) }.start()
        }
    }

    public func problem(of device: String) async -> CaptureError? {
        await withCheckedContinuation { continuation in
            Thread {
                PCMDefinition.forgetConfiguration()
                do throws(CaptureError) {
                    let problem = DeviceList.problem(try ALSADeviceName(device))
                    continuation.resume(returning: problem.map(DeviceList.suggesting))
                } catch {
                    continuation.resume(returning: error)
                }
            }.start()
        }
    }
}

/// The result of an opening: of the device's thread or of the deadline, whichever is first.
final class Opening: Sendable {
    private let waiting: Mutex<CheckedContinuation<CaptureError?, Never>?>

    init(_ continuation: CheckedContinuation<CaptureError?, Never>) { waiting = Mutex(continuation) }

    /// - Returns: whether this result was the first.
    @discardableResult
    func end(with failure: CaptureError?) -> Bool {
        let continuation = waiting.withLock { $0.take() }
        continuation?.resume(returning: failure)
        return continuation != nil
    }
}

/// Logs the library's own messages. The library has one handler for the process; the first logger stays.
enum LibraryMessages {
    private static let logger = Mutex<Logger?>(nil)

    static func send(to newLogger: Logger) {
        let isFirst = logger.withLock { current in
            defer { current = current ?? newLogger }
            return current == nil
        }
        guard isFirst else { return }
        // ALSA calls it on any thread.
        calsa_set_message_handler { function, error, message in
            guard let message else { return }
            let name = function.map { String(cString: $0) } ?? ""
            LibraryMessages.logger.withLock { $0 }?.debug(
                "ALSA: \(String(cString: message))", metadata: ["function": "\(name)", "errno": "\(error)"])
        }
    }
}

/// The PCMs of the configuration.
enum DeviceList {
    private static let defaultName = "default"

    static func read() -> [CaptureDevice] {
        PCMDefinition.forgetConfiguration()
        var devices: [CaptureDevice] = []
        for hint in PCMDefinition.hints() where hint.name != defaultName {
            // Without names that clients may not use, and “null”.
            guard let name = try? ALSADeviceName(hint.name) else { continue }
            devices.append(device(name, description: hint.description))
        }
        if let name = try? ALSADeviceName(defaultName) {
            devices.insert(device(name, description: "The default device of ALSA"), at: 0)
        }
        return devices
    }

    private static func device(_ name: ALSADeviceName, description: String) -> CaptureDevice {
        CaptureDevice(name: name.text, description: description, problem: problem(name)?.message)
    }

    /// Named by an error; `voicegate devices` has all.
    private static let mostNamed = 3

    /// If there is no such device: the error with the name that was probably meant, or those that there are.
    static func suggesting(_ error: CaptureError) -> CaptureError {
        guard error.code == .deviceNotFound else { return error }
        return suggesting(error, among: PCMDefinition.hints().map(\.name).filter { (try? ALSADeviceName($0)) != nil })
    }

    static func suggesting(_ error: CaptureError, among names: [String]) -> CaptureError {
        let others = names.filter { $0 != error.device }
        let advice: String
        if let meant = Suggestion.nearest(error.device, in: others) {
            advice = "Did you mean “\(meant)”? `voicegate devices` lists them."
        } else if !others.isEmpty {
            let named = others.prefix(mostNamed).map { "“\($0)”" }.joined(separator: ", ")
            advice = "Choose another, such as \(named); `voicegate devices` lists them."
        } else {
            return error
        }
        return CaptureError(
            code: error.code, device: error.device, errorNumber: error.errorNumber,
            message: "There is no microphone “\(error.device)”. \(advice)")
    }

    static func problem(_ name: ALSADeviceName) -> CaptureError? {
        do throws(CaptureError) {
            let definition = try PCMDefinition.read(name)
            for hardware in definition.hardware {
                let card = snd_card_get_index(hardware.card)
                guard card >= 0 else { throw .opening(name.text, error: -ENOENT) }
                // Checks the permission only: opening the node would access the microphone.
                if access("/dev/snd/pcmC\(card)D\(hardware.device)c", R_OK) != 0 {
                    throw .opening(name.text, error: -errno)
                }
            }
            return nil
        } catch { return error }
    }
}
