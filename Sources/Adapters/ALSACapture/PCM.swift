import CALSA
import Glibc
import LinuxSystem
import Speech

/// An open and started PCM, 16 kHz mono. Stays on the thread that opened it.
struct PCM: ~Copyable {
    /// ALSA's error number, negative.
    struct Failure: Error {
        let errorNumber: Int32
    }

    static let rate: UInt32 = 16_000
    static let period: snd_pcm_uframes_t = 320
    /// What the device is asked to keep for a reader that comes late: two seconds, because on a machine with more work than
    /// processors a thread may wait for a second. It delays nothing: the reader is woken for each period.
    static let deviceBuffer = 100 * period

    private let handle: OpaquePointer
    /// Card and name of the device as the driver reports them; identifies a device.
    let identity: String
    private var descriptors: [pollfd]
    private var buffer = [Int16](repeating: 0, count: 16 * Int(period))

    /// Opens the device itself if it can deliver the format, otherwise through `plug`, which hides I/O errors.
    static func open(_ name: ALSADeviceName) throws(CaptureError) -> PCM {
        _ = try PCMDefinition.read(name)
        if let direct = try start(name.text, device: name.text) { return direct }
        // Safe to quote: an `ALSADeviceName` has neither quotation marks nor braces.
        if let converted = try start("plug:SLAVE='\(name.text)'", device: name.text) { return converted }
        throw .formatNotSupported(name.text, error: -EINVAL)
    }

    private init(handle: OpaquePointer, descriptors: [pollfd]) {
        self.handle = handle
        self.descriptors = descriptors
        identity = Self.identity(of: handle)
    }

