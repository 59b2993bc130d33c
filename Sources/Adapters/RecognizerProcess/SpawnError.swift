import Foundation

/// A worker could not be started.
struct SpawnError: Error, CustomStringConvertible {
    let errorNumber: Int32

    var description: String { String(cString: strerror(errorNumber)) }
}
