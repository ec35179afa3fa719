import SightlineTransit
import Testing

@testable import SightlineServer

@Suite struct RenderedBoardTests {
  private let provider = StubProvider()

  private func rendering(_ board: ProviderBoard) -> RenderedBoard {
    RenderedBoard.of(board, provider: "stub", directory: provider.schedule, number: 0, language: nil)
  }

  @Test func `a board is rendered once, and another board anew`() {
    let (first, second) = (StubProvider.board(), StubProvider.board())
    let made = rendering(first)
    #expect(rendering(first) === made)
    #expect(rendering(second) !== made)
    #expect(rendering(first) === made)
  }

  @Test func `renderings go with their boards`() {
    weak var gone: RenderedBoard?
    do {
      let board = StubProvider.board()
      gone = rendering(board)
      #expect(gone != nil && rendering(board) === gone)
    }
    #expect(gone == nil)
  }
}
