import SightlineTransit
import Testing

@testable import SightlineServer

@Suite struct RenderedBoardsTests {
  private let provider = StubProvider()

  private func rendering(_ boards: RenderedBoards, _ board: ProviderBoard) -> RenderedBoard {
    boards.rendering(of: board, provider: "stub", directory: provider.schedule, number: 0, language: nil)
  }

  @Test func `a board is rendered once, and another board anew`() {
    let boards = RenderedBoards()
    let (first, second) = (StubProvider.board(), StubProvider.board())
    let made = rendering(boards, first)
    #expect(rendering(boards, first) === made)
    #expect(rendering(boards, second) !== made)
    #expect(rendering(boards, first) === made)
    #expect(boards.count == 2)
  }

  @Test func `renderings go with their boards`() {
    let boards = RenderedBoards()
    let kept = StubProvider.board()
    let made = rendering(boards, kept)
    weak var gone: RenderedBoard?
    // A provider that is asked anew all day long.
    for number in 0..<2000 {
      let rendered = rendering(boards, StubProvider.board())
      if number == 0 { gone = rendered }
    }
    #expect(boards.count <= 257)
    #expect(gone == nil)
    #expect(rendering(boards, kept) === made)
  }
}
