import SightlineTransit
import Synchronization

/// The renderings of the boards that providers hold at the moment.
///
/// A rendering is found by the board's identity: a provider that asks again has a new board. It goes when its board has gone,
/// at the next sweep, which comes when there are twice as many renderings as after the last one. So a sweep costs as much as the
/// insertions since the last, and no more than half of what is held is of boards that have gone.
final class RenderedBoards: Sendable {
  private struct Entry {
    /// Tells a board that has gone from another that got its address.
    weak var board: ProviderBoard?
    let rendering: RenderedBoard
  }

  private struct Held {
    var entries: [ObjectIdentifier: Entry] = [:]
    var sweepAt = RenderedBoards.fewest
  }

  private let held = Mutex(Held())

  /// Renderings that are held without a look at whether their boards are still there.
  private static let fewest = 256

  /// How many are held, of boards that are there and of such as have gone.
  var count: Int { held.withLock { $0.entries.count } }

  /// The rendering of a board, made at the first call, with names in a language if the feed has it.
  func rendering(
    of board: ProviderBoard,
    provider: String,
    directory: any StopDirectory,
    number: Int,
    language: String?
  ) -> RenderedBoard {
    let name = ObjectIdentifier(board)
    let known = held.withLock { held -> RenderedBoard? in
      guard let entry = held.entries[name], entry.board === board else { return nil }
      return entry.rendering
    }
    // Two who ask at the same moment may both make it; one is kept.
    let own = known ?? RenderedBoard(board, number: number, provider: provider, directory: directory)
    if known == nil {
      held.withLock { held in
        if held.entries.count >= held.sweepAt {
          held.entries = held.entries.filter { $0.value.board != nil }
          held.sweepAt = max(RenderedBoards.fewest, 2 * held.entries.count)
        }
        held.entries[name] = Entry(board: board, rendering: own)
      }
    }
    return own.translated(board, number: number, provider: provider, directory: directory, language: language)
  }
}
