import Foundation

/// Passes values from one thread to another. `put` waits while the queue is full.
public final class BlockingQueue<Element: Sendable>: @unchecked Sendable {
    // Safe: the two variables are touched only while the condition is locked.
    private let condition = NSCondition()
    private var elements: [Element] = []
    private var isClosed = false
    private let capacity: Int

    public init(capacity: Int) {
        self.capacity = capacity
    }

    public func put(_ element: Element) {
        condition.withLock {
            while elements.count >= capacity && !isClosed { condition.wait() }
            elements.append(element)
            condition.broadcast()
        }
    }

    /// The next value, or `nil` when the queue is closed and empty.
    public func take() -> Element? {
        condition.withLock {
            while elements.isEmpty && !isClosed { condition.wait() }
            defer { condition.broadcast() }
            return elements.isEmpty ? nil : elements.removeFirst()
        }
    }

    public func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }
}
