#!/usr/bin/env bash
# @duckdb/node-api@1.5.6-r.1
# The difference of two instants is an interval in days by the clock, and its length in seconds has 24 hours for each: midnight to midnight
# of the day of 25 hours is 86400 seconds, to 23:00 of that day 86400 too. epoch() of each instant, or date_diff, is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save @duckdb/node-api@1.5.6-r.1 > /dev/null

cat > run.mjs <<'END'
import { DuckDBInstance } from '@duckdb/node-api'
const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.run("SET TimeZone = 'Europe/Madrid'")
const sql = (end) => `SELECT epoch(b - a), epoch(b) - epoch(a), date_diff('hour', a, b)
  FROM (SELECT TIMESTAMPTZ '2026-10-25 00:00:00' AS a, TIMESTAMPTZ '${end}' AS b)`
for (const end of ['2026-10-25 12:00:00', '2026-10-25 23:00:00', '2026-10-26 00:00:00'])
  console.log(end, ...(await connection.runAndReadAll(sql(end))).getRowsJson()[0])
END
cat > expected <<'END'
2026-10-25 12:00:00 46800 46800 13
2026-10-25 23:00:00 86400 86400 24
2026-10-26 00:00:00 86400 90000 25
END

node run.mjs | tee seen
cmp -s expected seen || {
  echo 'DuckDB measures the day of 25 hours in another way now.' >&2
  exit 1
}
