import ArgumentParser

/// The commands that need the server or its database; a build with `SIGHTLINE_CORE_ONLY=1` leaves this folder out.
let serviceCommands: [any ParsableCommand.Type] = [
  Serve.self, Import.self, Export.self, Worlds.self, Posters.self, User.self, Transit.self, Terrain.self, Ground.self,
  Retention.self, DatabaseCommand.self, AssetsCommand.self,
  ReadWorkerCommand.self, ReadFeedCommand.self, ReadOverhead.self,
]
