// Packs what is published, looks into it, installs it in an empty folder as others do, and tries it there: the core
// embedded, the server and the client, on each supported version of Node.js that a Node of one's own is not.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forBrowsers } from './published/browser.mjs'
import { contents } from './published/contents.mjs'
import { install, nodes } from './published/install.mjs'
import { lint } from './published/lint.mjs'
import { pack } from './published/pack.mjs'
import { contracts, trials } from './published/tries.mjs'

const folder = mkdtempSync(join(tmpdir(), 'published-'))
let failed = 0
const report = (title, faults) => {
  failed += faults.length
  console.log(`${faults.length === 0 ? 'ok' : 'FAILED'}: ${title}`)
  for (const fault of faults) console.error(`  ${fault}`)
}

try {
  const packed = pack(folder)
  report(`what is in the tarballs of ${packed.length} packages`, packed.flatMap(contents))
  report('publint --strict and attw', await lint(packed))
  const project = install(join(folder, 'project'), packed)
  report('the client for browsers', await forBrowsers(project))
  for (const [version, node] of nodes(join(folder, 'nodes'))) {
    report(`installed in an empty folder, on Node.js ${version}`, await trials(project, node))
    if (node !== process.execPath) report(`contracts of all ports, on Node.js ${version}`, contracts(node))
  }
} finally {
  rmSync(folder, { recursive: true })
}
process.exitCode = failed === 0 ? 0 : 1
