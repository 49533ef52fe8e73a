#!/bin/sh
# Makes server/src/analysis/verifier/generated/intrinsics.ts from the intrinsics of the installed LLVM.
# Debian packages: g++ llvm-22-dev.
# usage: build.sh
set -e
cd "$(dirname "$0")"
CONFIG=${LLVM_CONFIG:-llvm-config-22}
command -v "$CONFIG" >/dev/null || { echo "need llvm-22-dev ($CONFIG)" >&2; exit 1; }
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT
# shellcheck disable=SC2046
${CXX:-g++} -std=c++17 -O1 -I$("$CONFIG" --includedir) intrinsics.cpp -o "$TMP/intrinsics" $("$CONFIG" --ldflags --link-shared --libs core)
"$TMP/intrinsics" >"$TMP/list"
OUT=../../src/analysis/verifier/generated/intrinsics.ts
{
  echo "/** Made by server/tools/intrinsics/build.sh from LLVM $("$CONFIG" --version). Do not edit. */"
  for KIND in '0 0 NEITHER' '0 1 CONVERGENT' '1 0 MEMORY' '1 1 MEMORY_CONVERGENT'; do
    set -- $KIND
    echo
    echo "/** accesses memory: $1, convergent: $2; names without \`llvm.\`, one blank between */"
    printf "export const %s =\n  '" "$3"
    grep "^$1 $2 " "$TMP/list" | sed 's/^. . llvm\.//' | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//'
    echo "';"
  done
} >"$OUT"
