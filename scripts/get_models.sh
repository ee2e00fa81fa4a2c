#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/get_models.sh [FOLDER]     (default: ./mlperf-tiny)
#
# Fetches the reference networks of MLPerf Tiny (https://github.com/mlcommons/tiny, Apache-2.0) as int8 TensorFlow Lite
# files and checks what came. Files that are there and right are kept. Needs a network and curl.
set -euo pipefail

folder=${1:-mlperf-tiny}
commit=1afd2c9820f795965a6134facd0b4dfae41ef23f
# Also a mirror, or file:///somewhere with the same layout.
source=${TPU_MODELS_URL:-https://raw.githubusercontent.com/mlcommons/tiny/$commit}/benchmark/training

fail() { echo "get_models.sh: $*" >&2; exit 1; }

[[ $# -le 1 && ${1:-} != -* ]] || { sed -n '3,6s/^# \?//p' "$0"; exit 2; }
command -v curl >/dev/null || fail "curl is not installed; install it or download the files from $source"
mkdir -p "$folder" || fail "cannot make the folder $folder"

# What is wrong with a file; nothing when it is the one expected.
fault_of() {  # FILE BYTES SHA256
  [[ -f $1 ]] || { echo "is missing"; return; }
  local bytes; bytes=$(wc -c <"$1")
  if [[ $(head -c 8 "$1" | tail -c 4 | tr -d '\0') != TFL3 ]]; then
    echo "is no TensorFlow Lite model (bytes 4 to 7 are not TFL3)"
  elif [[ $bytes -ne $2 ]]; then
    echo "has $bytes bytes instead of $2"
  elif [[ $(sha256sum "$1" | cut -d ' ' -f 1) != "$3" ]]; then
    echo "has other contents than expected"
  fi
}

fetch() {  # NAME PATH BYTES SHA256
  local file=$folder/$1 fault
  if [[ -n $(fault_of "$file" "$3" "$4") ]]; then
    curl --fail --silent --show-error --location --connect-timeout 15 --max-time 300 --output "$file.part" "$source/$2" ||
      { rm -f "$file.part"; fail "$1: could not be fetched from $source/$2; is there a network?"; }
    fault=$(fault_of "$file.part" "$3" "$4")
    [[ -z $fault ]] || { rm -f "$file.part"; fail "$1: what came from $source/$2 $fault"; }
    mv "$file.part" "$file"
  fi
  printf '%-22s %7d bytes\n' "$1" "$3"
}

fetch resnet8_cifar10.tflite image_classification/trained_models/pretrainedResnet_quant.tflite \
  98496 3c002613d1b2475eb51dd78dfb85a546c8ae658dee71cf6ade43b022fe205415
fetch kws_dscnn.tflite keyword_spotting/trained_models/kws_ref_model.tflite \
  53936 aeea436800704fce17b17292e4412630ad856e9d777c044c64ef748a880bd0ae
fetch vww_96_int8.tflite visual_wake_words/trained_models/vww_96_int8.tflite \
  333288 597a384c8c2c8a1276f04702f25013b7838f2f814f1ca7c174d295b73e3d6b7b
fetch ad01_int8.tflite anomaly_detection/trained_models/ad01_int8.tflite \
  276976 87cf24194ef93d1d9b11a591d805526b98008e351655d29883c825c9c106ba24

echo "the networks are in $(cd "$folder" && pwd)"
