#!/usr/bin/env bash
# @internationalized/number@3.6.9
# The parser of numbers for es-ES ignores a point wherever it stands: 12.34 is 1234 and 1.2 is 12, although a group has three digits.
# So an amount with a decimal point, pasted into a Spanish form, is a hundred times as high instead of being refused.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save @internationalized/number@3.6.9 > /dev/null

cat > run.mjs <<'END'
import { NumberParser } from '@internationalized/number'
const parser = new NumberParser('es-ES', { style: 'decimal' })
for (const text of ['1.204,10', '12.34', '1.2']) console.log(text, '->', parser.parse(text), parser.isValidPartialNumber(text))
END
cat > expected <<'END'
1.204,10 -> 1204.1 true
12.34 -> 1234 true
1.2 -> 12 true
END

node run.mjs | tee seen
cmp -s expected seen || {
  echo 'NumberParser reads a misplaced point in another way now.' >&2
  exit 1
}
