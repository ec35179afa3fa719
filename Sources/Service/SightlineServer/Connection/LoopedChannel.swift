import HummingbirdCore
import Logging
import NIOCore

/// Answers a connection's requests on the event loop that the connection belongs to.
///
/// Otherwise each request goes from the loop's thread to one of the concurrency pool and back, which costs more than most answers.
/// What waits (the store, scrypt, other servers) does so elsewhere anyway.
struct LoopedChannel<Base: ServerChildChannel>: ServerChildChannel {
  let base: Base

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    base.setup(channel: channel, logger: logger)
  }

  func handle(value: Base.Value, logger: Logger) async {
    await withTaskExecutorPreference(LoopExecutor(loop: value.channel.eventLoop)) {
      await base.handle(value: value, logger: logger)
    }
  }
}

/// Runs tasks on an event loop.
private final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
