// The whole engine by one import. Documents are read by `SightlineImport`, picture files by `SightlinePictures`.

@_exported import SightlineCamera
@_exported import SightlineEngine
@_exported import SightlineFusion
@_exported import SightlineGeodesy
@_exported import SightlineImageTargets
@_exported import SightlineImaging
@_exported import SightlineInput
@_exported import SightlineMarkers
@_exported import SightlineMath
@_exported import SightlineModels
@_exported import SightlineOcclusion
@_exported import SightlineOdometry
@_exported import SightlineQR
@_exported import SightlineScene
@_exported import SightlineVision
@_exported import SightlineWorlds
