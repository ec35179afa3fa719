import Testing

@testable import SightlineReadWorkers

@Suite struct ReadQueueTests {
  private func queue(waiting: Int = 100, ofClient: Int = 100, bytes: Int = 1000) -> ReadQueue<Int> {
    ReadQueue(.init(waiting: waiting, ofClient: ofClient, bytes: bytes))
  }

  private func refusal(_ result: Result<UInt64, ReadQueue<Int>.RefusalError>) -> ReadQueue<Int>.Refusal? {
    guard case .failure(let error) = result else { return nil }
    return error.refusal
  }

  @Test func `what waits is bounded in all, by client and in bytes`() {
    var queue = queue(waiting: 3, ofClient: 2, bytes: 100)
    #expect(refusal(queue.add(1, client: "a", bytes: 10)) == nil)
    #expect(refusal(queue.add(2, client: "a", bytes: 10)) == nil)
    #expect(refusal(queue.add(3, client: "a", bytes: 10)) == .fullOfClient)
    #expect(refusal(queue.add(4, client: "b", bytes: 81)) == .full)
    #expect(refusal(queue.add(5, client: "b", bytes: 80)) == nil)
    #expect(refusal(queue.add(6, client: "c", bytes: 0)) == .full)
    // What is being read counts for its client, but makes room in the queue.
    #expect(queue.next(mostOfClient: 9)?.element == 1)
    #expect(refusal(queue.add(7, client: "a", bytes: 0)) == .fullOfClient)
    #expect(refusal(queue.add(8, client: "c", bytes: 0)) == nil)
    queue.finished("a", seconds: 1)
    _ = queue.next(mostOfClient: 9)
    #expect(refusal(queue.add(9, client: "a", bytes: 0)) == nil)
  }

  @Test func `whoever has used the workers least comes next`() {
    var queue = queue()
    for number in 0..<20 { _ = queue.add(number, client: "many", bytes: 1) }
    #expect(queue.next(mostOfClient: 1)?.element == 0)
    _ = queue.add(100, client: "one", bytes: 1)
    #expect(queue.next(mostOfClient: 1)?.element == 100)
    queue.finished("many", seconds: 10)
    queue.finished("one", seconds: 1)
    // Ten times the time: nine more of the other come first.
    for round in 0..<9 {
      _ = queue.add(200 + round, client: "one", bytes: 1)
      #expect(queue.next(mostOfClient: 1)?.element == 200 + round)
      queue.finished("one", seconds: 1)
    }
    // A newcomer does not get back the time in which it was not there.
    _ = queue.add(300, client: "new", bytes: 1)
    #expect(queue.next(mostOfClient: 1)?.element == 300)
    queue.finished("new", seconds: 5)
    _ = queue.add(301, client: "new", bytes: 1)
    #expect(queue.next(mostOfClient: 1)?.element == 1)
  }

  @Test func `one client never holds all workers`() {
    var queue = queue()
    for number in 0..<5 { _ = queue.add(number, client: "a", bytes: 1) }
    #expect(queue.next(mostOfClient: 1)?.element == 0)
    #expect(queue.next(mostOfClient: 1) == nil)
    _ = queue.add(9, client: "b", bytes: 1)
    #expect(queue.next(mostOfClient: 1)?.element == 9)
    queue.finished("a", seconds: 1)
    #expect(queue.next(mostOfClient: 1)?.element == 1)
  }

  @Test func `what is put back comes first, and what is removed counts no more`() throws {
    var queue = queue(waiting: 2, ofClient: 2, bytes: 20)
    _ = queue.add(1, client: "a", bytes: 10)
    _ = queue.add(2, client: "a", bytes: 10)
    let first = queue.next(mostOfClient: 1)
    let entry = try #require(first)
    queue.putBack(entry)
    #expect(queue.count == 2)
    #expect(queue.next(mostOfClient: 1)?.element == 1)
    queue.finished("a", seconds: 0)
    #expect(queue.remove { $0.element == 2 }.map(\.element) == [2])
    #expect(queue.count == 0)
    #expect(refusal(queue.add(3, client: "a", bytes: 20)) == nil)
  }
}
