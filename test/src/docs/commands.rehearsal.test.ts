import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { freePort, mariaDbAvailable, startMariaDb } from '../servers/index.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { root } from '../support/repository.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { blocksOf, labelledBlocks } from './readme.js'
import { runShell, startShell } from './shell.js'

/** The tour of the API, and the set-up on a database server. */
const [curl, deploy] = ['docs/tutorials/the-api-by-curl.md', 'docs/how-to/deploy.md']

/** Numbers of accounts and times differ from run to run. */
const withoutRandomParts = (text: string): string =>
  text
    .replaceAll(/A-[0-9A-Z]{12}/g, 'A-************')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '****-**-**T**:**:**Z')

const linesOf = async (file: string): Promise<readonly string[]> =>
  (await readFile(file, 'utf8')).trim().split(/\r?\n/)

/** Commands of which the last may find accounts that are invalid. */
const someInvalid = (commands: string): string => `${commands.trimEnd()} || test $? = 1`

/** A server with the data of the demo, and a function that replaces the places in the commands of a page by its own. */
const demo = async (t: ExecutionContext) => {
  const dataDir = join(await tempFolder(t), 'data')
  await mkdir(dataDir, { mode: 0o700 })
  const { address } = await serveProcess(t, { DATA_DIR: dataDir }, ['--demo'])
  const here = (text: string): string =>
    text.replaceAll('http://127.0.0.1:8080', address).replaceAll('data/', `${dataDir}/`)
  return { dataDir, here }
}

test('the tour with curl prints the output on its page', async (t) => {
  const { dataDir, here } = await demo(t)
  const answered = await runShell(root, here(blocksOf('sh', 'tour', curl).join('\n')))
  t.is(withoutRandomParts(answered), withoutRandomParts(blocksOf('text', 'tour', curl).join('')))
  const shown = await runShell(root, blocksOf('sh', 'operate', curl).join('\n'), { DATA_DIR: dataDir })
  t.regex(shown, /^aik_/m)
  t.regex(shown, /LEV-G-000123/)
})

test('the offline check of a file writes the files named on its page', async (t) => {
  const folder = await tempFolder(t)
  const [block = ''] = blocksOf('sh', 'offline', 'docs/how-to/validate-offline.md')
  const names = ['report.html', 'failed.ndjson', 'errors.csv']
  const elsewhere = names.reduce((text, name) => text.replace(name, join(folder, name)), block)
  t.regex(await runShell(root, someInvalid(elsewhere)), /^Checked 3 accounts/m)
  t.deepEqual((await readdir(folder)).sort(), names.toSorted())
})

if (mariaDbAvailable())
  test('the commands for a database server lead from an empty database to the first import', async (t) => {
    const database = await startMariaDb()
    t.teardown(() => database.stop())
    const url = await database.createDatabase()
    const [block = ''] = blocksOf('sh', 'mysql', deploy)
    const serve = 'node_modules/.bin/account-import serve\n'
    t.true(block.endsWith(serve))
    const folder = await tempFolder(t)
    const inFolder = (text: string): string => text.replaceAll(/\bdata\//g, `${folder}/`)
    const commands = inFolder(block.slice(0, -serve.length))
      .replace(/mysql:\/\/[^']+/, url)
      .concat('npx account-import migrate --status --json\necho "KEY $TOKEN_SIGNING_KEY"\n')
    const shown = await runShell(root, commands)
    t.regex(shown, /"pending":\[\]/)
    const { address } = await serveProcess(t, {
      DATABASE_URL: url,
      TOKEN_SIGNING_KEY: /KEY (\S+)/.exec(shown)?.[1] ?? '',
      DOCUMENT_STORAGE_URL: `file:${join(folder, 'documents')}`,
    })
    const [first = ''] = blocksOf('sh', 'mysql-import', deploy)
    const imported = ['mapping.csv', 'failed.ndjson'].reduce(
      (text, name) => text.replace(name, join(folder, name)),
      inFolder(first).replace('http://127.0.0.1:8080', address),
    )
    t.regex(await runShell(root, someInvalid(imported)), /^created 2, failed 1\.$/m)
    const ready = (await (await fetch(`${address}/readyz`)).json()) as { status: string }
    t.is(ready.status, 'ready')
  })

type Blocks = ReturnType<typeof labelledBlocks>

/**
 * Runs the blocks of a tutorial in order in the project folder, and expects each shown output in the output of the block before
 * it; returns the last output.
 */
const follow = async (
  t: ExecutionContext,
  blocks: Blocks,
  here: (text: string) => string,
): Promise<string> => {
  let shown = ''
  for (const { language, label, text } of blocks)
    if (language === 'text') t.true(shown.includes(text), `${text}\n--- is not in\n${shown}`)
    else if (language === 'sh') shown = await runShell(root, here(text), {}, label === 'tutorial' ? 0 : 1)
  return shown
}

/** The identifier of the latest run in a list, and the code of a preview. */
const [latestRun, confirmation] = [/^(\S{22}) +finished/m, /--confirm (\S+)/]

test('the commands of the tutorial for a CSV export lead from the export to proof and undo', async (t) => {
  const { dataDir, here } = await demo(t)
  const page = 'docs/tutorials/from-a-csv-export.md'
  const blocks = labelledBlocks(page).filter(({ label }) => label !== 'undo')
  t.true(blocks.length > 7)
  await follow(t, blocks, here)
  t.is((await linesOf(join(dataDir, 'mapping.csv'))).length, 8)
  const [undo = ''] = blocksOf('sh', 'undo', page)
  const [list = '', preview = '', confirmed = ''] = here(undo).trim().split('\n')
  const [, run = ''] = latestRun.exec(await runShell(root, list)) ?? []
  const shown = await runShell(root, preview.replace('RUN', run), {}, 2)
  t.regex(shown, /^Accounts that would be undone: 7\.$/m)
  const [, code = ''] = confirmation.exec(shown) ?? []
  t.is(await runShell(root, confirmed.replace('RUN', run).replace('CODE', code)), 'Accounts undone: 7.\n')
})

test('the steps of the tutorial for platforms lead from memory to accounts with numbers of the platform', async (t) => {
  const dataDir = join(await tempFolder(t), 'data')
  const port = String(await freePort())
  const here = (text: string): string => text.replaceAll('data/', `${dataDir}/`).replaceAll('3000', port)
  const steps = labelledBlocks('docs/tutorials/embed-in-your-platform.md')
  const platform = steps.findIndex(({ label }) => label === 'tutorial-platform')
  await follow(t, steps.slice(0, platform), here)
  const child = startShell(root, here((steps[platform]?.text ?? '').replace(' node ', ' exec node ')))
  t.teardown(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
  t.regex(String(await once(child.stdout, 'data')), /listening/)
  await follow(t, steps.slice(platform + 1), here)
  const mapped = await linesOf(join(dataDir, 'platform-mapping.csv'))
  t.deepEqual(
    mapped
      .slice(1)
      .map((line) => line.split(',').at(-1)?.replaceAll('"', ''))
      .toSorted(),
    ['A-00000001', 'A-00000002'],
  )
  // Only a program that runs the background work seals audit events; the commands of the tutorial do not.
  const audited = { DATABASE_URL: `sqlite:${dataDir}/imports.db` }
  while (!(await cliInProcess(['audit', 'head', '--json'], audited)).stdout.includes('"ACME"'))
    await setTimeout(100)
  child.kill('SIGTERM')
  t.deepEqual(await once(child, 'exit'), [0, null])
})
