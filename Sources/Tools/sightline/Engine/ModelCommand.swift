import ArgumentParser
import Foundation
import SightlineModels

/// `sightline model`.
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Check 3-D models (GLB, glTF 2.0 binary) and say what is in them.",
    discussion: """
      One line for each file: its size in metres, triangles, materials, pictures and movements, and what is left out when \
      it is drawn. A file that cannot be drawn is refused with what is wrong, at which part and byte; exit status 1.
      """
  )

  @Argument(help: ArgumentHelp("Files to look at.", valueName: "file")) var files: [String]

  func run() throws {
    var refused = 0
    for file in files {
      guard let data = FileManager.default.contents(atPath: file) else {
        let advice =
          file == "check" ? "The files stand right behind `sightline model`, without `check`." : "Check the path."
        Console.note("\(file): error: cannot be read. \(advice)")
        refused += 1
        continue
      }
      do throws(ModelError) {
        Console.say("\(file): \(Self.summary(try Model(glb: [UInt8](data))))")
      } catch {
        Console.note("\(file): error: \(error.sentence)")
        refused += 1
      }
    }
    if refused > 0 { throw ExitCode(1) }
  }

  private static func summary(_ model: Model) -> String {
    let triangles = model.drawn.reduce(0) { sum, drawn in
      sum + model.meshes[drawn.mesh].reduce(0) { $0 + model.primitives[$1].indices.count / 3 }
    }
    var parts: [String] = []
    if let size = model.bounds?.size {
      parts.append(String(format: "%.3f × %.3f × %.3f m", size.x, size.y, size.z))
    } else {
      parts.append("nothing to draw")
    }
    parts.append(Console.count(triangles, "triangle"))
    parts.append(Console.count(model.materials.count, "material"))
    parts.append(Console.count(model.images.count, "picture"))
    parts.append(Console.count(model.animations.count, "movement"))
    let omitted = Self.omissions.filter { model.omissions.contains($0.what) }.map(\.name)
    let left = omitted.isEmpty ? "" : "; left out: " + omitted.joined(separator: ", ")
    return parts.joined(separator: ", ") + left
  }

  private static let omissions: [(what: Model.Omissions, name: String)] = [
    (.pointsAndLines, "points and lines"), (.skins, "bones"), (.morphTargets, "blended shapes"),
    (.furtherTextureCoordinates, "textures on further coordinates"), (.cameras, "cameras"), (.extensions, "extensions"),
  ]
}

extension ModelError {
  /// What is wrong, where, and what to do.
  var sentence: String {
    var place = "\(part)"
    if index >= 0 { place += " \(index)" }
    if subindex >= 0 { place += ".\(subindex)" }
    let name = "\(property)"
    if !name.isEmpty { place += " \(name)" }
    return "\(what) (\(place), byte \(offset))"
  }

  private var what: String {
    switch code {
    case .notGLB: "This is no GLB file. Export the model as glTF binary (.glb)."
    case .version: "This is not version 2. Export the model as glTF 2.0."
    case .truncated: "The file is cut off. Copy or export it again."
    case .noJSON: "The file does not begin with its description. Export it again."
    case .syntax: "The description is not JSON. Export the model again."
    case .limit: "The model is too large. Simplify it."
    case .missing: "Something that is needed is missing. Add it, or export the model again."
    case .type: "This is not of the kind it must be. Correct it, or export the model again."
    case .value: "This is none of the values allowed. Correct it, or export the model again."
    case .reference: "This names something that is not there. Correct the index, or export the model again."
    case .hierarchy: "Nodes hang on each other in a circle, or one on two. Correct the tree."
    case .outside: "This reaches past the end of its data. Export the model again."
    case .format: "The data has another format than its use asks for. Export the model again."
    case .count: "Numbers of things do not agree. Export the model again."
    case .vertexIndex: "A triangle names a vertex that is not there. Export the model again."
    case .notFinite: "A number in the data is not finite. Export the model again."
    case .order: "The times of a movement do not rise. Export the model again."
    case .external: "This lies in another file. Export the model with everything embedded."
    case .dataURI: "The embedded data cannot be decoded. Export the model again."
    case .extension: "The model needs an extension that is not supported. Export it without compression."
    }
  }
}
