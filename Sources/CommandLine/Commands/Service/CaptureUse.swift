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
    /// Whether the folders of nodes could be read.
    var hasAllNodes = true
}

extension CaptureUse {
    /// Where libasound looks for devices.
    static let publicFolder = "/dev/snd"
    /// Where udev's rule of the package moves capture nodes to; mode 0750.
    static let privateFolder = "/dev/voicegate/snd"

    /// Reads the open files of all processes, as fuser(1) does. Opens no device.
    init(processes: String = "/proc", folders: [String] = [publicFolder, privateFolder]) {
        let present = folders.filter { access($0, F_OK) == 0 }
        let paths = present.flatMap { folder in
            (Self.names(in: folder) ?? []).filter(Self.isCapture).map { folder + "/" + $0 }
        }
        hasAllNodes = present.allSatisfy { access($0, R_OK) == 0 }
        nodes = paths.map(Self.node).sorted()
        let numbers = Dictionary(
            paths.compactMap { path in Self.device(path).map { ($0, Self.node(path)) } },
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
                    folders.contains(where: { target.hasPrefix($0 + "/") })
                else { return nil }
                let node = Self.node(target)
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

    /// `pcmC<card>D<device>c`, names with `p` at the end are for playback; and `comprC<card>D<device>`, which may be for both.
    static func isCapture(_ name: String) -> Bool {
        name.hasPrefix("pcm") && name.hasSuffix("c") || name.hasPrefix("comprC")
    }

    private static func node(_ path: String) -> String { (path as NSString).lastPathComponent }

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
