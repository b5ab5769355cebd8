#!/usr/bin/env bash
# csv-parse@7.0.3
# With cast_date, addresses become dates: Date.parse of the engine skips words that it does not know, so Calle Mayor 12 is the 12th of May
# 2001, Bajo 1 the first of January, and a street with the number 40 a day of the year 2040. The documentation speaks of dates alone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save csv-parse@7.0.3 > /dev/null

cat > run.mjs <<'END'
import { parse } from 'csv-parse/sync'
const [row] = parse('C-17;Calle Mayor 12;Bajo 1;Calle Sol 40;2.0TD\n', { delimiter: ';', cast: true, cast_date: true })
for (const cell of row) console.log(cell instanceof Date ? `a date in ${cell.getFullYear()}` : cell)
END
cat > expected <<'END'
C-17
a date in 2001
a date in 2001
a date in 2040
2.0TD
END

node run.mjs | tee seen
cmp -s expected seen || {
  echo 'csv-parse casts addresses with cast_date in another way now.' >&2
  exit 1
}
