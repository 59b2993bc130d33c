import CLinux
import Foundation

/// The steps of a worker's confinement (`sandbox.h`). A step that fails ends the process.
public enum Confinement {
    /// Allows only the role's files and these files and folders, if the kernel has Landlock.
    public static func confineFiles(_ role: vg_role, reading paths: [String]) {
        let copies = paths.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let readable: [UnsafePointer<CChar>?] = copies.map { UnsafePointer($0) } + [nil]
        let error = readable.withUnsafeBufferPointer { vg_sandbox_files(role, $0.baseAddress) }
        if error != ENOSYS { confine("confine files", error) }
    }

    /// Ends the process if a step of its confinement failed: a worker that is not confined must not receive audio.
    public static func confine(_ what: String, _ error: Int32) {
        guard error != 0 else { return }
        EngineLog.write("error", "cannot \(what): \(String(cString: strerror(error)))")
        exit(EX_OSERR)
    }
}
