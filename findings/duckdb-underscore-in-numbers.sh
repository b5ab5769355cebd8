#!/usr/bin/env bash
# @duckdb/node-api@1.5.6-r.1
# A text with an underscore between digits can be cast to a number: the contract 2024_01 is 202401. The manual has the underscore for
# numbers that are written in SQL; TRY_CAST, by which people test whether a cell of a file is a number, takes it from the data too.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save @duckdb/node-api@1.5.6-r.1 > /dev/null

cat > run.mjs <<'END'
import { DuckDBInstance } from '@duckdb/node-api'
const connection = await (await DuckDBInstance.create(':memory:')).connect()
for (const [text, type] of [['2024_01', 'INTEGER'], ['1_2.5', 'DECIMAL(9, 2)'], ['1__2', 'INTEGER'], ['12_', 'INTEGER']]) {
  const reader = await connection.runAndReadAll(`SELECT TRY_CAST('${text}' AS ${type})`)
  console.log(text, '->', reader.getRowsJson()[0][0])
}
END
cat > expected <<'END'
2024_01 -> 202401
1_2.5 -> 12.50
1__2 -> null
12_ -> null
END

node run.mjs | tee seen
cmp -s expected seen || {
  echo 'DuckDB casts texts with underscores in another way now.' >&2
  exit 1
}
