#!/bin/sh
# Builds the extractor. Debian packages: g++ llvm-22-dev zlib1g-dev libxml2-dev libzstd1 (lld-22 and clang-22 make
# linking much faster).
# usage: build.sh OUTDIR
set -e
OUT=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"
CONFIG=${LLVM_CONFIG:-llvm-config-22}
command -v "$CONFIG" >/dev/null || { echo "need llvm-22-dev ($CONFIG)" >&2; exit 1; }
FLAGS="-std=c++17 -O1 -DNDEBUG -D_GNU_SOURCE -Wall -Wno-comment -I$("$CONFIG" --includedir)"
OBJECTS=
JOBS=
for SOURCE in *.cpp; do
  OBJECT=$OUT/${SOURCE%.cpp}.o
  OBJECTS="$OBJECTS $OBJECT"
  [ -f "$OBJECT" ] && [ -z "$(find . -newer "$OBJECT" \( -name '*.h' -o -name "$SOURCE" \) -print -quit)" ] && continue
  # shellcheck disable=SC2086
  ${CXX:-g++} $FLAGS -c "$SOURCE" -o "$OBJECT" &
  JOBS="$JOBS $!"
done
for JOB in $JOBS; do wait "$JOB"; done
LIBS="-L$("$CONFIG" --libdir) -Wl,--start-group $("$CONFIG" --link-static --libs amdgpu codegen asmparser) -Wl,--end-group"
SYSTEM="-lz -l:libzstd.so.1 -lxml2 -ldl -lm -lpthread"
if command -v clang++-22 >/dev/null && command -v ld.lld-22 >/dev/null; then
  LINK="clang++-22 -fuse-ld=lld"
else
  LINK=${CXX:-g++}
fi
# shellcheck disable=SC2086
$LINK $OBJECTS -o "$OUT/extract" $LIBS $SYSTEM
