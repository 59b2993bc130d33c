/// A setting of the running kernel (sysctl(8)).
enum KernelSetting {
    /// - Parameter name: such as `kernel.ostype`.
    /// - Returns: without its line end; `nil` where this kernel has no such setting.
    static func value(of name: String) -> String? {
        let path = "/proc/sys/" + String(name.map { $0 == "." ? "/" : $0 })
        guard let file = try? RegularFile(path: path, limit: 4096) else { return nil }
        return String(decoding: file.data, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }
}
