#!/usr/bin/env bash
# fast-xml-parser@5.12.1
# References to characters by number stay as they are, while those by name are replaced: Ca&#241;a is not Caña. XML 1.0 (4.1 and 4.4)
# demands both of every processor, without a DTD too. The option htmlEntities replaces them, and it is off.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save fast-xml-parser@5.12.1 > /dev/null

cat > run.mjs <<'END'
import { XMLParser } from 'fast-xml-parser'
const xml = '<cliente><nombre>Ca&#241;a &amp; Hijos</nombre><calle>Pe&#xF1;a</calle></cliente>'
console.log(JSON.stringify(new XMLParser().parse(xml)))
console.log(JSON.stringify(new XMLParser({ htmlEntities: true }).parse(xml)))
END
cat > expected <<'END'
{"cliente":{"nombre":"Ca&#241;a & Hijos","calle":"Pe&#xF1;a"}}
{"cliente":{"nombre":"Caña & Hijos","calle":"Peña"}}
END

node run.mjs | tee seen
cmp -s expected seen || {
  echo 'fast-xml-parser treats references to characters in another way now.' >&2
  exit 1
}
