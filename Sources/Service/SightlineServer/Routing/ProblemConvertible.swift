/// An error of a service that a client is told about.
///
/// Services throw errors of their own and know nothing of HTTP; what a client is told is said in `Routes/Problems`.
protocol ProblemConvertible: Error {
  /// What the client is told.
  var problem: RequestProblem { get }
}
