#!/usr/bin/env bash
# dayjs@1.11.23
# A time in a zone, plus one hour, is the same instant: 00:30 UTC + 1 hour = 00:30 UTC, on the long day of October, if the process runs in
# the zone that the time has. In a process in UTC the instant is right, but it is shown as 03:30+02:00, an offset that has ended.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save dayjs@1.11.23 > /dev/null

cat > run.mjs <<'END'
import dayjs from 'dayjs'
import timezone from 'dayjs/plugin/timezone.js'
import utc from 'dayjs/plugin/utc.js'
dayjs.extend(utc)
dayjs.extend(timezone)
const before = dayjs.utc('2026-10-25T00:30:00Z').tz('Europe/Madrid')
const after = before.add(1, 'hour')
console.log(process.env.TZ, before.toISOString(), '+ 1 hour =', after.toISOString(), after.format())
END
cat > expected <<'END'
Europe/Madrid 2026-10-25T00:30:00.000Z + 1 hour = 2026-10-25T00:30:00.000Z 2026-10-25T02:30:00+02:00
UTC 2026-10-25T00:30:00.000Z + 1 hour = 2026-10-25T01:30:00.000Z 2026-10-25T03:30:00+02:00
END

{ TZ=Europe/Madrid node run.mjs; TZ=UTC node run.mjs; } | tee seen
cmp -s expected seen || {
  echo 'dayjs adds an hour on the day of 25 hours in another way now.' >&2
  exit 1
}
