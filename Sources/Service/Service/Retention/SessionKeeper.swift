import Authorization
import Logging
import Retention
import Speech

/// Keeps what sessions hear among the service's items.
struct SessionKeeper: Keeper {
    let items: ItemStore
    let logger: Logger

    func begin(_ session: SessionDescription, keeping times: KeepingTimes) -> any SessionKeeping {
        KeptSession(session, times, items, logger)
    }
}
