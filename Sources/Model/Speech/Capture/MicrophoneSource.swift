import Foundation
import Authorization

/// Opens capture devices, only for a grant.
public protocol MicrophoneSource: Sendable {
    /// Opens the device and starts capturing at 16 kHz mono.
    ///
    /// - Parameter grant: its lease is asked before each batch of frames is delivered; when it ends, the device is closed and
    ///   the stream ends with `failed` (`permissionEnded`).
    func open(
        device: String, onLoss: DeviceLossBehavior, grant: borrowing MicrophoneGrant
    ) async throws(CaptureError) -> any CaptureStream

    /// The devices, with the reason for those that cannot be opened.
    func devices() async -> [CaptureDevice]

    /// Why the device cannot be opened now, without opening it; `nil`: no reason is known.
    func problem(of device: String) async -> CaptureError?
}

extension MicrophoneSource {
    public func problem(of device: String) async -> CaptureError? { nil }
}

/// An open device.
public protocol CaptureStream: Sendable {
    /// For one reader. Ends after `stop()`, `finish()` or `failed`.
    var events: AsyncStream<CaptureEvent> { get }

    /// Drops what the reader has not read. Returns when the device is closed, or has not closed in time; further calls
    /// return at once.
    @discardableResult
    func stop() async -> CaptureEnd

    /// The same, but what was captured until now is still delivered, unless a permission ends or `stop()` is called.
    @discardableResult
    func finish() async -> CaptureEnd
}

/// How a capture ended.
public struct CaptureEnd: Sendable, Hashable {
    /// The device's time from the opening on, in frames, including lost frames.
    public let captured: Int64
    /// Whether the device is closed. If it is not, nothing is read from it, but it is still open.
    public let isClosed: Bool

    public init(captured: Int64, isClosed: Bool) {
        self.captured = captured
        self.isClosed = isClosed
    }
}

/// An event of a capture stream.
public enum CaptureEvent: Sendable, Hashable {
    case frames(Frames)
    /// The device's buffer overran, or the reader was too slow.
    case overrun(lostFrames: Int64)
    /// The machine slept for this many frames, which were not captured.
    case asleep(frames: Int64)
    /// Only with `DeviceLossBehavior.wait`. Frames follow after `deviceReturned`.
    case deviceLost(CaptureError)
    case deviceReturned
    /// The device is closed, because the user is absent (`Lease.absence`). Frames follow after `resumed`.
    case paused(Absence)
    /// The user is back, and the device is opened again.
    case resumed
    /// The last event of a stream that did not end by `stop()`.
    case failed(CaptureError)
}

/// Consecutive captured frames: 16 kHz, one channel, so that a frame is a sample.
public struct Frames: Sendable, Hashable {
    /// Frames in a second.
    public static let rate = 16_000

    public let samples: [Int16]
    /// The index of the first frame since the source was opened, including lost frames.
    public let position: Int64

    public init(samples: [Int16], position: Int64) {
        self.samples = samples
        self.position = position
    }

    /// 16 bits each, little-endian.
    public static func bytes(of samples: some Sequence<Int16>) -> [UInt8] {
        samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    /// The reverse of `bytes(of:)`; an incomplete last sample is dropped.
    public static func samples(of bytes: [UInt8]) -> [Int16] {
        stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(truncatingIfNeeded: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }
}

/// What a stream does when its device is lost.
public enum DeviceLossBehavior: String, Sendable, Codable, Hashable {
    /// Ends with `failed`.
    case end
    /// Emits `deviceLost`, tries to open the device again with back-off, and emits `deviceReturned`.
    case wait
}

/// A device as the user selects it.
public struct CaptureDevice: Sendable, Hashable, Codable {
    /// ALSA's PCM name, as `--device` takes it.
    public let name: String
    public let description: String
    /// Why it cannot be used, or `nil`.
    public let problem: String?

    public init(name: String, description: String, problem: String?) {
        self.name = name
        self.description = description
        self.problem = problem
    }
}

/// Why a device cannot be opened or read.
public struct CaptureError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Codable, Hashable, CaseIterable {
        /// No such device, or no sound card at all.
        case deviceNotFound
        /// It was removed.
        case deviceLost
        /// Another program uses it.
        case deviceBusy
        /// The user has no access to it.
        case accessDenied
        /// A name or a type of PCM that is not allowed.
        case deviceNameRefused
        /// It cannot deliver 16 kHz mono, even with conversion.
        case formatNotSupported
        /// It returns errors, or no data.
        case inputOutput
        /// The permission ended.
        case permissionEnded
        /// The service could not close it after an earlier use, and holds it still.
        case deviceHeld
    }

    public let code: Code
    public let device: String
    /// ALSA's error number, positive; 0 if there is none.
    public let errorNumber: Int32
    /// A sentence: what happened and what to do next.
    public let message: String

    public init(code: Code, device: String, errorNumber: Int32 = 0, message: String) {
        self.code = code
        self.device = device
        self.errorNumber = errorNumber
        self.message = message
    }

    public var description: String { message }

    /// The device did not close. Only the end of the process closes it then.
    public static func held(_ device: String) -> CaptureError {
        CaptureError(
            code: .deviceHeld, device: device,
            message:
                "The device “\(device)” does not close, so the service holds it until it does, and reads nothing from it. "
                + "Unplug the device, or wait: the service restarts if it stays open.")
    }
}

/// The header of a RIFF WAVE file of PCM ("Multimedia Programming Interface and Data
/// Specifications 1.0", IBM and Microsoft, 1991).
public enum WaveHeader {
    /// - Parameters:
    ///   - count: bytes of samples after it; at most 4 GiB, 37 hours in the recogniser's format. A larger count becomes the
    ///     largest, which readers take for an unknown length.
    ///   - width: bytes of a sample.
    public static func bytes(ofData count: Int64, rate: Int = 16_000, channels: Int = 1, width: Int = 2) -> Data {
        let size = UInt32(clamping: count)
        var bytes = Data()
        func add(_ text: String) { bytes += Data(text.utf8) }
        func add(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.littleEndian) { bytes += Data($0) } }
        add("RIFF")
        add(size.addingReportingOverflow(36).overflow ? UInt32.max : size + 36)
        add("WAVEfmt ")
        add(UInt32(16))
        // PCM, channels, frames and bytes a second, bytes a frame, bits a sample.
        add(UInt16(1))
        add(UInt16(clamping: channels))
        add(UInt32(clamping: rate))
        add(UInt32(clamping: rate * channels * width))
        add(UInt16(clamping: channels * width))
        add(UInt16(clamping: width * 8))
        add("data")
        add(size)
        return bytes
    }
}
