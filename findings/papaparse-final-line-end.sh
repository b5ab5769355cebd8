#!/usr/bin/env bash
# papaparse@5.7.1
# The line end at the end of a file decides which delimiter is guessed for a Spanish file with decimal commas: with it the comma, without
# it the semicolon. The empty row behind it counts as one of a single cell, which breaks the regular semicolons; skipEmptyLines avoids it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save papaparse@5.7.1 > /dev/null

cat > run.mjs <<'END'
import Papa from 'papaparse'
const rows = 'cliente;importe\nC-1;12,50\nC-2;3,40\nC-3;1,75'
const show = (text, config) => {
  const { data, meta } = Papa.parse(text, config)
  console.log(JSON.stringify(meta.delimiter), JSON.stringify(data[1]))
}
show(rows)
show(`${rows}\n`)
show(`${rows}\n`, { skipEmptyLines: true })
END
cat > expected <<'END'
";" ["C-1","12,50"]
"," ["C-1;12","50"]
";" ["C-1","12,50"]
END

node run.mjs | tee seen
cmp -s expected seen || {
  echo 'papaparse guesses the delimiter of a file with decimal commas in another way now.' >&2
  exit 1
}
