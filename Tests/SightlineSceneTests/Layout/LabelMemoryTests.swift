import SightlineTestSupport
import Testing

@testable import SightlineScene

@Suite struct LabelMemoryTests {
  @Test func `the table finds what a dictionary finds`() {
    var generator = SplitMix64(seed: 3)
    var table = LabelMemoryTable()
    var times: [UInt64: Double] = [:]
    for step in 0..<4000 {
      let time = Double(step)
      // Small numbers, neighbours and multiples of powers of two: what bad hashes stumble over.
      let identity = [UInt64(step % 700), UInt64(step % 90) << 40, .random(in: 0...50, using: &generator)][step % 3]
      let index = table.find(identity) ?? table.add(identity, time: time)
      #expect((times[identity] != nil) == (table[index].lastSeen != time))
      table[index].lastSeen = time
      times[identity] = time
      if step % 500 == 499 {
        table.dropUnseen(since: time - 300)
        times = times.filter { $0.value >= time - 300 }
        #expect(table.records.count == times.count)
        for (identity, time) in times {
          #expect(table.find(identity).map { table[$0].lastSeen } == time)
        }
      }
    }
    table.removeAll()
    #expect(table.find(1) == nil)
  }
}
