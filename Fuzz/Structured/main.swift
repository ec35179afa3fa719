nonisolated(unsafe) let documentTargets: [any StructuredTarget.Type] = [
  AreaTarget.self, GDDFTarget.self, KMLTarget.self, ARMLTarget.self, GeoJSONTarget.self, LayarTarget.self, MixareTarget.self,
  OverpassTarget.self, AnyTarget.self, XMLTarget.self, JSONTarget.self,
]

Driver.main(documentTargets + transitTargets)
