import Foundation

/// The paths to sound that no rule about ALSA's devices closes, as far as this machine has them and this user can see.
struct OpenPaths: Sendable, Hashable {
    struct SoundServer: Sendable, Hashable {
        let process: Int32
        let name: String
        /// Loaded modules that can receive sound from other machines, sorted; `nil` if they cannot be read.
        let networkModules: [String]?
    }

    /// Whether the machine has a Bluetooth adapter. Headsets reach sound servers through BlueZ.
    var hasBluetooth = false
    var soundServers: [SoundServer] = []
    /// Whether a process can trace others of its user: `kernel.yama.ptrace_scope` is 0, or the kernel has no Yama.
    var isTracingOpen = false
}

extension OpenPaths {
    private static let serverNames: Set = ["pipewire", "pipewire-pulse", "pulseaudio"]
    /// Beginnings of file names, of PipeWire and then of PulseAudio.
    private static let networkModules = [
        "libpipewire-module-rtp-source", "libpipewire-module-rtp-session", "libpipewire-module-rtp-sap",
        "libpipewire-module-pulse-tunnel", "libpipewire-module-roc-source", "libpipewire-module-vban-recv",
        "libpipewire-module-netjack2", "module-tunnel-source", "module-rtp-recv",
    ]

    static func gather(root: String = "") -> OpenPaths {
        let scope = try? String(contentsOfFile: root + "/proc/sys/kernel/yama/ptrace_scope", encoding: .utf8)
        return OpenPaths(
            hasBluetooth: names(in: root + "/sys/class/bluetooth").contains { $0.hasPrefix("hci") },
            soundServers: names(in: root + "/proc").compactMap(Int32.init).sorted().compactMap { process in
                soundServer(process, in: "\(root)/proc/\(process)")
            },
            isTracingOpen: scope.map { $0.hasPrefix("0") } ?? true)
    }

    private static func soundServer(_ process: Int32, in folder: String) -> SoundServer? {
        guard let name = try? String(contentsOfFile: folder + "/comm", encoding: .utf8).split(separator: "\n").first,
            serverNames.contains(String(name))
        else { return nil }
        // A kernel thread or another user's process has no maps that can be read.
        let maps = (try? Data(contentsOf: URL(fileURLWithPath: folder + "/maps"))).flatMap { $0.isEmpty ? nil : $0 }
        let files = maps.map { data in
            Set(
                String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap {
                    $0.split(separator: "/").last
                })
        }
        let modules = files.map { files in
            files.filter { file in networkModules.contains { file.hasPrefix($0) } }.map(String.init).sorted()
        }
        return SoundServer(process: process, name: String(name), networkModules: modules)
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
