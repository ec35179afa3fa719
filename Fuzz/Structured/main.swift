nonisolated(unsafe) let documentTargets: [any StructuredTarget.Type] = [AreaTarget.self]

Driver.main(documentTargets + transitTargets)
