import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { cli } from '../support/cli-process.js'
import { tempFolder } from '../support/temp-folder.js'

for (const line of [
  'organisation create',
  'organisation create A B',
  'nonsense',
  'organisation nonsense',
  'supplier create S1',
  'supplier set-status S1 closed',
  'supplier configure S1',
  'supplier configure S1 --migration-emails maybe',
  'supplier configure S1 --email-language Spanish',
  'outbox list --state lost',
  'outbox retry',
  'outbox retry some-id --parked',
  'outbox retry some-id --supplier S1',
  'outbox retry --supplier S1',
  'supplier configure S1 --severity x',
  'supplier configure S1 --open-list sales_chanel',
  'supplier configure S1 --retention-days 00',
  'supplier configure S1 --close-list sales_channel=A',
  'api-key create --organisation A --scope everything',
  'api-key create --organisation A --expires 2030-02-30',
  'api-key create --organisation A --expires 2020-01-01',
  'migrate --rollback',
  'team list --nonsense',
  'help nope',
  'help supplier nope',
  'validate accounts.ndjson --market XX',
  'supplier configure S1 --market XX',
  'completion tcsh',
])
  test(`wrong usage is refused before anything is opened: ${line}`, async (t) => {
    const dataDir = join(await tempFolder(t), 'data')
    const json = await cliInProcess([...line.split(' '), '--json'], { DATA_DIR: dataDir })
    t.is(json.code, 2)
    t.like(JSON.parse(json.stdout), { error: { code: 'usage' } })
    const text = await cliInProcess(line.split(' '), { DATA_DIR: dataDir })
    t.is(text.code, 2)
    t.is(text.stdout, '')
    t.regex(text.stderr, /error: /)
    t.false(existsSync(dataDir))
  })

test('wrong usage ends the process with 2', async (t) => {
  const { code, stdout, stderr } = await cli(['organisation', 'create'], {})
  t.is(code, 2)
  t.is(stdout, '')
  t.regex(stderr, /^error: missing required argument 'code'/)
})

test('help and version are no failures; no command at all is', async (t) => {
  t.is((await cli(['--help'], {})).code, 0)
  t.regex((await cliInProcess(['supplier', 'configure', '--help'], {})).stdout, /--close-list/)
  for (const flag of ['--version', '-v'])
    t.regex((await cliInProcess([flag], {})).stdout, /^\d+\.\d+\.\d+\n$/)
  t.is((await cliInProcess([], {})).code, 2)
})

test('text from the database cannot steer the terminal', async (t) => {
  const environment = { DATA_DIR: await tempFolder(t) }
  await cliInProcess(['organisation', 'create', 'ACME', '--name', 'a\u001b[31mb\nc'], environment)
  const { stdout } = await cliInProcess(['organisation', 'list'], environment)
  t.true(stdout.includes('a\\u001b[31mb\\nc'))
  t.false(stdout.includes('\u001b'))
})
