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

/** What the others are given, in the order in which they are run. One that is refused is recorded too. And how the
 * entry calls the command. */
const given: Readonly<Record<string, readonly [args: string, entry: string]>> = {
  migrate: ['', 'migrate'],
  'organisation create': ['ACME', 'createOrganisation'],
  'supplier create': ['LEVANTE --organisation ACME', 'createSupplier'],
  'supplier set-status': ['LEVANTE paused', 'setSupplierStatus'],
  'supplier configure': ['LEVANTE --check-documents warn', 'configureSupplier'],
  'team create': ['North', 'createTeam'],
  'team bind': ['North --organisation ACME', 'bindTeam'],
  'team unbind': ['North --organisation ACME', 'unbindTeam'],
  'api-key create': ['--organisation ACME', 'createApiKey'],
  'api-key rotate': ['nobody', 'rotateApiKey'],
  'api-key revoke': ['nobody', 'revokeApiKey'],
  skip: ['LEVANTE N-1', 'setSkipped'],
  'account show': ['LEVANTE N-1', 'showAccount'],
  'export-subject': ['LEVANTE N-1', 'exportSubject'],
  erase: ['LEVANTE N-1 --yes', 'eraseSubject'],
  'documents missing': ['LEVANTE', 'missingDocuments'],
  'outbox list': ['', 'listEmails'],
  'outbox retry': ['--parked', 'retryParkedEmails'],
  'encryption rewrap': ['', 'rewrapDataKeys'],
  'organisation disable': ['ACME', 'disableOrganisation'],
  'organisation enable': ['ACME', 'enableOrganisation'],
  'organisation revoke': ['ACME', 'revokeOrganisation'],
}

test('every command of operators is recorded, but for those that are named here', async (t) => {
  const named = [...unrecorded, ...Object.keys(given)]
  t.deepEqual(leaves.toSorted(), named.toSorted(), 'a new command is recorded, or says here why not')
  const environment = {
    DATA_DIR: await tempFolder(t),
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  }
  for (const [path, [args, name]] of Object.entries(given)) {
    const who = path.replaceAll(' ', '-')
    const words = [...path.split(' '), ...args.split(' ').filter((word) => word !== '')]
    const { stderr } = await cliInProcess([...words, '--operator', who], environment)
    const { stdout } = await cliInProcess(['audit', 'list', '--json'], environment)
    const entries = JSON.parse(stdout) as { what: string; who: string; subject?: string }[]
    const own = entries
      .filter((entry) => entry.who === `operator ${who}` && entry.subject?.split(' ')[0] === name)
      .map(({ what }) => what)
    t.true(own.includes('command_begun'), `${path}: ${stderr}`)
    t.true(own.includes('command_done') || own.includes('command_refused'), path)
  }
})

test('what migrate did to the tables is recorded by the names of its migrations', async (t) => {
  const environment = { DATA_DIR: await tempFolder(t) }
  const { stdout: done } = await cliInProcess(['migrate', '--json'], environment)
  const { applied } = JSON.parse(done) as { applied: string[] }
  t.true(applied.length > 10)
  await cliInProcess(['migrate'], environment)
  const { stdout } = await cliInProcess(['audit', 'list', '--json'], environment)
  const subjects = (JSON.parse(stdout) as { what: string; subject?: string }[])
    .filter(({ what, subject }) => what === 'command_done' && subject?.startsWith('migrate') === true)
    .map(({ subject }) => subject)
  t.deepEqual(subjects, [['migrate', ...applied].join(' '), 'migrate'])
})
