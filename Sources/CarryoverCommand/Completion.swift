import ArgumentParser
import CarryoverSystem

extension CarryoverCommand {
  /// Answers a completion script: prints candidates and nothing else, and nothing at all if anything is wrong.
  static func complete(_ arguments: [String]) {
    guard let request = CompletionRequest(arguments) else { return }
    do {
      _ = try parseAsRoot(request.arguments { FirstWord.rest(of: $0, behind: self).arguments })
    } catch {
      guard exitCode(for: error) == .success else { return }
      try? Console.printVerbatim(fullMessage(for: error))
    }
  }

  /// A completion script that completes the names of files wherever a path is taken, and after an option's “=” no blank.
  static func adapted(_ script: String) -> String {
    guard script.contains("__carryover_") else { return script }
    return script.split(separator: "\n", omittingEmptySubsequences: false).map { adapted(line: String($0)) }
      .joined(separator: "\n")
  }

  private static func adapted(line: String) -> String {
    switch line {
    // A path alone is reviewed, so a file name is right where no subcommand fits.
    case _ where line.hasPrefix("complete -o filenames -F"):
      return line.replacing("-o filenames", with: "-o filenames -o default")
    // With banghist off, zsh inserts the name !touch unquoted; the user's shell then expands it from the history.
    case _ where line.hasSuffix("unsetopt aliases banghist"):
      return line.replacing(" banghist", with: "")
    // An error of the command is not for the line that is typed, and its input is not the terminal.
    case #"    "${COMP_WORDS[0]}" "${@}" "${words[@]}""#, "    command $tokens[1] $argv $tokens":
      return line + " 2>/dev/null </dev/null"
    case #"    completions=("${(@f)"$("${command_name}" "${@}" "${command_line[@]}")"}")"#:
      return line.replacing("[@]}\")\"}\")", with: "[@]}\" 2>/dev/null </dev/null)\"}\")")
    case _ where line.hasPrefix("    _describe -V '' non_empty_completions -- "):
      return """
            local -a suffix=()
            [[ "${non_empty_completions[1]}" = *= ]] && suffix=(-S '')
        \(line.replacing("completions -- ", with: "completions \"${suffix[@]}\" -- "))
        """
    case _
    where line.contains("-W \"$(__carryover") && (line.contains(" -- --set ") || line.contains(" -- --set-json ")):
      // The names of fields need no quotes: the command tells bash only those.
      return line + "\n        [[ -n \"${COMPREPLY[*]}\" ]] && compopt -o nospace +o filenames 2>/dev/null"
    case _ where takesFile(line): return withFiles(line)
    default: return line
    }
  }

  /// Whether a line completes an argument that also takes the path of a file.
  private static func takesFile(_ line: String) -> Bool {
    guard line.contains("---completion ") else { return false }
    return [" -- positional@0 ", " diff -- positional@1 ", " -- --recipe ", " -- --in ", " -- --on "].contains {
      line.contains($0)
    }
  }

  private static func withFiles(_ line: String) -> String {
    if line.contains("__carryover_add_completions -W") { return "        __carryover_add_completions -f\n" + line }
    return line.replacing("{__carryover_custom_complete", with: "{_files; __carryover_custom_complete")
      .replacing("fka '(__carryover_custom_completion", with: "Fka '(__carryover_custom_completion")
  }
}
