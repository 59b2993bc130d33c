import Foundation

/// One PCM of type `voicegate`, as Audio/README.md describes its parameters.
public struct VirtualMicrophone: Sendable {
    /// A fault at a frame counted from the device's first start.
    public enum Fault: String, Sendable, Hashable {
        case overrun, suspend, eio, stall, dead
    }

    /// The PCM's name; words of letters, digits and `_`.
    public var name: String
    /// Raw 16-bit samples or WAV; `nil` for silence.
    public var file: String?
    public var rate: Int?
    public var channels: Int?
    /// 1 = real time, 0 = as fast as it is read.
    public var speed: Double = 1
    public var loops = false
    /// Seconds before the file begins.
    public var silence: Double = 0
    public var faults: [Fault: Int] = [:]
    /// Frames that an overrun loses.
    public var overrunFrames: Int?
    /// The first fault makes this file, and while it is there no further one happens, on no device that names it.
    public var faultsOnceFile: String?
    /// While this file is there the device is unplugged.
    public var unpluggedFile: String?
    /// While this file is there the device does not close.
    public var closeHangsFile: String?
    /// Silence until this file is there.
    public var waitForFile: String?
    /// The device appends what was opened and closed; see `VirtualMicrophoneLog`.
    public var openedFile: String?
    /// Opening fails with this errno.
    public var openError: Int32?

    public init(name: String, file: String? = nil) {
        self.name = name
        self.file = file
    }

    /// The PCM as ALSA's configuration has it.
    public var definition: String {
        var lines = ["type voicegate", "speed \(speed)", "silence \(silence)", "loop \(loops ? "yes" : "no")"]
        let paths = [
            ("file", file), ("unplugged_file", unpluggedFile), ("opened_file", openedFile),
            ("wait_for_file", waitForFile), ("faults_once", faultsOnceFile), ("close_hangs_file", closeHangsFile),
        ]
        for (key, path) in paths { if let path { lines.append("\(key) \"\(path)\"") } }
        let numbers = [
            ("rate", rate), ("channels", channels), ("overrun_frames", overrunFrames),
            ("open_error", openError.map(Int.init)),
        ]
        for (key, number) in numbers { if let number { lines.append("\(key) \(number)") } }
        for (fault, frame) in faults { lines.append("\(fault.rawValue)_at \(frame)") }
        lines.append("hint.description \"Virtual microphone \(name)\"")
        return "pcm.\(name) {\n    " + lines.joined(separator: "\n    ") + "\n}\n"
    }

    /// The plugin, beside the running test or above it.
    public static func plugin() throws -> String {
        let library = "libasound_module_pcm_voicegate.so"
        var folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent(library).path
            if FileManager.default.fileExists(atPath: candidate) { return candidate }
            folder.deleteLastPathComponent()
        }
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: library])
    }

    /// The head of a configuration: where the code of type `voicegate` is.
    public static func pluginDefinition() throws -> String { "pcm_type.voicegate { lib \"\(try plugin())\" }\n" }

    /// ALSA's own configuration, then ours.
    public static func configurationPath(_ file: String) -> String { "/usr/share/alsa/alsa.conf:\(file)" }
}
