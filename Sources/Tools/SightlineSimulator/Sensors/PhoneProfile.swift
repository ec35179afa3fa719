import SightlineGeodesy
import SightlineMath

/// What a phone delivers, and how wrong it is.
///
/// Figures: noise of phones as measured in AR movement (gyroscope 0.1 °/s, accelerometer 0.05 m/s², magnetometer 0.6 µT at
/// 100 Hz; offset of a gyroscope without the system's calibration up to 5.4 °/s); rounding and rates of browsers by the
/// specification of device motion and Chrome's implementation of it (0.1 °/s, 0.1 m/s², 0.1°, 60 Hz); the phone of 2010 by
/// the measurements of Stevense and van der Tak, 2010 (0.018 g, 0.25 µT, successive readings correlated by more than 0.7).
public struct PhoneProfile: Equatable, Sendable {
  /// Which orientation the platform gives besides its sensors.
  public enum FusedOrientation: Equatable, Sendable {
    /// None.
    case none
    /// `deviceorientation` with an arbitrary north, and `deviceorientationabsolute` with a magnetic one.
    case specification
    /// `deviceorientation` with an arbitrary north, and `webkitCompassHeading`.
    case iOS
  }

  /// Its name in scripts.
  public var name: String
  /// Motion readings a second.
  public var rate = 100.0
  /// Standard deviation of a reading's time, seconds.
  public var jitter = 0.0
  /// Share of readings that never arrive.
  public var loss = 0.0
  /// Seconds that a reading is an average over; `nil` for the time since the reading before.
  public var averaging: Double?
  /// Seconds from what is measured to the time that a reading states.
  public var delay = 0.0
  /// Radians a second; `nil` for a phone without gyroscope.
  public var gyroscope: SensorErrors? = SensorErrors()
  /// Metres a second squared.
  public var accelerometer = SensorErrors()
  /// Microtesla; what the platform itself hears, too.
  public var magnetometer = SensorErrors()
  /// Whether programs are given the magnetometer.
  public var givesMagnetometer = true
  /// New values of the magnetometer a second, at most; others are left out.
  public var magnetometerRate = Double.infinity
  /// What the platform computes itself.
  public var fusedOrientation = FusedOrientation.none
  /// How motion events are written down.
  public var motionConvention = MotionConvention.specification
  /// What altitudes of fixes are measured from: satellites give the ellipsoid, and Android hands that on; iOS gives the sea.
  public var altitudeDatum = HeightDatum.ellipsoid
  /// Error of an altitude by that of a horizontal axis: satellites are all on one side; a barometer takes off the echoes.
  public var altitudeErrorRatio = 1.7
  /// Whether the first fixes come from a radio mast, a kilometre off.
  public var hasCoarseStart = false

  /// A phone without errors.
  public init(name: String) { self.name = name }

  /// All phones that scripts can name.
  public static let all = [
    perfect, native100, native200, androidChrome, androidChromeMagnetometer, iOSSafari, iPhone3GS,
  ]

  /// No errors at all, 100 Hz.
  public static let perfect = PhoneProfile(name: "perfect")

  /// A phone's own interfaces at 100 Hz, sensors calibrated by the system.
  public static let native100 = make("native-100", rate: 100)
  /// A phone's own interfaces at 200 Hz, gyroscope not calibrated by the system.
  public static let native200: PhoneProfile = {
    var phone = make("native-200", rate: 200)
    phone.gyroscope?.bias = Angle(degrees: 1.2).radians
    return phone
  }()

  /// Chrome on Android: `devicemotion` in steps of 0.1, and both orientations; no magnetometer.
  public static let androidChrome: PhoneProfile = {
    var phone = androidChromeMagnetometer
    phone.name = "android-chrome"
    phone.givesMagnetometer = false
    return phone
  }()

  /// Chrome on Android with the sensor interfaces that it keeps behind a flag.
  public static let androidChromeMagnetometer: PhoneProfile = {
    var phone = make("android-chrome-magnetometer", rate: 60)
    phone.jitter = 0.0015
    phone.loss = 0.004
    phone.delay = 0.008
    phone.gyroscope?.resolution = Angle(degrees: 0.1).radians
    phone.accelerometer.resolution = 0.1
    phone.fusedOrientation = .specification
    return phone
  }()

  /// Safari on iOS: `devicemotion` with its own signs, orientation with `webkitCompassHeading`; no magnetometer.
  public static let iOSSafari: PhoneProfile = {
    var phone = make("ios-safari", rate: 60)
    phone.jitter = 0.0008
    phone.loss = 0.001
    phone.delay = 0.006
    phone.givesMagnetometer = false
    phone.motionConvention = .iOS
    phone.fusedOrientation = .iOS
    phone.altitudeDatum = .seaLevel
    phone.altitudeErrorRatio = 1.2
    return phone
  }()

  /// The phone of 2010: accelerometer and magnetometer at 30 Hz, no gyroscope.
  public static let iPhone3GS: PhoneProfile = {
    var phone = PhoneProfile(name: "iphone-3gs")
    phone.rate = 30
    phone.jitter = 0.002
    phone.averaging = 0.01
    phone.delay = 0.01
    phone.gyroscope = nil
    phone.accelerometer.noise = 0.18
    phone.accelerometer.noiseCorrelation = 0.15
    phone.accelerometer.bias = 0.15
    phone.accelerometer.misalignment = Angle(degrees: 1).radians
    phone.accelerometer.resolution = 0.018 * 9.80665
    phone.magnetometer.noise = 0.8
    phone.magnetometer.noiseCorrelation = 0.75
    phone.magnetometer.bias = 4
    phone.magnetometer.drift = 1
    phone.magnetometer.scale = 0.02
    phone.magnetometer.resolution = 0.25
    phone.hasCoarseStart = true
    phone.altitudeDatum = .seaLevel
    return phone
  }()

  private static func make(_ name: String, rate: Double) -> PhoneProfile {
    var phone = PhoneProfile(name: name)
    phone.rate = rate
    phone.jitter = 0.0003
    phone.delay = 0.003
    // White noise: what is averaged over a longer interval has less of it.
    let density = (rate / 100).squareRoot()
    phone.gyroscope?.noise = Angle(degrees: 0.1).radians * density
    phone.gyroscope?.bias = Angle(degrees: 0.25).radians
    phone.gyroscope?.drift = Angle(degrees: 0.04).radians
    phone.gyroscope?.scale = 0.004
    phone.gyroscope?.misalignment = 0.003
    phone.gyroscope?.range = Angle(degrees: 2000).radians
    phone.accelerometer.noise = 0.05 * density
    phone.accelerometer.bias = 0.04
    phone.accelerometer.drift = 0.01
    phone.accelerometer.scale = 0.003
    phone.accelerometer.misalignment = Angle(degrees: 0.3).radians
    phone.accelerometer.range = 8 * 9.80665
    phone.magnetometer.noise = 0.6
    phone.magnetometer.bias = 1.5
    phone.magnetometer.drift = 0.4
    phone.magnetometer.scale = 0.01
    phone.magnetometer.misalignment = Angle(degrees: 0.5).radians
    phone.magnetometer.resolution = 0.15
    phone.magnetometerRate = 50
    return phone
  }
}
