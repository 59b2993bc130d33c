import Foundation
import Speech
import TestSupport
import Testing

@testable import RecognizerProcess

/// Each of these ends the process, or loads silently as something else, when the library is the first to look.
@Suite("Damaged models, in real workers", .serialized)
struct DamagedModelTests {
    private static let original = RecognizerPool.Configuration.defaultModelFolder
    private let folder: TemporaryFolder
    private var model: String { folder.path + "/model" }

    /// A copy of the real model.
    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: Self.original, toPath: folder.path + "/model")
    }

    /// Why the model is not loaded; `nil` when it is.
    private func refusal() async throws -> RecognitionError? {
        var configuration = RecognizerPool.Configuration(executable: PoolFixture.executable, modelFolder: model)
        configuration.warmWorkers = 1
        configuration.inspectsModel = true
        configuration.startTimeout = .seconds(120)
        let pool = try RecognizerPool(configuration, logger: PoolFixture.quiet)
        var refusal: RecognitionError?
        do throws(RecognitionError) { try await pool.prewarm() } catch { refusal = error }
        await pool.shutdown()
        return refusal
    }

    private func change(_ file: String, _ change: (inout Data) -> Void) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: Self.original + "/" + file))
        change(&data)
        try data.write(to: URL(fileURLWithPath: model + "/" + file))
    }

    @Test("the installed model is loaded")
    func whole() async throws { #expect(try await refusal() == nil) }

    @Test(
        "a truncated or altered file is named in the error, and only its worker ends",
        arguments: ["en-us/mdef", "en-us/means", "en-us/variances", "en-us/transition_matrices", "en-us/sendump"])
    func parameters(_ file: String) async throws {
        let changes: [(String, (inout Data) -> Void)] = [
            ("cut off", { $0 = $0.prefix($0.count / 2) }), ("one byte short", { $0.removeLast() }),
            ("one byte longer", { $0.append(0) }), ("only a beginning", { $0 = $0.prefix(10) }),
            ("no header", { $0.replaceSubrange(0..<16, with: Data(repeating: 0xFF, count: 16)) }),
        ]
        for (name, change) in changes {
            try self.change(file, change)
            let refusal = try await refusal()
            #expect(refusal?.code == .modelUnavailable, "\(file) \(name)")
            #expect(
                refusal?.message.contains("/\(file) is damaged") == true,
                "\(name): \(refusal?.message ?? "loaded")")
        }
    }

    @Test("offsets outside a file and a wrong checksum are found")
    func numbers() async throws {
        // The first state sequence of the first phone, and the first of the last table.
        try change("en-us/mdef") { data in
            let place = data.count - 2 * 29_324 * 3 - 4 - 12
            data.replaceSubrange(place..<place + 4, with: Data(repeating: 0x7F, count: 4))
        }
        #expect(try await refusal()?.message.contains("en-us/mdef is damaged") == true)
        try change("en-us/mdef") { _ in }
        try change("en-us/means") { $0[$0.count / 2] ^= 0x10 }
        #expect(try await refusal()?.message.contains("en-us/means is damaged") == true)
    }

    @Test(
        "parameters that abort the process or access files are refused by name",
        arguments: [
            "-cmn nonsense", "-agc loud", "-lowerf much", "-nfilt 100000", "-logfn /tmp/log", "-mdef /nowhere", "-lw 0",
            "-cmninit 1,x", "-feat",
        ])
    func featureParameters(_ line: String) async throws {
        try change("en-us/feat.params") { $0 += Data("\n\(line)\n".utf8) }
        let refusal = try await refusal()
        #expect(refusal?.code == .modelUnavailable)
        #expect(refusal?.message.contains("feat.params is damaged") == true, "\(refusal?.message ?? "loaded")")
    }

    @Test("a language model with a damaged header ends only its worker, and is reported")
    func languageModel() async throws {
        try change("en-us.lm.bin") { $0.replaceSubrange(0..<64, with: Data(repeating: 0xFF, count: 64)) }
        #expect(try await refusal() != nil)
        // Another pool of the same process works on.
        let fixture = try PoolFixture()
        try await fixture.pool.prewarm()
        await fixture.pool.shutdown()
    }
}
