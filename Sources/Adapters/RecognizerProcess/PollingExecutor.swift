import Foundation
import LinuxSystem
import Synchronization

/// One thread that runs an actor's jobs and polls its descriptors.
///
/// Not a thread of the shared pool: the kernel kills a worker when the *thread* that started it exits (`PR_SET_PDEATHSIG`), so
/// that thread must last.
final class PollingExecutor: SerialExecutor, @unchecked Sendable {
    private struct Shared {
        var jobs: [UnownedJob] = []
        var thread: pthread_t?
        var isStopped = false
    }

    private struct Watch {
        var events: Int16
        let handler: @Sendable (Int16) -> Void
    }

    private let shared = Mutex(Shared())
    private let pipe: WakePipe
    // Safe: used on the thread only, which `checkIsolated` ensures.
    private var watches: [Int32: Watch] = [:]

    /// - Returns: `nil` if the process has no descriptors left.
    init?(name: String) {
        guard let pipe = WakePipe() else { return nil }
        self.pipe = pipe
        let thread = Thread { [self] in run() }
        thread.name = name
        thread.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        shared.withLock { $0.jobs.append(job) }
        pipe.wake()
    }

    func checkIsolated() {
        precondition(isCurrent, "this state belongs to the recogniser's thread")
    }

    /// Ends the thread when its jobs are done.
    func stop() {
        shared.withLock { $0.isStopped = true }
        pipe.wake()
    }

    /// Calls the handler, on the thread, at each of poll's events. To be called on the thread.
    func watch(_ descriptor: Int32, events: Int16, handler: @escaping @Sendable (Int16) -> Void) {
        checkIsolated()
        watches[descriptor] = Watch(events: events, handler: handler)
    }

    func change(_ descriptor: Int32, events: Int16) {
        checkIsolated()
        watches[descriptor]?.events = events
    }

    func unwatch(_ descriptor: Int32) {
        checkIsolated()
        watches[descriptor] = nil
    }

    private var isCurrent: Bool {
        shared.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    private func run() {
        shared.withLock { $0.thread = pthread_self() }
        while true {
            let (jobs, isStopped) = shared.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.isStopped)
            }
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
            if !jobs.isEmpty { continue }
            if isStopped { return }
            wait()
        }
    }

    private func wait() {
        var descriptors = [pollfd(fd: pipe.reader.rawValue, events: Int16(POLLIN), revents: 0)]
        descriptors += watches.map { pollfd(fd: $0.key, events: $0.value.events, revents: 0) }
        guard poll(&descriptors, nfds_t(descriptors.count), -1) > 0 else { return }
        if descriptors[0].revents != 0 { pipe.drain() }
        for entry in descriptors.dropFirst() where entry.revents != 0 {
            // An earlier handler may have removed this one.
            watches[entry.fd]?.handler(entry.revents)
        }
    }
}
