#!/bin/sh
# Makes lackedOpcodes.ts of a release by asking its assembler about every mnemonic on every processor: the installed llvm-mc, or with `llvm-24` triton's
# library (LLVM24_PYTHON has it). Takes minutes.
# Debian packages: g++ llvm-22 llvm-22-dev.
# usage: build.sh [llvm-24]
set -e
cd "$(dirname "$0")"
CONFIG=${LLVM_CONFIG:-llvm-config-22}
command -v "$CONFIG" >/dev/null || { echo "need llvm-22-dev ($CONFIG)" >&2; exit 1; }
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT
${CXX:-g++} -std=c++17 -O1 -w -I"$("$CONFIG" --includedir)" mnemonics.cpp -o "$TMP/mnemonics" -L"$("$CONFIG" --libdir)" -lLLVM-22
"$TMP/mnemonics" >"$TMP/list"
node --import tsx pack.ts "$TMP/list" "$@"
