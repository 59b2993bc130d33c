import Foundation
import TestSupport

/// The neural engine of the catalogue.
public enum NeuralEngine {
    /// Its folder: `VOICEGATE_TEST_ENGINE`, or what `Tests/Support/Tools/setup-engine` has made; `nil`: it could not be downloaded.
    public static let folder: String? = {
        let folder =
            ProcessInfo.processInfo.environment["VOICEGATE_TEST_ENGINE"]
            ?? Checkout.root.appending(path: ".build/test-engine/moonshine-tiny-en").path
        return FileManager.default.fileExists(atPath: folder + "/engine.json") ? folder : nil
    }()
}
