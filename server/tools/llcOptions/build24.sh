#!/bin/sh
# Makes server/src/commandLine/generated/llcOptions24.ts: how the options of LLVM 24 differ, from the library in triton's wheel (../shared/oracle24 says which).
# Debian packages: g++ llvm-22-dev, whose headers fit; a Python of the wheel's.
# usage: build24.sh LIBTRITON.so [PYTHON]
set -e
cd "$(dirname "$0")"
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT
${CXX:-g++} -std=c++17 -O1 -fPIC -shared -w -DLLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING=1 -I"$("${LLVM_CONFIG:-llvm-config-22}" --includedir)" dump.cpp -o "$TMP/dump.so"
"${2:-python3}" options24.py "$1" "$TMP/dump.so" >"$TMP/options"
node --import tsx pack24.ts 24.0.0git "$TMP/options"
