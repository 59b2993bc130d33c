/// A way for text out of this program that is not standard output.
protocol Delivery: Sendable {
    var portion: DeliveryPortion { get }

    /// - Parameter text: cleaned of control characters other than line ends and tabs; not empty.
    /// - Throws: `CommandError` with `cannotDeliver`, saying what failed.
    func deliver(_ text: String) async throws
}
