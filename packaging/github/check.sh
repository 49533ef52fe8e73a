#!/usr/bin/env bash
# What action.yml runs: check with annotations of GitHub, compared with the base where there is one. Takes its inputs from the
# environment: FILES, BASELINE, MODEL, OPTIONS, AMDGPU_MIR. Writes tables to the summary of the job, if GITHUB_STEP_SUMMARY names it.
# Exit code: 1 when something is wrong or has become worse.
set -uo pipefail
read -r -a command <<<"$AMDGPU_MIR"
read -r -a files <<<"${FILES:-.}"
read -r -a options <<<"${OPTIONS:-}"
options+=("--model=${MODEL:-auto}")
work="$(mktemp -d)"
trap 'git worktree remove --force "$work/base" >/dev/null 2>&1; rm -rf "$work"' EXIT

status=0
report() {
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || "${command[@]}" check --format=markdown "$@" >>"$GITHUB_STEP_SUMMARY"
  "${command[@]}" check --format=github "$@" || status=1
}

# Files that the base does not have are new: there is nothing to compare them with.
known=()
fresh=("${files[@]}")
if [ -n "${BASELINE:-}" ]; then
  git cat-file -e "$BASELINE^{commit}" 2>/dev/null || git fetch --quiet --depth=1 origin "$BASELINE" || true
  if git worktree add --quiet --detach "$work/base" "$BASELINE"; then
    fresh=()
    for file in "${files[@]}"; do
      if [ -e "$work/base/$file" ]; then known+=("$file"); else fresh+=("$file"); fi
    done
  else
    echo "::warning::no comparison: the base $BASELINE is not in the repository"
  fi
fi
if [ ${#known[@]} -gt 0 ]; then
  (cd "$work/base" && "${command[@]}" check --json "${options[@]}" "${known[@]}") >"$work/base.json" 2>/dev/null
  report "--baseline=$work/base.json" "${options[@]}" "${known[@]}"
fi
[ ${#fresh[@]} -eq 0 ] || report "${options[@]}" "${fresh[@]}"
exit $status
