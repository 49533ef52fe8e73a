#!/bin/sh
# Makes an llc of a libLLVM.so. Needs g++, binutils and llvm-22-dev. The library of rocm-bindings-compiler wants a libz and a libzstd of its own,
# which compress nothing here: stand-ins that abort are made beside it.
# usage: build.sh LIBLLVM.so OUT
set -e
HERE=$(cd "$(dirname "$0")" && pwd)
LIB=$(cd "$(dirname "$1")" && pwd)
VERSION=AMDROCM_SYSDEPS_1.0
rm -f "$LIB"/librocm_sysdeps_*.so.1
NAMES=$(nm -D --undefined-only "$1" | sed -n "s/.* U \(.*\)@$VERSION\$/\1/p")
if [ -n "$NAMES" ]; then
  WORK=$(mktemp -d)
  printf '#include <stdlib.h>\n' >"$WORK/none.c"
  for NAME in $NAMES; do printf 'void %s(void) { abort(); }\n' "$NAME" >>"$WORK/none.c"; done
  printf '%s { global: *; };\n' "$VERSION" >"$WORK/versions"
  for NAME in z zstd; do
    gcc -w -fno-builtin -shared -fPIC -Wl,--version-script="$WORK/versions" -Wl,-soname=librocm_sysdeps_$NAME.so.1 "$WORK/none.c" -o "$LIB/librocm_sysdeps_$NAME.so.1"
  done
  rm -r "$WORK"
fi
g++ -std=c++17 -O1 -DNDEBUG -D_GNU_SOURCE -fno-rtti -w -I"$(llvm-config-22 --includedir)" "$HERE/llc.cpp" -o "$2" "$1" -ldl "-Wl,-rpath,$LIB"
