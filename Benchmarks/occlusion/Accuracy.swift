import SightlineMath
import SightlineOcclusion

/// How often the answer is right in drawn towns where the fix is off, and what the rest is.
///
/// Truth: a plain loop over all walls from where the user really stands, with the building that a place really belongs to. Right
/// is counted twice: all three classes, and what a user sees of it, dimmed or not.
struct Score {
  /// By truth, then by answer.
  var counts = [[Int]](repeating: [0, 0, 0], count: 3)
  /// Of the wrong ones (dimmed or not): how many are right when asked from where the user really stands.
  var fromFix = 0
  var wrong = 0

  /// What is called hidden in truth, nine tenths of it, and what seen, three quarters: not the engine's thresholds.
  static func truth(_ seen: Double) -> Visibility { seen <= 0.1 ? .hidden : seen >= 0.75 ? .seen : .partlySeen }

  mutating func add(truth: Visibility, answer: Visibility, atTruth: Visibility) {
    counts[Int(truth.rawValue)][Int(answer.rawValue)] += 1
    guard (truth == .hidden) != (answer == .hidden) else { return }
    wrong += 1
    if (truth == .hidden) == (atTruth == .hidden) { fromFix += 1 }
  }

  func say(_ name: String) {
    let all = counts.joined().reduce(0, +)
    func percent(_ n: Int) -> Double { (1e4 * Double(n) / Double(max(all, 1))).rounded() / 100 }
    let same = counts[0][0] + counts[1][1] + counts[2][2]
    let dimmed = counts[2][2] + counts[0][0] + counts[0][1] + counts[1][0] + counts[1][1]
    print("\(name): \(all) places")
    print("  dimmed or not: right \(percent(dimmed)) %; of the wrong \(wrong) the fix alone explains \(fromFix)")
    print("  three classes: right \(percent(same)) %")
    print(
      "  said hidden, is wholly seen \(percent(counts[0][2])) %; said seen, is wholly hidden \(percent(counts[2][0])) %"
    )
    let names = ["seen", "partly", "hidden"]
    for k in 0..<3 {
      print(
        "  truth \(names[k]): said seen \(percent(counts[k][0])), partly \(percent(counts[k][1])), hidden \(percent(counts[k][2])) %"
      )
    }
  }
}

func measureAccuracy(towns: Int) {
  // Half of the fixes in a plane are nearer than 1.177 σ, 68 % nearer than 1.515 σ: what a phone calls an accuracy of 5 m.
  for (name, sigma) in [("accuracy 5 m (68 %)", 5 / 1.515), ("5 m along each axis", 5.0)] {
    var (engine, single, near) = (Score(), Score(), Score())
    for seed in 1...towns {
      var town = Town(seed: UInt64(seed), reach: 330)
      let index = OcclusionIndex(town.buildings)
      let plain = PlainLoop(town)
      let places = town.places(100)
      let targets = places.map { index.placed($0.target) }
      for _ in 0..<4 {
        let user = town.inStreet(within: 120)
        let truthEye = Vector3(user.x, user.y, 1.6)
        let fix = Vector3(user.x + sigma * town.random.normal(), user.y + sigma * town.random.normal(), 1.6)
        let eye = index.eye(at: fix, sigma: sigma)
        let point = index.eye(at: fix, sigma: 0)
        let exact = index.eye(at: truthEye, sigma: 0)
        for k in places.indices {
          let truth = Score.truth(plain.seen(places[k], from: truthEye))
          let atTruth = Visibility.partlySeen.next(seen: index.seen(targets[k], from: exact))
          let answer = Visibility.partlySeen.next(seen: index.seen(targets[k], from: eye))
          engine.add(truth: truth, answer: answer, atTruth: atTruth)
          if (places[k].target.point - user).length < 150 { near.add(truth: truth, answer: answer, atTruth: atTruth) }
          single.add(
            truth: truth,
            answer: Visibility.partlySeen.next(seen: index.seen(targets[k], from: point)),
            atTruth: atTruth
          )
        }
      }
    }
    engine.say("\(name), uncertain eye")
    near.say("\(name), uncertain eye, places within 150 m")
    single.say("\(name), the fix as if it were exact")
  }
}
