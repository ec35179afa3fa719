import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene

/// A session for places that the host names and draws by itself: where they are before the camera, and nothing else.
///
/// Of the events of ``Session`` it takes those of the motion sensors, fixes, display and camera, the date, the geoid, the radius and
/// ``SessionEvent/resume``; all others do nothing. Attitude and position are those of ``Session``, as are the poses of places. There are
/// no worlds, anchors, labels or radar, and so a page that needs no more loads a fraction of the code.
///
/// ```swift
/// var session = PlaceSession()
/// session.setPlaces([PlaceView.Place(latitudeDegrees: 48.3984, longitudeDegrees: 9.9916, altitude: 20, altitudeDatum: .eye)])
/// session.handle(.fix(fix), at: now)
/// session.makeFrame(at: now)
/// for item in session.frame.items { draw(item.place, at: item.cameraFromPlace) }
/// ```
public struct PlaceSession: Sendable {
  /// The last frame made.
  public private(set) var frame = PlaceFrame()
  /// What sensors and fixes are worth, as of the last event or frame; of content it says nothing.
  public private(set) var status = SessionStatus()
  private var device: DeviceTracker
  private var view: PlaceView

  /// A session before its first event.
  public init(parameters: Session.Parameters = Session.Parameters()) {
    device = DeviceTracker(parameters: parameters)
    view = PlaceView(parameters: parameters.scene)
  }

  /// Replaces the places.
  public mutating func setPlaces(_ places: [PlaceView.Place]) { view.setPlaces(places) }

  /// Takes an event that happened at a time, seconds on the host's monotonic clock.
  public mutating func handle(_ event: SessionEvent, at time: Double) {
    device.note(time)
    switch event {
    case .orientation(let reading): device.take(reading)
    case .motion(let sample): device.take(sample)
    case .orientationUnavailable(let reason): device.failOrientation(reason)
    case .fix(let fix):
      guard device.take(fix, happened: time.isFinite ? time : device.now) else { break }
      device.renewDeclination()
      placeEye()
      if let angle = device.compareCourse(fix) {
        device.correctHeading(by: angle, deviation: device.parameters.course.deviation)
      }
    case .locationUnavailable(let reason): device.failLocation(reason)
    case .geoid(let geoid):
      device.take(geoid)
      placeEye()
    case .display(let display): device.set(display)
    case .camera(let picture): device.set(picture)
    case .pictureAge(let seconds): device.setPictureAge(seconds)
    case .calendar(let decimalYear): device.setCalendar(decimalYear: decimalYear)
    case .setRadius(let metres): view.setRadius(metres)
    case .resume: device.resume()
    default: break
    }
    step()
  }

  /// Makes the frame for a moment, in ``frame``.
  public mutating func makeFrame(at time: Double) {
    device.note(time)
    step()
    guard device.now.isFinite else { return }
    if device.advancePosition() { placeEye() }
    view.update(
      eastNorthUpFromDevice: device.shownAttitude() ?? Quaternion(w: 0, x: 0, y: 0, z: 0),
      projection: device.projection ?? .nothing,
      into: &frame
    )
    device.judge(into: &status)
  }

  private mutating func step() {
    device.step()
    device.judge(into: &status)
  }

  private mutating func placeEye() {
    if let eye = device.eyePlacement() { view.setEye(eye) }
  }
}
