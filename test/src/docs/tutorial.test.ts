import { spawnSync } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import test from 'ava'
import { root, textOf } from '../support/repository.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'

const page = 'docs/tutorials/from-a-csv-export.md'
const blocks = [...textOf(page).matchAll(/```(?:sh|text) (tutorial\S*)\n([^`]*)```/g)]

test('the tutorial for a CSV export does what it says, from the export to the mapping', async (t) => {
  const folder = await tempFolder(t)
  const dataDir = join(folder, 'data')
  await mkdir(dataDir, { mode: 0o700 })
  const { address } = await serveProcess(t, { DATA_DIR: dataDir }, ['--demo'])
  let shown = ''
  for (const [block, kind, text = ''] of blocks) {
    if (block.startsWith('```text')) {
      t.true(shown.includes(text), `${text}\n--- is not in\n${shown}`)
      continue
    }
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail'], {
      cwd: root,
      env: {
        PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
        HOME: process.env['HOME'] ?? '',
      },
      input: text.replaceAll('http://127.0.0.1:8080', address).replaceAll('data/', `${dataDir}/`),
      encoding: 'utf8',
    })
    shown = stdout + stderr
    t.is(status, kind === 'tutorial' ? 0 : 1, shown)
  }
  t.true(blocks.length > 4)
  t.regex(shown, /^created: +12$/m)
  const mapping = (await readFile(join(dataDir, 'mapping.csv'), 'utf8')).trim().split(/\r?\n/)
  t.is(mapping.length, 13)
})
