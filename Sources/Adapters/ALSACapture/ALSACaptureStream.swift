import Speech

/// An open ALSA device. Letting go of it, or cancelling the task that reads it, closes the device as `stop()` does.
final class ALSACaptureStream: CaptureStream {
    private let control: CaptureControl
    private let queue: EventQueue

    init(control: CaptureControl, queue: EventQueue) {
        self.control = control
        self.queue = queue
    }

    deinit { control.stop() }

    var events: AsyncStream<CaptureEvent> {
        // The stream keeps `self`, so that a reader who holds nothing else keeps the device open.
        AsyncStream(unfolding: { await self.queue.next() }, onCancel: { [control] in control.stop() })
    }

    func stop() async {
        // At once, not when the thread gets to it: no frame leaves after this call.
        queue.finish(nil)
        control.stop()
        await control.closed()
    }
}
