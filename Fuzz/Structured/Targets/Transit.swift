<<<<<<< HEAD
/// The targets of timetables and their messages: they need the database, see FUZZ_TIMETABLES in Fuzz/structured.py.
#if canImport(GRDB)
nonisolated(unsafe) let transitTargets: [any StructuredTarget.Type] = [
  FeedTarget.self, ScheduleTarget.self, RealtimeTarget.self, SIRIXMLTarget.self, SIRIJSONTarget.self, PlainProviderTarget.self,
  StopListTarget.self,
]
#else
nonisolated(unsafe) let transitTargets: [any StructuredTarget.Type] = []
#endif
=======
/// The targets of timetables and their messages.
nonisolated(unsafe) let transitTargets: [any StructuredTarget.Type] = [
  FeedTarget.self, ScheduleTarget.self, RealtimeTarget.self, SIRIXMLTarget.self, SIRIJSONTarget.self,
  PlainProviderTarget.self,
  StopListTarget.self,
]
>>>>>>> 94d36d67077a354c25faceaf6de81822a432ec09
