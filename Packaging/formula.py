"""The formula for Homebrew: on Linux the archive of the static command, elsewhere built from the commit."""

from __future__ import annotations

import project

TEMPLATE = """\
# typed: strict
# frozen_string_literal: true

# {summary}.
class Carryover < Formula
  desc "{summary}"
  homepage "{home}"
  license "Apache-2.0"
  version "{version}"

  on_macos do
    url "{home}.git", tag: "v{version}", revision: "{commit}"
    depends_on xcode: ["26.0", :build]
    depends_on "libyaml"
  end

  on_linux do
    depends_on arch: :x86_64
    on_intel do
      url "{home}/releases/download/v{version}/{archive}"
      sha256 "{digest}"
    end
  end

  def install
    if OS.mac?
      # Homebrew builds in a sandbox, in which another cannot start.
      system "make", "release", "SWIFT_BUILD_OPTIONS=--disable-sandbox"
      system "make", "install", "PREFIX=#{{prefix}}"
    else
      bin.install "carryover"
      man1.install Dir["man/man1/*"]
      man5.install Dir["man/man5/*"]
      bash_completion.install "completions/carryover.bash" => "carryover"
      zsh_completion.install "completions/_carryover"
      fish_completion.install "completions/carryover.fish"
      prefix.install "LICENSE", "THIRD-PARTY.txt"
    end
  end

  test do
    assert_equal version.to_s, shell_output("#{{bin}}/carryover --version").strip
  end
end
"""


def formula(version: dict, archive: str, digest: str) -> str:
    return TEMPLATE.format(summary=project.SUMMARY, home=project.HOME, version=version["version"], commit=version["commit"], archive=archive, digest=digest)
