#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/get_models.sh [FOLDER [LIST]]     (default: ./networks, bench/models.txt)
#
# Fetches the networks of bench/ as int8 TensorFlow Lite files FOLDER/NAME/NAME.tflite, which is where `make bench` and `make test` look for
# them, and checks what came. Files that are there and right are kept. Needs a network and curl. LIST has a line NAME SHA256 URL for each
# network; one of your own may name a mirror.
set -euo pipefail

folder=${1:-networks}
list=${2:-$(dirname "$0")/../bench/models.txt}

fail() { echo "get_models.sh: $*" >&2; exit 1; }

[[ $# -le 2 && ${1:-} != -* ]] || { sed -n '3,7s/^# \?//p' "$0"; exit 2; }
command -v curl >/dev/null || fail "curl is not installed"
[[ -r $list ]] || fail "the list $list cannot be read"
mkdir -p "$folder" || fail "cannot make the folder $folder"

is_right() { [[ -f $1 && $(sha256sum "$1" | cut -d ' ' -f 1) == "$2" ]]; }  # FILE SHA256

while read -r name sha256 url || [[ -n $name ]]; do
  [[ -n $name && $name != '#'* ]] || continue
  file=$folder/$name/$name.tflite
  if ! is_right "$file" "$sha256"; then
    mkdir -p "$folder/$name"
    curl --fail --silent --show-error --location --connect-timeout 15 --max-time 300 --output "$file.part" "$url" ||
      { rm -f "$file.part"; fail "$name: could not be fetched from $url; is there a network?"; }
    is_right "$file.part" "$sha256" ||
      { rm -f "$file.part"; fail "$name: what came from $url has another SHA-256 than expected"; }
    mv "$file.part" "$file"
  fi
  printf '%-22s %8d bytes\n' "$name" "$(wc -c <"$file")"
done <"$list"

folder=$(cd "$folder" && pwd)
echo "The networks are in $folder; \`make bench\` and \`make test\` use them after"
echo "  export TPU_MODELS_DIR=$folder"
echo "Outputs to compare with come from TensorFlow Lite Micro: scripts/record_models.py (docs/testing.md, Networks)."
