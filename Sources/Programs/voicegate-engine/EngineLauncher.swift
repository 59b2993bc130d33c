import CLinux
import Foundation

/// Confines this process, then runs an engine that the administrator or the user has configured: a third-party program that
/// receives speech and must not be able to pass it on.
enum EngineLauncher {
    /// The system's files that any program needs.
    private static let systemPaths = [
        "/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
        "/etc/localtime", "/etc/alternatives", "/dev/urandom", "/dev/zero", "/proc/cpuinfo", "/proc/meminfo",
        "/sys/devices/system/cpu",
    ]

    /// - Parameter arguments: `[--readable PATH]… -- PROGRAM [ARGUMENT]…`, without this program's own name.
    static func run(arguments: [String]) -> Never {
        guard let end = arguments.firstIndex(of: "--"), arguments.count > end + 1,
            let readable = paths(arguments[..<end])
        else { fail("voicegate-engine is started by voicegated and cannot be used alone.", EX_USAGE) }
        let command = Array(arguments[(end + 1)...])
        let error = withCStrings(systemPaths + readable) { vg_engine_confine($0) }
        guard error == 0 else {
            fail(
                "the engine \(command[0]) cannot be confined and is not started: \(String(cString: strerror(error)))",
                EX_OSERR)
        }
        let number = withCStrings(command) { vg_engine_become($0) }
        fail("the engine \(command[0]) cannot be started: \(String(cString: strerror(number)))", EX_UNAVAILABLE)
    }

    private static func paths(_ arguments: ArraySlice<String>) -> [String]? {
        var rest = arguments
        var paths: [String] = []
        while let option = rest.popFirst() {
            guard option == "--readable", let path = rest.popFirst() else { return nil }
            paths.append(path)
        }
        return paths
    }

    /// The array ends with `NULL`; it and its strings are valid during the body.
    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let pointers = copies.map { UnsafePointer($0) } + [nil]
        return pointers.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("the array ends with NULL") }
            return body(base)
        }
    }

    private static func fail(_ message: String, _ status: Int32) -> Never {
        try? FileHandle.standardError.write(contentsOf: Data("error \(message)\n".utf8))
        exit(status)
    }
}
