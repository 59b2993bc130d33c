import CLinux
import Foundation
import Speech

/// sphinxtrain's programs, which are run with files in one folder.
struct TrainingTools {
    let folder: String
    let work: String

    /// Runs one to its end.
    ///
    /// - Throws: `toolFailed`; the log has its last words.
    func run(_ tool: String, _ arguments: [String]) throws(EnrolmentError) {
        let log = work + "/" + tool + ".log"
        let path = folder + "/" + tool
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var status: Int32 = 0
        let error = words.withUnsafeBufferPointer { buffer -> Int32 in
            guard let base = buffer.baseAddress else { return EINVAL }
            return vg_enrolment_run(path, base, log, &status)
        }
        guard error == 0, status == 0 else {
            let lines = (try? String(contentsOfFile: log, encoding: .isoLatin1))?.split(separator: "\n") ?? []
            let reason = lines.last { $0.contains("ERROR") || $0.contains("FATAL") } ?? lines.last
            EngineLog.write(
                "error",
                "\(tool) failed (\(error), \(status)): "
                    + "\(reason?.prefix(300) ?? "it says nothing")")
            throw EnrolmentError(
                code: .toolFailed,
                message: "sphinxtrain's \(tool) failed; the service's log says more. Install the package sphinxtrain "
                    + "again.")
        }
    }
}
