EngineLauncher.run(arguments: Array(CommandLine.arguments.dropFirst()))
