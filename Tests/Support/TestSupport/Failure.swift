/// - Returns: the error of this type with which the work fails; `nil` if it succeeds, or fails with an error of another type.
public func failure<Failure: Error, Value>(_ type: Failure.Type, of work: () async throws -> Value) async -> Failure? {
    do { _ = try await work() } catch { return error as? Failure }
    return nil
}

public func failure<Failure: Error, Value>(_ type: Failure.Type, of work: () throws -> Value) -> Failure? {
    do { _ = try work() } catch { return error as? Failure }
    return nil
}
