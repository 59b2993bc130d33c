import ONNXRecognition
import RecognizerWorker

EngineProgram<ONNXEngine>.run(arguments: Array(CommandLine.arguments.dropFirst()))
