import Service

await VoicegateDaemon.main()
