import Foundation
import Glibc

/// Where this service's own programs are.
enum ServiceLocations {
    /// The folder of the running program, by the kernel's word.
    static func ownFolder() throws(ServiceError) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let length = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
        guard length > 0 else {
            throw ServiceError(
                code: .installation, message: "The service cannot find its own program: /proc is missing.")
        }
        let path = String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (path as NSString).deletingLastPathComponent
    }

    enum Program: String {
        case recognizer = "voicegate-recognizer"
        /// Locks in engines that are not ours.
        case engineLauncher = "voicegate-engine"
    }

    /// The program beside this one, or where packages put it.
    static func path(of program: Program) throws(ServiceError) -> String {
        let folder = try ownFolder()
        let candidates = ["/", "/../libexec/voicegate/"].map { folder + $0 + program.rawValue }
        for path in candidates where access(path, X_OK) == 0 { return path }
        throw ServiceError(
            code: .installation,
            message:
                "\(program.rawValue) is missing beside \(folder)/voicegated. Build or install VoiceGate as a whole.")
    }
}
