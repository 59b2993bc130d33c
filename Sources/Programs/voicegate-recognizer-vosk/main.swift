import RecognizerWorker
import VoskRecognition

EngineProgram<VoskEngine>.run(arguments: Array(CommandLine.arguments.dropFirst()))
