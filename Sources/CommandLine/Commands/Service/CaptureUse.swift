import Foundation

/// The processes with an open ALSA capture device, as far as this user can see.
struct CaptureUse: Sendable, Hashable {
    struct Holder: Sendable, Hashable {
        let process: Int32
        /// `comm`, cut to 15 bytes by the kernel.
        let name: String
        /// Nodes such as `pcmC0D0c`, sorted.
        let nodes: [String]
    }

    /// Capture nodes of this machine, such as `pcmC0D0c`, sorted.
    let nodes: [String]
    let holders: [Holder]
    /// Number of processes whose open files cannot be read.
    let hidden: Int
}

extension CaptureUse {
    /// Reads the open files of all processes, as fuser(1) does. Opens no device.
    init(processes: String = "/proc", devices: String = "/dev/snd") {
        nodes = (Self.names(in: devices) ?? []).filter(Self.isCapture).sorted()
        let numbers = Dictionary(
            nodes.compactMap { node in Self.device(devices + "/" + node).map { ($0, node) } },
            uniquingKeysWith: { first, _ in first })
        var holders: [Holder] = []
        var hidden = 0
        for name in Self.names(in: processes) ?? [] {
            guard let process = Int32(name) else { continue }
            let folder = "\(processes)/\(name)"
            guard let files = Self.names(in: folder + "/fd") else {
                // A process that has ended has no files.
                if access(folder, F_OK) == 0, !Self.isKernelThread(folder) { hidden += 1 }
                continue
            }
            let held = files.compactMap { file -> String? in
                let path = folder + "/fd/" + file
                // By device number first: a node can be opened under another name.
                if let device = Self.device(path), let node = numbers[device] { return node }
                guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path),
                    target.hasPrefix(devices + "/")
                else { return nil }
                let node = String(target.dropFirst(devices.count + 1))
                return Self.isCapture(node) ? node : nil
            }
            guard !held.isEmpty else { continue }
            let comm = (try? String(contentsOfFile: folder + "/comm", encoding: .utf8)) ?? ""
            holders.append(
                Holder(
                    process: process, name: comm.trimmingCharacters(in: .whitespacesAndNewlines),
                    nodes: Set(held).sorted()))
        }
        self.holders = holders.sorted { $0.process < $1.process }
        self.hidden = hidden
    }

    /// `pcmC<card>D<device>c`; names with `p` at the end are for playback.
    static func isCapture(_ name: String) -> Bool { name.hasPrefix("pcm") && name.hasSuffix("c") }

    /// The number of a character device; `nil` for other files.
    private static func device(_ path: String) -> UInt64? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
        return UInt64(status.st_rdev)
    }

    /// Kernel threads have no files; their `cmdline` is readable and empty.
    private static func isKernelThread(_ folder: String) -> Bool {
        (try? Data(contentsOf: URL(fileURLWithPath: folder + "/cmdline")))?.isEmpty == true
    }

    /// - Returns: `nil` if they cannot be read.
    private static func names(in folder: String) -> [String]? {
        try? FileManager.default.contentsOfDirectory(atPath: folder)
    }
}
