import Authorization

/// Which engine serves which task.
protocol EngineChooser: Sendable {
    func choices() async -> [EngineTask: String]

    /// Chooses an engine from now on, and records that.
    ///
    /// - Throws: why it cannot be used; then nothing has changed.
    func use(_ id: String, for tasks: [EngineTask], by user: UInt32) async throws

    /// Starts the engine of a folder, waits until it is ready and ends it.
    func tryOut(folder: String) async throws

    /// Whether it is chosen for a task.
    func isUsed(_ id: String) async -> Bool

    /// Called after an engine was installed or removed.
    func reload() async
}
