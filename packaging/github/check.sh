#!/usr/bin/env bash
# What action.yml runs: check with findings as GitHub's annotations, and against the base where there is one. Takes its inputs from the
# environment: FILES, BASELINE, MODEL, OPTIONS, AMDGPU_MIR. Exit code: 1 when something is wrong or has become worse.
set -uo pipefail
read -r -a command <<<"$AMDGPU_MIR"
read -r -a files <<<"${FILES:-.}"
read -r -a options <<<"${OPTIONS:-}"
options+=("--model=${MODEL:-auto}")
work="$(mktemp -d)"
trap 'git worktree remove --force "$work/base" >/dev/null 2>&1; rm -rf "$work"' EXIT

status=0
"${command[@]}" check --format=github "${options[@]}" "${files[@]}" || status=1

if [ -n "${BASELINE:-}" ]; then
  git cat-file -e "$BASELINE^{commit}" 2>/dev/null || git fetch --quiet --depth=1 origin "$BASELINE" || true
  if git worktree add --quiet --detach "$work/base" "$BASELINE"; then
    # Files that the base does not have are new: there is nothing to compare them with.
    known=()
    for file in "${files[@]}"; do [ -e "$work/base/$file" ] && known+=("$file"); done
    if [ ${#known[@]} -gt 0 ]; then
      (cd "$work/base" && "${command[@]}" check --json "${options[@]}" "${known[@]}") >"$work/base.json" 2>/dev/null
      "${command[@]}" check "--baseline=$work/base.json" "${options[@]}" "${known[@]}" || status=1
    fi
  else
    echo "::warning::no comparison: the base $BASELINE is not in the repository"
  fi
fi
exit $status
