import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { outcomeOf } from '../support/cli-process.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { mariaDbAvailable, startMariaDb } from '../servers/index.js'
import { quickNpx } from './quick-npx.js'
import { blocksOf, withoutChance } from './readme.js'
import { root, textOf } from '../support/repository.js'

/** Runs blocks of the README one after the other in one shell, in the folder of the project. */
const runBlocks = async (
  t: ExecutionContext,
  blocks: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> => {
  t.true(blocks.length > 0, 'the README has no such block')
  const path = [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter)
  const shell = spawn('bash', ['-e', '-o', 'pipefail'], {
    cwd: root,
    env: { PATH: path, HOME: process.env['HOME'] ?? '', ...environment },
  })
  shell.stdin.end(quickNpx + blocks.join('\n'))
  const { code, stdout, stderr } = await outcomeOf(shell)
  t.is(code, 0, `${stdout}\n${stderr}`)
  // What people are told goes to stderr.
  return stdout + stderr
}

test('the tour by curl answers what the README shows', async (t) => {
  const dataDir = await tempFolder(t)
  const { address } = await serveProcess(t, { DATA_DIR: dataDir }, ['--demo'])
  const elsewhere = (block: string): string =>
    block
      .replaceAll('http://127.0.0.1:8080', address)
      .replaceAll('data/demo-api-key', join(dataDir, 'demo-api-key'))
  const answered = await runBlocks(t, blocksOf('sh', 'tour').map(elsewhere))
  t.is(withoutChance(answered), withoutChance(blocksOf('text', 'tour').join('')))
  const shown = await runBlocks(t, blocksOf('sh', 'operate'), { DATA_DIR: dataDir })
  t.regex(shown, /^aik_/m)
  t.regex(shown, /LEV-G-000123/)
})

test('the check of a file offline writes what the README names', async (t) => {
  const folder = await tempFolder(t)
  const [block = ''] = blocksOf('sh', 'offline')
  const names = ['report.html', 'failed.ndjson', 'errors.csv']
  const elsewhere = names.reduce((text, name) => text.replace(name, join(folder, name)), block)
  const shown = await runBlocks(t, [`${elsewhere.trimEnd()} || test $? = 1`])
  t.regex(shown, /^Checked 3 accounts/m)
  t.deepEqual((await readdir(folder)).sort(), names.toSorted())
})

test('the import of a file creates what is valid, and says what the README names', async (t) => {
  const dataDir = await tempFolder(t)
  const { address } = await serveProcess(t, { DATA_DIR: dataDir }, ['--demo'])
  const [block = ''] = blocksOf('sh', 'import')
  const elsewhere = block
    .replaceAll('http://127.0.0.1:8080', address)
    .replaceAll('data/demo-api-key', join(dataDir, 'demo-api-key'))
    .replace('mapping.csv', join(dataDir, 'mapping.csv'))
    .replace('--failures failed.ndjson', `--failures ${join(dataDir, 'failed.ndjson')} || test $? = 1`)
  const shown = await runBlocks(t, [elsewhere])
  t.regex(shown, /^3 accounts in .*\ncreated 2, failed 1\.$/m)
  t.regex(shown, /^created: +2$/m)
  t.true((await readdir(dataDir)).includes('mapping.csv'))
})

test('the example shown is the example that runs', (t) => {
  t.deepEqual(blocksOf('ts', 'example'), [textOf('examples/embed-in-memory/src/main.ts')])
  t.regex(textOf('examples/embed-in-memory/package.json'), /"start": "node dist\/main.js"/)
})

test('every npm command of the README is a script of the project', (t) => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  const named = [...textOf('README.md').matchAll(/npm (?:run ([\w:-]+)|(start|test))/g)]
  t.true(named.length > 4)
  for (const [command, script, short] of named) t.truthy(scripts[script ?? short ?? ''], command)
})

if (mariaDbAvailable())
  test('the commands for a database server bring an empty one to its first import', async (t) => {
    const database = await startMariaDb()
    t.teardown(() => database.stop())
    const url = await database.createDatabase()
    const [block = ''] = blocksOf('sh', 'mysql')
    const serve = 'node_modules/.bin/account-import serve\n'
    t.true(block.endsWith(serve))
    const folder = await tempFolder(t)
    const inFolder = (text: string): string => text.replaceAll(/\bdata\//g, `${folder}/`)
    const commands = inFolder(block.slice(0, -serve.length))
      .replace(/mysql:\/\/[^']+/, url)
      .concat('npx account-import migrate --status --json\necho "KEY $TOKEN_SIGNING_KEY"\n')
    const shown = await runBlocks(t, [commands])
    t.regex(shown, /"pending":\[\]/)
    const { address } = await serveProcess(t, {
      DATABASE_URL: url,
      TOKEN_SIGNING_KEY: /KEY (\S+)/.exec(shown)?.[1] ?? '',
      DOCUMENT_STORAGE_URL: `file:${join(folder, 'documents')}`,
    })
    const [first = ''] = blocksOf('sh', 'mysql-import')
    const imported = inFolder(first)
      .replace('http://127.0.0.1:8080', address)
      .replace('mapping.csv', join(folder, 'mapping.csv'))
      .replace('failed.ndjson', join(folder, 'failed.ndjson'))
    t.regex(await runBlocks(t, [`${imported.trimEnd()} || test $? = 1`]), /^created 2, failed 1\.$/m)
    const ready = (await (await fetch(`${address}/readyz`)).json()) as { status: string }
    t.is(ready.status, 'ready')
  })
