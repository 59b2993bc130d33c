import Foundation

extension Data {
    init(hexadecimal: String) {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        self.init(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
