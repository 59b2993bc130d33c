import CPocketSphinx
import Foundation
import Speech
import Synchronization

/// The means and variances of the model's sounds, opened before the worker is locked in: whoever applies a transform makes
/// the library read them again.
final class ModelStatistics: Sendable {
    // The position in both files is everybody's, so one decoder reads them at a time.
    private let files: Mutex<(means: FileHandle, variances: FileHandle)>

    init(_ model: Model) throws(ModelError) {
        guard let means = FileHandle(forReadingAtPath: model.acousticModel + "/means"),
            let variances = FileHandle(forReadingAtPath: model.acousticModel + "/variances")
        else {
            throw ModelError(
                code: .missing, message: "The model \(model.acousticModel) has no means or variances; install it again."
            )
        }
        files = Mutex((means, variances))
    }

    /// Lets the decoder hear with a transform from now on.
    ///
    /// - Returns: `false` when it does not fit the model; nothing has changed then.
    func apply(_ transform: [UInt8], to decoder: Decoder) -> Bool {
        // One of other dimensions would end the process.
        guard SpeakerTransform.fits(transform, streams: decoder.streams) else { return false }
        return files.withLock { files in
            let matrix = vg_memory_file(transform, transform.count)
            guard matrix >= 0 else { return false }
            defer { close(matrix) }
            for file in [files.means, files.variances] { lseek(file.fileDescriptor, 0, SEEK_SET) }
            return decoder.adapt(
                matrix: Self.name(matrix),
                statistics: (Self.name(files.means.fileDescriptor), Self.name(files.variances.fileDescriptor)))
        }
    }

    private static func name(_ descriptor: Int32) -> String {
        var name = [CChar](repeating: 0, count: Int(vg_memory_file_name_length))
        vg_memory_file_name(descriptor, &name)
        return String(cString: name)
    }
}
