import ArgumentParser
import Carryover
import CarryoverReview
import CarryoverVendors

struct CompletionSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion",
    abstract: "Prints the script that completes subcommands, options and file names in a shell.")

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  @Argument(help: "The shell: bash, zsh or fish.") var shell: Shell

  func run() throws {
    try reporting { try Console.printVerbatim(CompletionScript.adapted(CarryoverCommand.completionScript(for: kind))) }
  }

  private var kind: CompletionShell {
    switch shell {
    case .bash: .bash
    case .zsh: .zsh
    case .fish: .fish
    }
  }
}

/// The parser's completion scripts, adapted: the default subcommand completes too, as in `carryover PATH`, and a recipe
/// is an id or a file.
enum CompletionScript {
  static let recipes = CompletionKind.list(ids)
  static let severalRecipes = CompletionKind.list(ids + [PlanChoices.allRecipes])
  static let askingCodes = CompletionKind.list(FindingCode.allCases.filter(\.asks).map(\.rawValue))
  private static let ids = Recipe.builtIn.map(\.reference.id)

  /// A script as users get it; another text as it is.
  static func adapted(_ script: String) -> String {
    if script.hasPrefix("#!/bin/bash") { return bash(script) }
    if script.hasPrefix("#compdef") { return zsh(script) }
    return script.contains("function __carryover_parse_tokens") ? fish(script) : script
  }

  private static func bash(_ script: String) -> String {
    script.replacing(
      "complete -o filenames -F _carryover carryover",
      with: """
        # Inserts the default subcommand at a place of the line where no subcommand is: place, default, subcommands.
        __carryover_default() {
            local -ir at="${1}"
            local word="${COMP_WORDS[at]}"
            ((COMP_CWORD > at)) || [[ "${word}" = -* ]] || return
            [[ " ${*:3} " != *" ${word} "* ]] || return
            COMP_WORDS=("${COMP_WORDS[@]:0:at}" "${2}" "${COMP_WORDS[@]:at}")
            ((COMP_CWORD += 1))
        }

        _carryover_with_defaults() {
            __carryover_default 1 \(words(CarryoverCommand.self))
            case "${COMP_WORDS[1]}" in
        \(nested.map { "    \($0.name)) __carryover_default 2 \(words($0.type)) ;;" }.joined(separator: "\n"))
            esac
            _carryover "${@}"
        }

        # A path alone is reviewed, so a file name is right where no subcommand is.
        complete -o filenames -o default -F _carryover_with_defaults carryover
        """)
  }

  private static func zsh(_ script: String) -> String {
    script
      // With banghist off, zsh inserts the name !touch unquoted; the user's shell then expands it from the history.
      .replacing("unsetopt aliases banghist", with: "unsetopt aliases")
      .replacing(
        "{__carryover_complete \"${___recipe[@]}\"}", with: "{_files; __carryover_complete \"${___recipe[@]}\"}"
      )
      .replacing("\n_carryover() {", with: "\n__carryover_root() {")
      .replacing(
        "\nif [[ \"${funcstack[1]}\" = _carryover ]]; then",
        with: """

          # Inserts the default subcommand at a place of the line where no subcommand is: place, default, subcommands.
          __carryover_default() {
              local -ir at="${1}"
              (( CURRENT > at )) || [[ "${words[at]}" = -* ]] || return
              [[ " ${*[3,-1]} " != *" ${words[at]} "* ]] || return
              words=("${(@)words[1,at-1]}" "${2}" "${(@)words[at,-1]}")
              (( CURRENT += 1 ))
              # Otherwise zsh restores both when the function ends.
              compstate[restore]=''
          }

          _carryover() {
              # Without a subcommand, a file name is right where a path is.
              (( CURRENT == 2 )) && _files
              __carryover_default 2 \(words(CarryoverCommand.self))
              case "${words[2]}" in
          \(zshCases)
              esac
              __carryover_root "${@}"
          }

          if [[ "${funcstack[1]}" = _carryover ]]; then
          """
      )
  }

  private static var zshCases: String {
    nested.map { name, type in
      let files = FirstWord.takesPath(type) ? "(( CURRENT == 3 )) && _files; " : ""
      return "    \(name)) \(files)__carryover_default 3 \(words(type)) ;;"
    }.joined(separator: "\n")
  }

  private static func fish(_ script: String) -> String {
    // The option -r takes a list, and -f no files.
    var script = script.replacing("-rfka '\(ids[0]) ", with: "-rFka '\(ids[0]) ")
      .replacing("-fka '\(ids[0]) ", with: "-Fka '\(ids[0]) ")
    let tokens = "    set -l unparsed_tokens (__carryover_tokens -pc)\n"
    let defaults =
      ["    __carryover_default 2 \(words(CarryoverCommand.self))", "    switch \"$unparsed_tokens[2]\""]
      + nested.flatMap { ["    case \($0.name)", "        __carryover_default 3 \(words($0.type))"] } + ["    end\n"]
    script = script.replacing(tokens, with: tokens + defaults.joined(separator: "\n"))
    let paths = ["carryover"] + nested.filter { FirstWord.takesPath($0.type) }.map { "carryover " + $0.name }
    return """
      # Inserts the default subcommand at a place of the line where no subcommand is: place, default, subcommands.
      function __carryover_default -S -a at default
          if test (count $unparsed_tokens) -ge $at
              contains -- $unparsed_tokens[$at] $argv[3..]; and return
          else if not string match -q -- '-*' (commandline -t); or test (count $unparsed_tokens) -ne (math $at - 1)
              return
          end
          set unparsed_tokens $unparsed_tokens[1..(math $at - 1)] $default $unparsed_tokens[$at..]
      end

      \(script)
      # Without a subcommand, a file name is right where a path is.
      \(paths.map { "complete -c 'carryover' -n '__carryover_should_offer_completions_for_positional \"\($0)\" -eq 1' -F" }
        .joined(separator: "\n"))
      """
  }

  /// The subcommands that have a default subcommand themselves.
  private static var nested: [(name: String, type: any ParsableCommand.Type)] {
    FirstWord.subcommands(CarryoverCommand.self).filter { $0.type.configuration.defaultSubcommand != nil }
  }

  /// The default subcommand, then what is not a word of it: the subcommands, and the options of the command itself.
  private static func words(_ type: any ParsableCommand.Type) -> String {
    let standard = type.configuration.defaultSubcommand?.configuration.commandName ?? ""
    return ([standard] + FirstWord.subcommands(type).map(\.name) + ["help", "--help", "-h", "--version"])
      .joined(separator: " ")
  }
}
