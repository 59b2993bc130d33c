import ArgumentParser
import Authorization

extension Fidelity: ExpressibleByArgument {}
