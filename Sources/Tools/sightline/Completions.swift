import ArgumentParser

/// `sightline completions`.
struct Completions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the script that completes commands and options in a shell.",
    discussion: """
      bash:  sightline completions bash > ~/.local/share/bash-completion/completions/sightline
      zsh:   sightline completions zsh > ~/.zsh/completions/_sightline   (a folder of $fpath)
      fish:  sightline completions fish > ~/.config/fish/completions/sightline.fish
      """
  )

  /// Shells whose completions are known.
  enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

  @Argument(help: "The shell.") var shell: Shell

  func run() {
    let shells: [Shell: CompletionShell] = [.bash: .bash, .zsh: .zsh, .fish: .fish]
    if let known = shells[shell] { Console.say(Sightline.completionScript(for: known)) }
  }
}
