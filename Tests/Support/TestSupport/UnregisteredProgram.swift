import Foundation

/// The identifier of a program without a manifest, which is that of its bytes.
public enum UnregisteredProgram {
    public static func identifier(of text: String) -> String { "unregistered." + BundleFixture.digest(text).prefix(32) }

    /// - Parameter path: of the program or script.
    public static func identifier(ofFile path: String) throws -> String {
        "unregistered." + BundleFixture.digest(try Data(contentsOf: URL(fileURLWithPath: path))).prefix(32)
    }
}
