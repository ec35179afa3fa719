import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Runs the work of jobs on an event loop.
///
/// A connection whose parts arrive on a loop and whose answers leave from it is read, answered and written without waking another thread.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  /// An executor of a loop.
  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// HTTP/1 connections that are handled on their event loops.
///
/// Only what answers at once may run there: ``Responder`` gives all other routes to the global executor.
struct LoopChannel: ServerChildChannel {
  let base: HTTP1Channel

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    base.setup(channel: channel, logger: logger)
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
      await base.handle(value: value, logger: logger)
    }
  }
}
