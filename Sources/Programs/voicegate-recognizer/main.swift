import PocketSphinxRecognition

WorkerProgram.run(arguments: Array(CommandLine.arguments.dropFirst()))
