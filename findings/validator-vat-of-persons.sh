#!/usr/bin/env bash
# validator@13.15.35
# isVAT for ES accepts the numbers of persons and refuses those of companies: its pattern demands a letter at the end, and the number of a
# company (A, B and others) ends with a digit. B12345674 has the right check digit: 2+6+1+5+2+3+7 = 26, and 4 completes 30.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save validator@13.15.35 > /dev/null

cat > run.mjs <<'END'
import validator from 'validator'
for (const number of ['B12345674', 'ESB12345674', '12345678Z', 'X1234567L'])
  console.log(number, validator.isVAT(number, 'ES'))
END
cat > expected <<'END'
B12345674 false
ESB12345674 false
12345678Z true
X1234567L true
END

node run.mjs | tee seen
cmp -s expected seen || {
  echo 'validator judges Spanish VAT numbers in another way now.' >&2
  exit 1
}
