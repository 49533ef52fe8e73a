#!/bin/sh
# Makes server/src/commandLine/generated/llcOptions.ts: the options that the installed llc registers.
# Debian packages: g++ llvm-22 llvm-22-dev.
# usage: build.sh
set -e
cd "$(dirname "$0")"
CONFIG=${LLVM_CONFIG:-llvm-config-22}
command -v "$CONFIG" >/dev/null || { echo "need llvm-22-dev ($CONFIG)" >&2; exit 1; }
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT
${CXX:-g++} -std=c++17 -O1 -fPIC -shared -w -I"$("$CONFIG" --includedir)" dump.cpp -o "$TMP/dump.so"
# llc says on stderr which empty values it does not take.
LD_PRELOAD=$TMP/dump.so "${LLC:-llc-22}" >"$TMP/options" 2>"$TMP/log"
node --import tsx pack.ts "$("$CONFIG" --version)" "$("$CONFIG" --libdir)" "$TMP/options"
