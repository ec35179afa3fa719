// What is hidden behind buildings: how long it takes, beside a plain loop in the same run, and how often it is right.
//
//   SIGHTLINE_CORE_ONLY=1 swift run -c release --package-path Benchmarks Occlusion [--speed [--town FILE]] [--accuracy] [--towns N]
//
// `--town` also writes what speed is measured with, for Benchmarks/wasm/occlusion.mjs, which measures it in WebAssembly.
//
// Speed: a town of 5,000 walls within 500 m, 1,000 places, an eye with an error: all places judged after a step. Accuracy:
// see Accuracy.swift.
let arguments = Array(CommandLine.arguments.dropFirst())
let towns =
  arguments.firstIndex(of: "--towns").flatMap { $0 + 1 < arguments.count ? Int(arguments[$0 + 1]) : nil } ?? 20
let isAll = !arguments.contains("--speed") && !arguments.contains("--accuracy")
if isAll || arguments.contains("--speed") {
  let file = arguments.firstIndex(of: "--town").flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
  try measureSpeed(writing: file)
}
if isAll || arguments.contains("--accuracy") { measureAccuracy(towns: towns) }
