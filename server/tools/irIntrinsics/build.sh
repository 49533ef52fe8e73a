#!/bin/sh
# Makes server/src/ir/generated/intrinsicTable.ts from the intrinsics of the installed LLVM.
# Debian packages: g++ llvm-22-dev.
# usage: build.sh
set -e
cd "$(dirname "$0")"
CONFIG=${LLVM_CONFIG:-llvm-config-22}
command -v "$CONFIG" >/dev/null || { echo "need llvm-22-dev ($CONFIG)" >&2; exit 1; }
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT
# shellcheck disable=SC2046
${CXX:-g++} -std=c++17 -O1 -I$("$CONFIG" --includedir) irIntrinsics.cpp -o "$TMP/list" $("$CONFIG" --ldflags --link-shared --libs core)
"$TMP/list" | LC_ALL=C sort >"$TMP/lines"
OUT=../../src/ir/generated/intrinsicTable.ts
awk -F'\t' -v version="$("$CONFIG" --version)" '
  BEGIN { n = nSig = nAtt = 0 }
  !($2 in sig) { sig[$2] = nSig; sigs[nSig++] = $2 }
  !($3 in att) { att[$3] = nAtt; atts[nAtt++] = $3 }
  { names[n++] = $1 ";" sig[$2] ";" att[$3] }
  END {
    print "/** Made by server/tools/irIntrinsics/build.sh from LLVM " version ". Do not edit. */\n"
    print "/** `NAME;SIGNATURE;ATTRIBUTES` (names without `llvm.`, indices into the lists below), sorted by name, one a line */"
    print "export const INTRINSICS = (): string => `"
    for (i = 0; i < n; i++) print names[i]
    print "`;\n\n/** signatures, one a line (see intrinsics.ts) */\nexport const SIGNATURES = (): string => `"
    for (i = 0; i < nSig; i++) print sigs[i]
    print "`;\n\n/** `FUNCTION|RESULT|PARAMETER...` attributes in IR syntax, one a line */\nexport const ATTRIBUTES = (): string => `"
    for (i = 0; i < nAtt; i++) print atts[i]
    print "`;"
  }' "$TMP/lines" >"$OUT"
