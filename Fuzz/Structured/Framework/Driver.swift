import Glibc

/// The command line, and the loop over the inputs.
///
/// `structured TARGET [--seed N] [--first N] [--count N] [--seconds S] [--findings FOLDER] [--cpu S] [--memory MB]`
/// makes inputs and checks them; `structured TARGET [--limited] --one FILE…` checks files, with the limits of a run or without; `structured TARGET --show N` writes input
/// number N to the output; `structured --list` names the targets. Ends with 0 when nothing was found, 1 when a check found
/// something, 77 when an input ended the process (it is saved, and its number stands in the name), 64 for a wrong call.
struct Driver {
  private var seed: UInt64 = 1
  private var first: UInt64 = 0
  private var count: UInt64 = .max
  private var seconds = 60.0
  private var findings = "."
  private var cpuSeconds = 5
  private var megabytes = 2_048
  private var files: [String] = []
  private var shown: UInt64?
  private var isCountGiven = false
  private var isLimited = false

  /// Runs what the arguments ask for.
  static func main(_ targets: [any StructuredTarget.Type]) -> Never {
    var driver = Driver()
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == ["--list"] {
      for target in targets { print(target.name) }
      exit(0)
    }
    guard let name = arguments.first, let target = targets.first(where: { $0.name == name }) else {
      driver.fail("the first argument is a target (see --list) or --list")
    }
    driver.parse(Array(arguments.dropFirst()))
    exit(driver.run(target))
  }

  private mutating func parse(_ arguments: [String]) {
    var index = 0
    func next() -> String {
      index += 1
      guard index < arguments.count else { fail("\(arguments[index - 1]) needs a value") }
      return arguments[index]
    }
    func number() -> UInt64 {
      let name = arguments[index]
      guard let value = UInt64(next()) else { fail("\(name) needs a whole number") }
      return value
    }
    while index < arguments.count {
      switch arguments[index] {
      case "--seed": seed = number()
      case "--first": first = number()
      case "--count":
        count = number()
        isCountGiven = true
      case "--seconds": seconds = Double(number())
      case "--findings": findings = next()
      case "--cpu": cpuSeconds = Int(clamping: number())
      case "--memory": megabytes = Int(clamping: number())
      case "--show": shown = number()
      case "--limited": isLimited = true
      case "--one":
        files = Array(arguments[(index + 1)...])
        index = arguments.count
      default: fail("\(arguments[index]) is not known")
      }
      index += 1
    }
  }

  private func fail(_ message: String) -> Never {
    say("structured: \(message)\n")
    exit(64)
  }

  private func say(_ text: String) { text.withCString { _ = write(2, $0, strlen($0)) } }

  private func run<T: StructuredTarget>(_ type: T.Type) -> CInt {
    var target = T()
    if let shown {
      var random = Random(seed: seed, index: shown)
      var bytes: [UInt8] = []
      target.make(&random, into: &bytes)
      _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
      return 0
    }
    if !files.isEmpty { return check(files, &target) }
    Watch.start(stem: "\(findings)/\(T.name)-\(seed)-", seconds: cpuSeconds, megabytes: megabytes)
    var input: [UInt8] = []
    input.reserveCapacity(1 << 20)
    var (done, accepted, bytes): (UInt64, UInt64, UInt64) = (0, 0, 0)
    var kinds: [String: Int] = [:]
    let start = now()
    while done < count {
      // The clock is looked at now and then only.
      if !isCountGiven, done & 63 == 0, now() - start >= seconds { break }
      let index = first &+ done
      var random = Random(seed: seed, index: index)
      input.removeAll(keepingCapacity: true)
      target.make(&random, into: &input)
      bytes += UInt64(input.count)
      do throws(Finding) {
        // The bytes stay where they are until the next input is made.
        input.withUnsafeBytes {
          Watch.input = $0.baseAddress
          Watch.inputCount = $0.count
        }
        Watch.index = index
        let outcome = try target.check(input)
        if outcome == .accepted { accepted += 1 }
      } catch {
        let seen = kinds[error.kind, default: 0]
        kinds[error.kind] = seen + 1
        if seen < 3 {
          let path = "\(findings)/\(T.name)-\(seed)-\(index)-check"
          save(input, path)
          say("FOUND \(path): \(error.kind): \(String(error.detail.prefix(400)))\n")
        }
      }
      done += 1
    }
    let elapsed = max(1e-9, now() - start)
    let found = kinds.values.reduce(0, +)
    print(
      "\(T.name): inputs \(done), \(Int(Double(done) / elapsed)) a second, \(bytes / max(1, done)) bytes each, "
        + "\(accepted * 100 / max(1, done)) % accepted, findings \(found), next \(first &+ done)"
    )
    for (kind, times) in kinds.sorted(by: { $0.key < $1.key }) { print("  \(kind): \(times)") }
    return found == 0 ? 0 : 1
  }

  private func check<T: StructuredTarget>(_ files: [String], _ target: inout T) -> CInt {
    if isLimited { Watch.start(stem: "", seconds: cpuSeconds, megabytes: megabytes) }
    var status: CInt = 0
    for file in files {
      guard let bytes = Files.load(file) else { fail("\(file) cannot be read") }
      do throws(Finding) {
        let outcome = try target.check(bytes)
        print("\(T.name): \(file): \(outcome == .accepted ? "accepted" : "refused")")
      } catch {
        print("\(T.name): \(file): FOUND \(error.kind): \(error.detail)")
        status = 1
      }
    }
    return status
  }

  private func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  private func save(_ bytes: [UInt8], _ path: String) {
    guard let file = fopen(path, "wb") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }
}
