import Authorization

/// Opens capture devices, only for a grant.
public protocol MicrophoneSource: Sendable {
    /// Opens the device and starts capturing at 16 kHz mono.
    ///
    /// - Parameter grant: its lease is asked before each run of frames is handed on; when it ends the device is closed
    ///   and the stream ends with `failed` (`permissionEnded`).
    func open(
        device: String, onLoss: DeviceLossBehavior, grant: borrowing MicrophoneGrant
    ) async throws(CaptureError) -> any CaptureStream

    /// The devices that could be opened, and those that could not, with the reason.
    func devices() async -> [CaptureDevice]
}

/// An open device.
public protocol CaptureStream: Sendable {
    /// For one reader. Ends after `stop()` or `failed`.
    var events: AsyncStream<CaptureEvent> { get }

    /// Closes the device. Returns when it is closed; further calls return at once.
    func stop() async
}

/// What a capture stream tells, in order.
public enum CaptureEvent: Sendable, Hashable {
    case frames(Frames)
    /// The device ran over its buffer, or the reader did not keep up: this many frames are gone.
    case overrun(lostFrames: Int64)
    /// The device is gone; only when the stream was opened to wait for it. Frames follow after `deviceReturned`.
    case deviceLost(CaptureError)
    case deviceReturned
    /// Last event of a stream that did not end by `stop()`.
    case failed(CaptureError)
}

/// A run of captured frames: 16 kHz, one channel, so that a frame is a sample.
public struct Frames: Sendable, Hashable {
    public let samples: [Int16]
    /// The index of the first frame since the source was opened, lost frames counted.
    public let position: Int64

    public init(samples: [Int16], position: Int64) {
        self.samples = samples
        self.position = position
    }
}

/// Interleaved signed 16-bit little-endian samples at a rate.
public struct AudioFormat: Sendable, Hashable, Codable {
    /// Frames in a second.
    public let sampleRate: Int
    public let channels: Int

    public init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// What the recogniser takes: 16 kHz, one channel.
    public static let recognition = AudioFormat(sampleRate: 16_000, channels: 1)
}

/// What a stream does when its device goes away.
public enum DeviceLossBehavior: String, Sendable, Codable, Hashable {
    /// Ends with `failed`.
    case end
    /// Tells `deviceLost`, tries to open it again with back-off, and tells `deviceReturned`.
    case wait
}

/// A device as a person chooses it.
public struct CaptureDevice: Sendable, Hashable, Codable {
    /// ALSA's PCM name, as `--device` takes it.
    public let name: String
    public let description: String
    /// Why it cannot be used, or `nil` when it can.
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
        /// It was there and is gone.
        case deviceLost
        /// Another program holds it.
        case deviceBusy
        /// The system does not let this user open it.
        case accessDenied
        /// The name cannot be used (a type of PCM that is known to end the process).
        case deviceNameRefused
        /// It cannot deliver 16 kHz mono, not even converted.
        case formatNotSupported
        /// It answers with errors, or no data comes.
        case inputOutput
        /// The permission ended.
        case permissionEnded
    }

    public let code: Code
    public let device: String
    /// ALSA's error number, positive; 0 when there is none.
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
}
