#!/usr/bin/env bash
# Makes the .mir files from the .ll files beside them, with llc 22. See server/tools/makeStartFiles.cjs.
set -euo pipefail
cd "$(dirname "$0")"
make() { # NAME OF.ll OPTIONS...
  local name=$1 source=$2
  shift 2
  { echo "# RUN: llc $* %s"; ${LLC:-llc-22} "$@" -stop-before=machine-scheduler "$source.ll" -o -; } >"$name.mir"
}
make kernel kernel -mtriple=amdgcn-amd-amdhsa -mcpu=gfx950
make calls calls -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a
make shader shader -mtriple=amdgcn-mesa-mesa3d -mcpu=gfx1200
make debug debug -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900
