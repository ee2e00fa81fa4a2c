#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/fresh.sh BUILD SUITE JOBS [TARGET ...]
#
# Proves that `make sim` and `make test` need nothing but git, make and certificates: runs both in a new Debian of release SUITE (bookworm,
# trixie) that debootstrap makes in BUILD/fresh, on a copy of the last commit. Fails when they fail. Debian comes from where this machine's
# apt gets it (MIRROR=URL chooses otherwise). The tests find the models that they find here (TPU_MODELS_DIR= leaves them out). With TARGETs only
# these are made, sim first of all. Those behind a word -- give way to other programs, and are ended FRESH_LIMIT seconds after the start, with
# exit status 3.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 suite=$2 jobs=$3 targets=("${@:4}")
[[ ${#targets[@]} -gt 0 ]] || targets=(sim test)
export PATH=$PATH:/usr/sbin:/sbin

if [[ ! -v FRESH_INSIDE ]]; then
  if [[ $(id -u) -ne 0 ]] || ! unshare --mount true 2>/dev/null; then
    echo "make fresh: needs Linux, root and the right to mount: sudo make fresh SUITE=$suite, or a container with that right" >&2
    exit 1
  fi
  scripts/require_tools.sh fresh
  # What is mounted, and what runs, ends with this process, however it ends.
  FRESH_INSIDE=1 exec unshare --mount --pid --fork --kill-child "$0" "$@"
fi

mkdir -p "$build/fresh"
root=$(realpath "$build/fresh")/$suite
remove_root() {
  # As process 1 of its own namespace this reaches nobody else.
  [[ $$ -ne 1 ]] || kill -KILL -1 2>/dev/null || true
  umount "$root/dev/pts" "$root/dev/shm" "$root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap remove_root EXIT
trap 'exit 130' INT TERM
remove_root

mirror_of_this_machine() {
  command -v apt-get >/dev/null || return 0
  apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' | awk '$1 $2 == "DebianDebian" { print $3; exit }'
}
mirror=${MIRROR:-$(mirror_of_this_machine)}
if [[ -z $mirror ]]; then
  apt-get update >/dev/null 2>&1 || true
  mirror=$(mirror_of_this_machine)
fi
start=$SECONDS
debootstrap --variant=minbase --include=git,make,ca-certificates "$suite" "$root" ${mirror:+"$mirror"} >"$root.log" 2>&1 ||
  { tail -n 20 "$root.log" "$root/debootstrap/debootstrap.log" 2>/dev/null || true; echo "make fresh: $suite: debootstrap failed" >&2; exit 1; }

# The way to the network is this machine's: proxies, certificates, names.
apt-config dump | grep -E '^Acquire::(https?::|Check-)' >"$root/etc/apt/apt.conf.d/99host" || true
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
if [[ -d /usr/local/share/ca-certificates ]]; then
  cp -r /usr/local/share/ca-certificates "$root/usr/local/share/"
  chroot "$root" update-ca-certificates >/dev/null 2>&1
fi
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/shm" "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
# Pseudo-terminals, which any machine has: boards in simulation are behind one.
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$root/dev/pts"
ln -sf pts/ptmx "$root/dev/ptmx"

# The folder may be another user's.
tree() { git -c safe.directory="$PWD" "$@"; }
mkdir "$root/root/tpu"
tree archive HEAD | tar -x -C "$root/root/tpu"
models=${TPU_MODELS_DIR-../shared/models}
if [[ -d $models ]]; then
  mkdir "$root/root/shared"
  cp -r "$models" "$root/root/shared/models"
fi
limit=()
in_root() {
  local name environment=()
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY CI; do
    [[ ! -v $name ]] || environment+=("$name=${!name}")
  done
  "${limit[@]}" chroot "$root" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${environment[@]}" "$@"
}

echo "make fresh: $suite from ${mirror:-debootstrap\'s mirror} after $((SECONDS - start)) s, commit $(tree rev-parse --short HEAD)"
times=()
limited=
for target in "${targets[@]}"; do
  if [[ $target == -- ]]; then limited=1; continue; fi
  [[ -z $limited ]] || limit=(nice -n 19 timeout --kill-after=20 $((FRESH_LIMIT > SECONDS ? FRESH_LIMIT - SECONDS : 1)))
  start=$SECONDS
  options=()
  [[ $target != sim ]] || options=(ARGS=--json=/root/sim.json)
  in_root make -C /root/tpu JOBS="$jobs" "$target" "${options[@]}" </dev/null &
  # Signals end a wait, but not a program in the foreground.
  status=0
  wait $! || status=$?
  if [[ -n $limited && ($status -eq 124 || $status -eq 137) ]]; then
    echo "make fresh: $suite: make $target UNFINISHED after $((SECONDS - start)) s"
    exit 3
  fi
  [[ $status -eq 0 ]] || { echo "make fresh: $suite: make $target FAILED after $((SECONDS - start)) s" >&2; exit 1; }
  times+=("make $target $((SECONDS - start)) s")
done
limit=()
speed=
if [[ " ${targets[*]} " == *" sim "* ]]; then
  speed="; simulation $(in_root python3 -c 'import json
runs = [run for run in json.load(open("/root/sim.json")) if "sim_seconds" in run]
print(round(sum(run["cycles"] for run in runs) / sum(run["sim_seconds"] for run in runs) / 1000))') kHz"
fi
printf -v all ', %s' "${times[@]}"
echo "make fresh: $suite ok: ${all:2} (packages and building included)$speed"
