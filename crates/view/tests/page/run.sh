#!/usr/bin/env bash
# The tests of the page: the reader of films in node, the page in Debian's Chromium. Installs playwright-core and axe-core from
# the package registry outside the repository, and no browser. Missing tools are reported, and their tests skipped.
#
#   bash crates/view/tests/page/run.sh            units, damaged films, the page, the playground, real runs
#   bash crates/view/tests/page/run.sh speed      how long frames take, and memory while playing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

if ! command -v node >/dev/null || [ "$(node -p 'parseInt(process.versions.node)')" -lt 20 ]; then
    echo "SKIPPED: the tests of the page need node 20 or later"
    exit 0
fi
if [ "${1:-page}" = page ]; then
    node --test --test-reporter=spec units.test.mjs fuzz.test.mjs
fi
chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
if [ -z "$chromium" ]; then
    echo "SKIPPED: the page in a browser needs chromium (apt-get install chromium)"
    exit 0
fi
export CHROMIUM=$chromium
export PAGE_TEST_MODULES=${PAGE_TEST_MODULES:-${XDG_CACHE_HOME:-$HOME/.cache}/acrasin-page-tests}
if [ ! -d "$PAGE_TEST_MODULES/node_modules/axe-core" ]; then
    mkdir -p "$PAGE_TEST_MODULES"
    if ! npm install --silent --no-audit --no-fund --prefix "$PAGE_TEST_MODULES" playwright-core axe-core; then
        echo "SKIPPED: the page in a browser needs playwright-core and axe-core, which npm cannot install here"
        exit 0
    fi
fi
if [ "${1:-page}" = page ]; then
    node --test --test-reporter=spec --test-concurrency=2 page.test.mjs playground.test.mjs runs.test.mjs
else
    node --test --test-reporter=spec "$1.test.mjs"
fi
