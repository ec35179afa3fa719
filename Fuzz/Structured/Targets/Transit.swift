/// The targets of timetables and their messages.
nonisolated(unsafe) let transitTargets: [any StructuredTarget.Type] = []
