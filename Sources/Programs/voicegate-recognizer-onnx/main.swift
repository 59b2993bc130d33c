import ONNXRecognition

ONNXProgram.run(arguments: Array(CommandLine.arguments.dropFirst()))
