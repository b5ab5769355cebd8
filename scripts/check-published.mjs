// Builds the release, checks its contents, installs it in empty folders by the commands of the documentation, and tests it there:
// the embedded core, the server and the client, on each supported version of Node.js; and the archive for hosts in production,
// without npm. --here: only on the Node.js that runs this script, and without a second installation for the command line.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forBrowsers } from './published/browser.mjs'
import { contents } from './published/contents.mjs'
import { nodes, runningNode } from './published/nodes.mjs'
import { lint } from './published/lint.mjs'
import { runBlock } from './published/pages.mjs'
import { contracts, trials, triesOfArchive, triesOfTool } from './published/tries.mjs'
import { writeRelease } from './release/write-release.mjs'

const folder = mkdtempSync(join(tmpdir(), 'published-'))
const isHere = process.argv.includes('--here')
let failed = 0
const report = (title, faults) => {
  failed += faults.length
  console.log(`${faults.length === 0 ? 'ok' : 'FAILED'}: ${title}`)
  for (const fault of faults) console.error(`  ${fault}`)
}

try {
  const release = join(folder, 'account-import/release')
  const { packed } = writeRelease(release)
  report(`what is in the tarballs of ${packed.length} packages`, packed.flatMap(contents))
  report('publint --strict and attw', await lint(packed))
  const page = 'docs/how-to/install.md'
  const project = join(folder, 'my-platform')
  report(
    'the core alone, installed',
    runBlock(page, 'embed', folder).endsWith('function\n') ? [] : ['no use cases'],
  )
  runBlock(page, 'embed-all', project)
  const isVersion = (name) => (/^0\.\d+\.\d+$/m.test(runBlock(page, name, folder)) ? [] : ['no version'])
  report('the command line alone, installed', [
    ...isVersion('tool'),
    ...triesOfTool(join(folder, 'migration')),
  ])
  if (!isHere) report('the server, installed', isVersion('server'))
  report('the client for browsers', await forBrowsers(project))
  const tried = isHere ? [runningNode] : nodes(join(folder, 'nodes'))
  for (const [version, node] of tried) {
    report(`installed in an empty folder, on Node.js ${version}`, await trials(project, node))
    report(
      `unpacked from the archive, on Node.js ${version}`,
      await triesOfArchive(release, folder, project, node),
    )
    if (node !== process.execPath) report(`contracts of all ports, on Node.js ${version}`, contracts(node))
  }
} finally {
  rmSync(folder, { recursive: true })
}
process.exitCode = failed === 0 ? 0 : 1
