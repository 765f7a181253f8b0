#!/bin/sh
# Installs what some tests drive: Chromium and PostgreSQL, from Debian's packages.
# Where apt is missing or we may not use it, says so and goes on: those tests skip with a reason.
set -u
need=""
command -v chromium-headless-shell >/dev/null 2>&1 || need="$need chromium-headless-shell fonts-noto-core"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || need="$need postgresql"
[ -z "$need" ] && exit 0
if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" != 0 ]; then
  echo "To run every test install:$need" >&2
  exit 0
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086
apt-get install -y -qq $need >/dev/null || echo "Could not install:$need; some tests will skip." >&2
