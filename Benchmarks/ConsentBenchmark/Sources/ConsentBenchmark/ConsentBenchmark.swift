import Consent
import Cryptography
import Floor
import Foundation
import Storage

/// What the consent log costs, each figure beside a floor of the same machine in the same run; see Benchmarks/README.md.
///
/// `consent-benchmark DIRECTORY append|group|reading|signing|verify|grow|fill [COUNT]`; `fill` measures nothing and leaves a log.
@main
enum ConsentBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else { exit(64) }
        let count = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
        let bench = Measurements(directory: arguments[1])
        switch arguments[2] {
        case "append": try await bench.append(writers: 1, turns: 15, count: count > 0 ? count : 60)
        case "group": try await bench.append(writers: 64, turns: 5, count: count > 0 ? count : 40_000)
        case "reading": try await bench.reading(writers: 64, turns: 7, seconds: count > 0 ? count : 2)
        case "signing": try await bench.signing(turns: 7, count: count > 0 ? count : 100)
        case "verify": try await bench.verification(turns: 3, count: count > 0 ? count : 1_000_000)
        case "fill": try await bench.log(of: count)
        case "grow": try await bench.growth(upTo: count > 0 ? count : 100_000)
        default: exit(64)
        }
    }
}
