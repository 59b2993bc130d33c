import Base
import Cryptography
import Engines
import Foundation
import LinuxSystem

/// Files that an engine needs in another form than its package has.
enum DerivedFile {
    private static let largestSource = 64 << 20

    /// - Throws: `damaged` if the source has another form or the result another SHA-256; `inputOutput`.
    static func make(_ derived: EngineEntry.Derived, in folder: String) throws {
        let data: Data
        do throws(FileError) {
            data = try RegularFile(path: folder + "/" + derived.from, limit: largestSource).data
        } catch {
            throw EngineInstallationError(code: .damaged, message: "\(derived.from) cannot be read: \(error.reason).")
        }
        let made: Data? =
            switch derived.format {
            case .moonshineTokenizer: tokens(data)
            }
        guard let made, Hexadecimal.encode(SHA256.hash(data: made)) == derived.sha256 else {
            throw EngineInstallationError(
                code: .damaged, message: "\(derived.name) cannot be made of \(derived.from). Nothing is installed.")
        }
        let file = try NewFile(folder + "/" + derived.name)
        try file.write([UInt8](made)[...])
    }

    /// Moonshine's tokenizer.bin, which is entries of a length byte and that many bytes, as sherpa-onnx's tokens.txt, which is lines
    /// of `BASE64 NUMBER`. (Lengths from 128 on take two bytes; no token is that long.)
    ///
    /// - Returns: `nil` if it has another form.
    static func tokens(_ tokenizer: Data) -> Data? {
        let bytes = [UInt8](tokenizer)
        var result = Data()
        result.reserveCapacity(3 * bytes.count)
        var offset = 0
        var number = 0
        while offset < bytes.count {
            let length = Int(bytes[offset])
            let end = offset + 1 + length
            guard length < 128, end <= bytes.count else { return nil }
            result += Data(bytes[(offset + 1)..<end]).base64EncodedData() + Data(" \(number)\n".utf8)
            offset = end
            number += 1
        }
        return number > 0 ? result : nil
    }
}
