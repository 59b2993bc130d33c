import Dispatch

/// Runs an export on a thread of its own queue, because it waits for disks and pipes.
final class WritingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "io.voicegate.export")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
