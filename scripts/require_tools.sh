#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/require_tools.sh GROUP...     (groups: build test lint tidy formal synth format wave sanitize fresh conformance fit docs python)
#
# Makes sure that the programs and libraries of the groups are there. On Debian and Ubuntu what is missing is installed with
# apt-get, as root or through sudo; elsewhere, or when that is impossible, the list is printed and the script fails.
set -euo pipefail

# group:  program:package...          '>=' gives the oldest version that works
programs_build="clang++:clang llvm-profdata:llvm cmake>=3.21:cmake ninja:ninja-build ccache:ccache make:make python3:python3
                git:git verilator>=5.006:verilator flatc:flatbuffers-compiler"
programs_test="iverilog:iverilog"    # and a browser: see check_browser
programs_lint="verilator>=5.006:verilator iverilog:iverilog yosys:yosys clang-format:clang-format"
programs_formal="yosys:yosys berkeley-abc:berkeley-abc python3:python3"
programs_synth="yosys:yosys python3:python3"
programs_format="clang-format:clang-format git:git python3:python3"
programs_wave="gtkwave:gtkwave"
programs_sanitize="clang++:clang"
programs_fresh="debootstrap:debootstrap git:git"
programs_conformance="python3:python3"    # and its module for virtual environments: see check_venv
programs_fit="python3:python3"            # likewise
programs_tidy="python3:python3"           # likewise
programs_python="python3:python3"         # and its headers, too: see check_python_headers
programs_docs="doxygen>=1.9.4:doxygen"

# header:package
headers_build="fmt/core.h:libfmt-dev nlohmann/json.hpp:nlohmann-json3-dev CLI/CLI.hpp:libcli11-dev gtest/gtest.h:libgtest-dev
         gmock/gmock.h:libgmock-dev zlib.h:zlib1g-dev flatbuffers/flatbuffers.h:libflatbuffers-dev"
headers_sanitize="fuzzer/FuzzedDataProvider.h:libclang-rt-dev"

# compiler option that has a library of its own:package
links_build="-fprofile-instr-generate:libclang-rt-dev"
links_sanitize="-fsanitize=address,undefined:libclang-rt-dev"

missing=()       # packages
problems=()      # what is wrong, in words

version_of() { "$1" --version 2>/dev/null | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1; }

check_program() {  # NAME[>=VERSION]:PACKAGE
  local want=${1%:*} package=${1##*:}
  local name=${want%%>=*} oldest="" found
  [[ $want == *'>='* ]] && oldest=${want##*>=}
  if ! command -v "$name" >/dev/null; then
    missing+=("$package"); problems+=("$name is not installed")
  elif [[ -n $oldest ]]; then
    found=$(version_of "$name")
    if [[ $(printf '%s\n%s\n' "$oldest" "$found" | sort -V | head -n 1) != "$oldest" ]]; then
      missing+=("$package"); problems+=("$name is version $found; $oldest or newer is needed")
    fi
  fi
}

check_headers() {  # HEADER:PACKAGE ...
  local entry source="" compiler absent
  compiler=$(command -v clang++ || command -v c++ || true)
  for entry in "$@"; do
    if [[ -z $compiler ]]; then
      missing+=("${entry##*:}")
    else
      source+="#if !__has_include(<${entry%:*}>)"$'\n'"MISSING $entry"$'\n#endif\n'
    fi
  done
  [[ -z $compiler ]] && return
  absent=$("$compiler" -x c++ -E -P - <<<"$source" | sed -n 's/^MISSING //p' | tr -d ' ')
  for entry in $absent; do
    missing+=("${entry##*:}"); problems+=("the header ${entry%:*} is not installed")
  done
}

check_link() {  # OPTION:PACKAGE
  if ! command -v clang++ >/dev/null; then
    missing+=("${1##*:}")
  elif ! clang++ "${1%:*}" -x c++ - -o /dev/null <<<"int main() {}" 2>/dev/null; then
    missing+=("${1##*:}"); problems+=("clang++ ${1%:*} finds no library to link with")
  fi
}

# Tests open pages in Chromium, and are skipped without it. Only Debian has it as a package that runs everywhere: Ubuntu's is a snap.
check_browser() {
  local name
  for name in chromium chromium-browser google-chrome; do
    if "$name" --version 2>/dev/null | grep -q Chrom; then return; fi
  done
  if [[ $(. /etc/os-release 2>/dev/null && echo "${ID:-}") != debian ]]; then return; fi
  missing+=(chromium); problems+=("chromium is not installed")
}

# Debian has the part of Python that makes virtual environments in a package of its own.
check_venv() {
  python3 -c 'import ensurepip, venv' 2>/dev/null && return
  missing+=(python3-venv); problems+=("python3 makes no virtual environments")
}

# And the headers in another.
check_python_headers() {
  python3 -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' 2>/dev/null && return
  missing+=(python3-dev); problems+=("python3 has no header Python.h")
}

check() {
  local group list program headers links option
  missing=(); problems=()
  for group in "$@"; do
    list=programs_$group
    [[ -v $list ]] || { echo "require_tools: no group '$group'" >&2; exit 2; }
    for program in ${!list}; do check_program "$program"; done
    headers=headers_$group
    # shellcheck disable=SC2086
    if [[ -n ${!headers:-} ]]; then check_headers ${!headers}; fi
    links=links_$group
    for option in ${!links:-}; do check_link "$option"; done
    if [[ $group == test ]]; then check_browser; fi
    if [[ $group == conformance || $group == fit || $group == python || $group == tidy ]]; then check_venv; fi
    if [[ $group == python ]]; then check_python_headers; fi
  done
  [[ ${#missing[@]} -eq 0 ]]
}

check "$@" && exit 0
mapfile -t missing < <(printf '%s\n' "${missing[@]}" | sort -u)
if [[ ${#problems[@]} -gt 0 ]]; then printf 'require_tools: %s\n' "${problems[@]}" >&2; fi

root=()
if [[ $(id -u) -ne 0 ]]; then root=(sudo); fi
command="${root[*]:+${root[*]} }apt-get update && ${root[*]:+${root[*]} }apt-get install -y --no-install-recommends ${missing[*]}"
give_up() {
  printf 'require_tools: %s\n' "$1" "Debian and Ubuntu: $command" "Elsewhere: install the same by your system's names." >&2
  exit 1
}
command -v apt-get >/dev/null || give_up "this system has no apt-get."
if [[ ${#root[@]} -gt 0 ]]; then
  command -v sudo >/dev/null || give_up "not root, and there is no sudo."
  # Ask for a password only where somebody can type it.
  [[ -t 0 ]] || sudo -n true 2>/dev/null || give_up "not root, and sudo asks for a password."
fi

echo "require_tools: installing with apt-get: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
run_apt() { "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "$@" >"$log" 2>&1 || { tail -n 20 "$log" >&2; give_up "apt-get $1 failed."; }; }
run_apt update
run_apt install -y --no-install-recommends "${missing[@]}"
check "$@" || { printf 'require_tools: still: %s\n' "${problems[@]}" >&2; give_up "the installed packages are not enough."; }
