#!/bin/sh
# Remakes server/src/target/llvm24 from the library of LLVM main in triton's wheel (see extract24/README.md). Needs what gen.sh needs, Python 3.10
# or later, and minutes.
# With the libLLVM.so of rocm-bindings-compiler 10.0 (on which llcOfLibrary/build.sh was run: it wants a libz of its own), server/src/target/rocm10, too.
# usage: sh server/tools/gen24.sh LIBTRITON.so [LIBLLVM.so]
set -e
cd "$(dirname "$0")/../.."
OUT=out/extract
sh server/tools/extract/build.sh "$OUT"
"$OUT/extract" >"$OUT/facts.json"
python3 server/tools/extract24/extract.py "$1" "$OUT/facts.json" >"$OUT/facts24.json"
node --import tsx server/tools/pack/pack.ts "$OUT/facts24.json" --difference server/src/target/llvm24/tables.ts LLVM24 llvm22
python3 server/tools/extract24/intrinsics.py "$1" server/src/ir/generated/intrinsicTable.ts >"$OUT/intrinsicChanges.ts"
mv "$OUT/intrinsicChanges.ts" server/src/target/llvm24/intrinsicChanges.ts
node --import tsx server/tools/pack/releaseNames.ts server/src/target/llvm24/names.ts
sh server/tools/lackedOpcodes/build.sh llvm-24
[ -n "$2" ] || exit 0
python3 server/tools/extract24/extract.py "$2" "$OUT/facts.json" >"$OUT/facts10.json"
node --import tsx server/tools/pack/pack.ts "$OUT/facts10.json" --difference server/src/target/rocm10/tables.ts ROCM10 llvm24
