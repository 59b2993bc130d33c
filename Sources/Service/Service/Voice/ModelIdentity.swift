import Crypto
import Foundation
import Glibc

/// Which acoustic model a voice was learnt with.
enum ModelIdentity {
    private static let largest = 256 << 20

    /// SHA-256, in hexadecimal, of the file `means` of the acoustic model in the folder; `nil` where there is none.
    static func ofMeans(in folder: String) -> String? {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        // The same one that a worker takes: the first with a model definition.
        guard let name = names.first(where: { access("\(folder)/\($0)/mdef", R_OK) == 0 }),
            let data = try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)/means"), options: .alwaysMapped),
            data.count <= largest
        else { return nil }
        return SHA256.hash(data: data).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
