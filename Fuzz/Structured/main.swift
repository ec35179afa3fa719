nonisolated(unsafe) let documentTargets: [any StructuredTarget.Type] = [
  AreaTarget.self, GDDFTarget.self, KMLTarget.self, ARMLTarget.self, GeoJSONTarget.self, LayarTarget.self,
  MixareTarget.self,
  OverpassTarget.self, AnyTarget.self, XMLTarget.self, JSONTarget.self,
]

nonisolated(unsafe) let binaryTargets: [any StructuredTarget.Type] = [
  ZipTarget.self, KMZTarget.self, PictureTarget.self, GLBTarget.self, TargetFileTarget.self, QRContentTarget.self,
  QRMatrixTarget.self, RecordingTarget.self, ReplayTarget.self, ExtractTarget.self,
]

nonisolated(unsafe) let serverTargets: [any StructuredTarget.Type] = [
  RequestTarget.self, QuestionTarget.self, PostersTarget.self, ScriptTarget.self, StoredTarget.self, TourTarget.self,
  MergeTarget.self,
]

Driver.main(documentTargets + binaryTargets + serverTargets + transitTargets)
