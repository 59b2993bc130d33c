import Foundation
import SocketAPI

extension MonitorLaunch {
    /// Reads the variables of a started client, as a program does.
    ///
    /// - Parameter environment: of a process.
    /// - Returns: `nil` if no monitor has started it.
    public init?(environment: [String: String]) {
        guard let lines = environment[Variable.events.rawValue] else { return nil }
        let decoder = JSONCoding.decoder()
        self.init(
            events: lines.split(separator: "\n").compactMap {
                try? decoder.decode(MonitorEvent.self, from: Data($0.utf8))
            })
        if events.isEmpty { return nil }
    }
}
