/// The version of all programs of this package; they are built and installed together.
public enum ServiceVersion {
    public static let current = "0.1.0"
}
