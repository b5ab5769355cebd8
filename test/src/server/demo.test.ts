import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { cli, outcomeOf, spawnCli } from '../support/cli-process.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { untilSaid } from '../support/until-said.js'

type Announced = {
  address: string
  demo: { api_key: string | null; api_key_file: string; import_supplier: string }
}

test('the demo is made once: its key is given as JSON in the run that made it, and kept where only its owner can read it', async (t) => {
  const dataDir = await tempFolder(t)
  const first = await serveProcess(t, { DATA_DIR: dataDir }, ['--demo'])
  const { demo } = first.announced as Announced
  t.is(demo.import_supplier, 'LEVANTE')
  t.is(demo.api_key_file, join(dataDir, 'demo-api-key'))
  t.is((await readFile(demo.api_key_file, 'utf8')).trim(), demo.api_key ?? '')
  first.child.kill('SIGTERM')
  await first.ended
  const second = await serveProcess(t, { DATA_DIR: dataDir }, ['--demo'])
  t.deepEqual((second.announced as Announced).demo, { ...demo, api_key: null })
  t.is((await stat(join(dataDir, 'demo-api-key'))).mode & 0o777, 0o600)
  for (const [list, length] of [
    ['organisation', 1],
    ['supplier', 1],
    ['team', 1],
    ['api-key', 1],
  ] as const) {
    const { stdout } = await cliInProcess([list, 'list', '--json'], { DATA_DIR: dataDir })
    t.is((JSON.parse(stdout) as unknown[]).length, length)
  }
})

test('the demo says in at most eight lines where it is, where its key lies and what to do next, and shows no key', async (t) => {
  const dataDir = await tempFolder(t)
  const child = spawnCli(['serve', '--demo'], { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const ended = outcomeOf(child)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const text = await untilSaid(child.stderr, 'tutorials/from-a-csv-export/\n')
  t.true(text.trimEnd().split('\n').length <= 8, text)
  t.true(text.includes(`in ${join(dataDir, 'demo-api-key')} `), text)
  const [, address = ''] = /Serving (\S+)/.exec(text) ?? []
  t.true(text.includes(`: npm run demo -- --url ${address} --data ${dataDir} (`), text)
  const key = (await readFile(join(dataDir, 'demo-api-key'), 'utf8')).trim()
  t.false(text.includes(key))
  const pages = text.match(/http:\S+\/docs\/\S*/g) ?? []
  t.is(pages.length, 2)
  for (const page of pages) t.is((await fetch(page)).status, 200, page)
})

test('a demo that was interrupted or lost its database or its key is made whole again', async (t) => {
  const dataDir = await tempFolder(t)
  const announcedBy = async (): Promise<string> => {
    const { child, ended } = await serveProcess(t, { DATA_DIR: dataDir }, ['--demo'])
    child.kill('SIGTERM')
    await ended
    return readFile(join(dataDir, 'demo-api-key'), 'utf8')
  }
  await cliInProcess(['organisation', 'create', 'DEMO'], { DATA_DIR: dataDir })
  const first = await announcedBy()
  await rm(join(dataDir, 'demo-api-key'))
  const second = await announcedBy()
  t.not(second, first)
  for (const file of await readdir(dataDir))
    if (file.startsWith('account-import.sqlite')) await rm(join(dataDir, file))
  const third = await announcedBy()
  t.not(third, second)
  t.is(await announcedBy(), third)
})

test('the demo leaves a service with organisations of its own alone', async (t) => {
  const environment = { DATA_DIR: await tempFolder(t) }
  await cliInProcess(['organisation', 'create', 'ACME'], environment)
  t.is((await serveProcess(t, environment, ['--demo'])).announced['demo'], null)
  const { stdout } = await cliInProcess(['api-key', 'list', '--json'], environment)
  t.deepEqual(JSON.parse(stdout), [])
})

test('the demo is refused on a database server', async (t) => {
  const { code, stderr } = await cli(['serve', '--demo'], {
    DATABASE_URL: 'mysql://u:p@127.0.0.1:1/imports',
    TOKEN_SIGNING_KEY: Buffer.alloc(32, 1).toString('base64'),
  })
  t.is(code, 2)
  t.regex(stderr, /leave DATABASE_URL out/)
})
