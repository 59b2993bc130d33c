import Base
import Foundation
@testable import Authorization

/// Runs everything asynchronous that its thread starts on that thread, one job after the other in the order in which they
/// became ready, and only when told to: a run of the same steps is the same run.
///
/// It takes the jobs that its thread gives to the global executor, through the runtime's hook
/// (`swift_task_enqueueGlobal_hook` in `stdlib/public/Concurrency/GlobalExecutor.cpp`). Jobs of other threads go their
/// usual path. What runs here must not sleep or block.
final class Stepper {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// Set for the duration of `run` on its thread; read on every thread by the hook.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private static let isInstalled: Bool = {
        guard let symbol = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else { return false }
        symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
            guard let stepper = pthread_getspecific(Stepper.key) else { return original(job) }
            Unmanaged<Stepper>.fromOpaque(stepper).takeUnretainedValue().jobs.append(job)
        }
        return true
    }()

    private var jobs: [UnownedJob] = []

    /// Runs the body on its own thread that has a stepper.
    static func run<Value: Sendable>(_ body: @escaping @Sendable (Stepper) -> Value) async -> Value {
        precondition(isInstalled, "the runtime has no hook for its global executor")
        return await withCheckedContinuation { continuation in
            let thread = Thread {
                let stepper = Stepper()
                pthread_setspecific(key, Unmanaged.passUnretained(stepper).toOpaque())
                let value = body(stepper)
                stepper.settle()
                pthread_setspecific(key, nil)
                continuation.resume(returning: value)
            }
            thread.stackSize = 16 << 20
            thread.start()
        }
    }

    /// Runs jobs until there are none: everything that is under way waits for something that the test holds.
    func settle() {
        var next = 0
        while next < jobs.count {
            runJob(jobs[next], unsafeBitCast((0, 0), to: UnownedSerialExecutor.self))
            next += 1
        }
        jobs.removeAll(keepingCapacity: true)
    }

    /// The result of something that waits for nothing that the test holds.
    func value<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
        let result = Latch<Value>()
        Task.detached { result.set(await body()) }
        settle()
        guard let value = result.reason else { preconditionFailure("it waits for something that the test holds") }
        return value
    }
}

/// Runs a job on the calling thread; the executor (0, 0) is the generic one.
@_silgen_name("swift_job_run")
private func runJob(_ job: UnownedJob, _ executor: UnownedSerialExecutor)
