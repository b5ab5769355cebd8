import { randomBytes } from 'node:crypto'
import test from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { textOf } from '../support/repository.js'
import { tempFolder } from '../support/temp-folder.js'

/** Every command that does something, as the reference names it. */
const leaves = [...textOf('docs/reference/command-line.md').matchAll(/^## account-import (.*)$/gm)].map(
  ([, path = '']) => path,
)

/** What neither changes anything nor shows what tells of a person, and what goes through the API, which records it. */
const unrecorded: ReadonlySet<string> = new Set([
  'serve',
  'organisation list',
  'supplier show',
  'supplier list',
  'team list',
  'api-key list',
  'audit list',
  'audit verify',
  'audit head',
  'encryption status',
  'verify',
  'validate',
  'import',
  'stage',
  'process',
  'status',
  'explain',
  'completion',
  'help',
])

/** What the others are given, in the order in which they are run. One that is refused is recorded too. */
const given: Readonly<Record<string, string>> = {
  migrate: '',
  'organisation create': 'ACME',
  'supplier create': 'LEVANTE --organisation ACME',
  'supplier set-status': 'LEVANTE paused',
  'supplier configure': 'LEVANTE --check-documents warn',
  'team create': 'North',
  'team bind': 'North --organisation ACME',
  'team unbind': 'North --organisation ACME',
  'api-key create': '--organisation ACME',
  'api-key rotate': 'nobody',
  'api-key revoke': 'nobody',
  skip: 'LEVANTE N-1',
  'account show': 'LEVANTE N-1',
  'export-subject': 'LEVANTE N-1',
  erase: 'LEVANTE N-1',
  'documents missing': 'LEVANTE',
  'outbox list': '',
  'outbox retry': '--parked',
  'encryption rewrap': '',
  'organisation disable': 'ACME',
  'organisation enable': 'ACME',
  'organisation revoke': 'ACME',
}

test('every command of operators is recorded, but for those that are named here', async (t) => {
  const named = [...unrecorded, ...Object.keys(given)]
  t.deepEqual(leaves.toSorted(), named.toSorted(), 'a new command is recorded, or says here why not')
  const environment = {
    DATA_DIR: await tempFolder(t),
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  }
  for (const [path, args] of Object.entries(given)) {
    const who = path.replaceAll(' ', '-')
    const words = [...path.split(' '), ...args.split(' ').filter((word) => word !== '')]
    const { stderr } = await cliInProcess([...words, '--operator', who], environment)
    const { stdout } = await cliInProcess(['audit', 'list', '--json'], environment)
    const entries = JSON.parse(stdout) as { what: string; who: string }[]
    const own = entries.filter((entry) => entry.who === `operator ${who}`).map(({ what }) => what)
    t.true(own.includes('command_begun'), `${path}: ${stderr}`)
    t.true(own.includes('command_done') || own.includes('command_refused'), path)
  }
})
