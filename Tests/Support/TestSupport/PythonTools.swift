import Foundation

/// The checkout that the tests were built from.
public enum Checkout {
    public static let root = {
        // Tests/Support/TestSupport/PythonTools.swift
        var folder = URL(filePath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder
    }()
}

/// The Python tools of Tests/Support/Tools, in the virtual environment that its `setup-python` makes.
public enum PythonTools {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private static let folder = Checkout.root.appending(path: "Tests/Support/Tools")

    /// Runs a script of Tests/Support/Tools to its end.
    ///
    /// - Returns: the lines it prints.
    public static func run(_ script: String, _ arguments: [String]) async throws -> [String] {
        try await lines([try await interpreter(), folder.path + "/" + script] + arguments)
    }

    /// The environment's interpreter.
    public static func interpreter() async throws -> String {
        try await lines([folder.path + "/setup-python"]).first ?? ""
    }

    /// Where the environment's packages are, for another interpreter of the same version.
    public static func packages() async throws -> String {
        let code = "import sysconfig; print(sysconfig.get_path('purelib'))"
        return try await lines([try await interpreter(), "-c", code]).first ?? ""
    }

    private static func lines(_ command: [String]) async throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        let ended = AsyncStream<Int32> { continuation in
            process.terminationHandler = {
                continuation.yield($0.terminationStatus)
                continuation.finish()
            }
        }
        try process.run()
        async let text = Self.text(output)
        async let complaint = Self.text(errors)
        var status: Int32 = -1
        for await end in ended { status = end }
        guard status == 0 else { throw Failure(description: "\(command[0]): \(status), \(await complaint)") }
        return await text.split(separator: "\n").map(String.init)
    }

    /// Reads to the end, away from the threads that all tasks share.
    private static func text(_ pipe: Pipe) async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }
}
