#!/usr/bin/env bash
# Installs a real VS Code for test/vscode into .vscode-test/host (git-ignored): code-server's copy of the VS Code server,
# the Node that it wants, playwright-core to drive a browser, and Debian's chromium as that browser; into .vscode-test/web VS Code for the Web.
# About 100 s on a fresh machine, a second when it is there already. Exit 3: cannot be had here (no network, no apt).
set -uo pipefail
cd "$(dirname "$0")"
target="$(cd ../.. && pwd)/.vscode-test/host"
web="$(cd ../.. && pwd)/.vscode-test/web"
say() { echo "[vscode-host ${SECONDS}s] $*"; }
unavailable() { say "not available: $*"; exit 3; }

# `done` names the pinned versions, so that a change of host/package.json installs anew.
stamp="$target/.installed"
if [ -f "$stamp" ] && cmp -s host/package.json "$stamp" && cmp -s web/package.json "$web/.installed" && command -v chromium >/dev/null; then
  say "already installed"
  exit 0
fi
[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || unavailable "needs Linux on x86-64"

if ! command -v chromium >/dev/null; then
  command -v apt-get >/dev/null || unavailable "no chromium and no apt-get"
  sudo=""; [ "$(id -u)" = 0 ] || sudo="sudo -n"
  $sudo apt-get update -qq || say "apt-get update failed: going on with the lists that are here"
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends chromium >/dev/null || unavailable "chromium"
fi
say "chromium $(chromium --version 2>/dev/null | head -n 1)"

rm -f "$stamp"
mkdir -p "$target"
cp host/package.json "$target/package.json"
npm_quiet() { npm --no-audit --no-fund --loglevel=error "$@"; }
# No install scripts: the binaries lie in the packages themselves.
(cd "$target" && npm_quiet install --ignore-scripts) || unavailable "code-server from npm"
say "code-server, node, playwright-core"
code="$target/node_modules/code-server/lib/vscode"
# `npm ci` refuses the lock file that ships here; `install` completes it.
(cd "$code" && npm_quiet install --omit=dev --ignore-scripts) || unavailable "the VS Code server's own packages"
# Not used by any test, and most of the size.
rm -rf "$code/node_modules/@github" "$code/node_modules/@microsoft/mxc-sdk" "$code/extensions/copilot"
find "$code/node_modules/@vscode/ripgrep-universal/bin" -mindepth 1 -maxdepth 1 ! -name linux-x64 -exec rm -rf {} + 2>/dev/null
# Without the native log and watchdog modules VS Code works, but complains on its console.
(cd "$code" && npm_quiet rebuild @vscode/spdlog @vscode/native-watchdog >/dev/null 2>&1) || say "native log module not built: noisy logs, nothing else"
mkdir -p "$web"
rm -f "$web/.installed"
cp web/package.json "$web/package.json"
(cd "$web" && npm_quiet install --ignore-scripts) || unavailable "VS Code for the Web from npm"
cp web/package.json "$web/.installed"
say "VS Code for the Web"
cp host/package.json "$stamp"
say "ready, $(du -sh "$target" | cut -f1)"
