import Authorization
import Consent
import Foundation
import Synchronization

/// Each reading is a second after the one before; the first is 1970.
final class CountingClock: Sendable {
    private let readings = Atomic(0)

    @Sendable func next() -> Moment {
        Moment(wallAlone: Date(timeIntervalSince1970: Double(readings.add(1, ordering: .relaxed).oldValue)))
    }
}
