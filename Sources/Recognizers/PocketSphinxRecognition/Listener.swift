/// Takes samples and tells what they mean.
protocol Listener {
    func take(_ samples: [Int16], at position: Int64)

    /// No more come; returns when all is told.
    func finish()
}
