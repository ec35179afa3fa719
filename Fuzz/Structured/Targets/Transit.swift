/// The targets of timetables and their messages.
nonisolated(unsafe) let transitTargets: [any StructuredTarget.Type] = [
  FeedTarget.self, ScheduleTarget.self, RealtimeTarget.self, SIRIXMLTarget.self, SIRIJSONTarget.self,
  PlainProviderTarget.self,
  StopListTarget.self,
]
