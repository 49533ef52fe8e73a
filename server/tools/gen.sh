#!/bin/sh
# Remakes server/src/target/llvm22 from the installed LLVM, and the answers of LLVM that the unit tests compare with.
# Debian packages: see extract/build.sh. Takes about half a minute.
# usage: npm run gen        (keeps its objects and facts.json in out/extract)
set -e
cd "$(dirname "$0")/../.."
OUT=out/extract
sh server/tools/extract/build.sh "$OUT"
"$OUT/extract" >"$OUT/facts.json"
# LLVM also says on stderr which features a processor does not support; that is no answer.
"$OUT/extract" --golden 2>"$OUT/golden.log" >test/fixtures/target/llvm.json
node --import tsx server/tools/pack/pack.ts "$OUT/facts.json"
"$OUT/extract" --r600 >"$OUT/r600.json"
node --import tsx server/tools/pack/r600.ts "$OUT/r600.json"
sh server/tools/lackedOpcodes/build.sh
