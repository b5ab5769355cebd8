#!/usr/bin/env bash
# date-fns@4.4.0
# eachHourOfInterval lists 24 of the 25 hours of the last Sunday of October in Spain. It walks by the hour on the clock, and 02:00
# comes twice: the second one is left out, and nothing says so. The day of 23 hours is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save date-fns@4.4.0 > /dev/null

cat > run.mjs <<'END'
import { eachHourOfInterval } from 'date-fns'
const hours = (start, end) => eachHourOfInterval({ start: new Date(start), end: new Date(end) })
const long = hours('2026-10-24T22:00:00Z', '2026-10-25T22:00:00Z')
console.log(long.length, 'hours from', long[0].toISOString(), 'to', long.at(-1).toISOString())
console.log('01:00 UTC is listed:', long.some((hour) => hour.toISOString() === '2026-10-25T01:00:00.000Z'))
console.log(hours('2026-03-28T23:00:00Z', '2026-03-29T21:00:00Z').length, 'hours on the short day')
END
cat > expected <<'END'
24 hours from 2026-10-24T22:00:00.000Z to 2026-10-25T22:00:00.000Z
01:00 UTC is listed: false
23 hours on the short day
END

TZ=Europe/Madrid node run.mjs | tee seen
cmp -s expected seen || {
  echo 'date-fns lists the hours of a day of 25 hours in another way now.' >&2
  exit 1
}