    /// - Returns: `nil` if the device does not support the format.
    private static func start(_ text: String, device: String) throws(CaptureError) -> PCM? {
        var opened: OpaquePointer?
        let error = snd_pcm_open(&opened, text, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
        guard error >= 0, let opened else { throw .opening(device, error: error) }
        do throws(Failure) {
            guard try setFormat(opened) else {
                snd_pcm_close(opened)
                return nil
            }
            try setWakeups(opened)
            try check(snd_pcm_prepare(opened))
            let count = snd_pcm_poll_descriptors_count(opened)
            try check(count)
            // One more for the wake descriptor.
            var descriptors = [pollfd](repeating: pollfd(), count: Int(count) + 1)
            try check(snd_pcm_poll_descriptors(opened, &descriptors, UInt32(count)))
            try check(snd_pcm_start(opened))
            return PCM(handle: opened, descriptors: descriptors)
        } catch {
            snd_pcm_close(opened)
            throw .opening(device, error: error.errorNumber)
        }
    }

    deinit {
        snd_pcm_drop(handle)
        snd_pcm_close(handle)
    }

    enum Wakeup {
        case data
        case nothing
        case woken
        case timeout
        case failed(Int32)
    }

    mutating func wait(wake: WakePipe, milliseconds: Int32) -> Wakeup {
        let last = descriptors.count - 1
        descriptors[last] = pollfd(fd: wake.reader.rawValue, events: Int16(POLLIN), revents: 0)
        let ready = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        if ready < 0 { return errno == EINTR ? .nothing : .failed(-errno) }
        if descriptors[last].revents != 0 { return .woken }
        if ready == 0 { return .timeout }
        var events: UInt16 = 0
        let error = snd_pcm_poll_descriptors_revents(handle, &descriptors, UInt32(last), &events)
        if error < 0 { return .failed(error) }
        if events & UInt16(POLLERR | POLLHUP | POLLNVAL) != 0 {
            // Most devices return the error at the next read; for the others the state prevents an endless loop.
            return stateError.map(Wakeup.failed) ?? .data
        }
        return events & UInt16(POLLIN) != 0 ? .data : .nothing
    }

    /// - Returns: the available samples, which may be few or none.
    mutating func read() throws(Failure) -> [Int16] {
        let count = buffer.withUnsafeMutableBytes {
            snd_pcm_readi(handle, $0.baseAddress, snd_pcm_uframes_t($0.count / MemoryLayout<Int16>.stride))
        }
        if count == -Int(EAGAIN) { return [] }
        guard count >= 0 else { throw Failure(errorNumber: Int32(count)) }
        return Array(buffer[..<count])
    }

    /// Restarts the device after an overrun or a suspend; unread data is lost.
    ///
    /// - Returns: whether it was woken before the device runs.
    func recover(from error: Int32, wake: WakePipe) throws(Failure) -> Bool {
        guard error == -EPIPE || error == -ESTRPIPE else { throw Failure(errorNumber: error) }
        if error == -ESTRPIPE {
            // The machine may still be resuming. `snd_pcm_recover` would sleep here and ignore a stop.
            var resumed = snd_pcm_resume(handle)
            var tries = 0
            while resumed == -EAGAIN, tries < 100 {
                if wake.isWoken(milliseconds: 100) { return true }
                resumed = snd_pcm_resume(handle)
                tries += 1
            }
            if resumed < 0 { try Self.check(snd_pcm_prepare(handle)) }
        } else {
            try Self.check(snd_pcm_prepare(handle))
        }
        if snd_pcm_state(handle) == SND_PCM_STATE_PREPARED { try Self.check(snd_pcm_start(handle)) }
        return false
    }

    private var stateError: Int32? {
        switch snd_pcm_state(handle) {
        case SND_PCM_STATE_XRUN: -EPIPE
        case SND_PCM_STATE_SUSPENDED: -ESTRPIPE
        case SND_PCM_STATE_DISCONNECTED: -ENODEV
        case SND_PCM_STATE_RUNNING: nil
        default: -EIO
        }
    }

    private static func check(_ result: Int32) throws(Failure) {
        if result < 0 { throw Failure(errorNumber: result) }
    }

    private static func setFormat(_ handle: OpaquePointer) throws(Failure) -> Bool {
        var parameters: OpaquePointer?
        try check(snd_pcm_hw_params_malloc(&parameters))
        defer { snd_pcm_hw_params_free(parameters) }
        try check(snd_pcm_hw_params_any(handle, parameters))
        guard snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED) >= 0,
            snd_pcm_hw_params_set_format(handle, parameters, SND_PCM_FORMAT_S16_LE) >= 0,
            snd_pcm_hw_params_set_channels(handle, parameters, 1) >= 0,
            snd_pcm_hw_params_set_rate(handle, parameters, rate, 0) >= 0
        else { return false }
        var frames = period
        var direction: Int32 = 0
        try check(snd_pcm_hw_params_set_period_size_near(handle, parameters, &frames, &direction))
        frames = deviceBuffer
        try check(snd_pcm_hw_params_set_buffer_size_near(handle, parameters, &frames))
        return snd_pcm_hw_params(handle, parameters) >= 0
    }

    private static func setWakeups(_ handle: OpaquePointer) throws(Failure) {
        var parameters: OpaquePointer?
        try check(snd_pcm_sw_params_malloc(&parameters))
        defer { snd_pcm_sw_params_free(parameters) }
        try check(snd_pcm_sw_params_current(handle, parameters))
        try check(snd_pcm_sw_params_set_avail_min(handle, parameters, period))
        try check(snd_pcm_sw_params_set_start_threshold(handle, parameters, 1))
        try check(snd_pcm_sw_params_set_tstamp_mode(handle, parameters, SND_PCM_TSTAMP_ENABLE))
        // Optional: not every plugin supports the monotonic clock.
        snd_pcm_sw_params_set_tstamp_type(handle, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC)
        try check(snd_pcm_sw_params(handle, parameters))
    }

    private static func identity(of handle: OpaquePointer) -> String {
        var info: OpaquePointer?
        guard snd_pcm_info_malloc(&info) >= 0 else { return "" }
        defer { snd_pcm_info_free(info) }
        guard snd_pcm_info(handle, info) >= 0 else { return "" }
        let card = snd_pcm_info_get_card(info)
        var cardName: UnsafeMutablePointer<CChar>?
        defer { free(cardName) }
        if card >= 0 { snd_card_get_longname(card, &cardName) }
        let parts = [cardName.map { UnsafePointer($0) }, snd_pcm_info_get_id(info), snd_pcm_info_get_name(info)]
        return parts.compactMap { $0.map { String(cString: $0) } }.joined(separator: " ")
    }
}
