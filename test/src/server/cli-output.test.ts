import { mkdir, readdir } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { root } from '../support/repository.js'
import { tempFolder } from '../support/temp-folder.js'

const execute = promisify(execFile)

test('a key that a shell keeps is the key alone, and what is said about it goes to stderr', async (t) => {
  const environment = { DATA_DIR: await tempFolder(t) }
  await cliInProcess(['organisation', 'create', 'ACME'], environment)
  const kept = 'KEY=$(account-import api-key create --organisation ACME --scope read); printf "<%s>" "$KEY"'
  const { stdout, stderr } = await execute('sh', ['-c', kept], {
    env: { ...environment, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}` },
  })
  t.regex(stdout, /^<aik_[\w-]+>$/)
  t.regex(stderr, /^Keep the key now/)
  const json = await cliInProcess(
    ['api-key', 'create', '--organisation', 'ACME', '--scope', 'read', '--json'],
    environment,
  )
  t.deepEqual([json.stdout.trim().split('\n').length, json.stderr], [1, ''])
})

test('what was done is said on stderr, and what was asked for goes to stdout', async (t) => {
  const environment = { DATA_DIR: await tempFolder(t) }
  const run = (line: string) => cliInProcess(line.split(' '), environment)
  t.deepEqual(await run('organisation create ACME'), {
    code: 0,
    stdout: '',
    stderr: 'Organisation ACME was created.\n',
  })
  const none = await run('supplier list')
  t.is(none.stdout, '')
  t.regex(none.stderr, /^There is no supplier yet\./)
  t.is((await run('supplier create LEVANTE --organisation ACME')).stdout, '')
  const listed = await run('supplier list')
  t.regex(listed.stdout, /^CODE .*\nLEVANTE /)
  t.is(listed.stderr, '')
})

const reading = [
  'organisation list',
  'supplier list',
  'supplier show LEVANTE',
  'account show LEVANTE A-1',
  'documents missing LEVANTE',
  'team list',
  'api-key list',
  'outbox list',
  'audit list',
  'audit verify',
  'audit head',
  'encryption status',
  'export-subject LEVANTE A-1',
  'verify',
  'migrate --status',
]

const changing = [
  'supplier set-status LEVANTE paused',
  'supplier configure LEVANTE --market none',
  'api-key revoke some-id',
  'skip LEVANTE A-1',
  'outbox retry --parked',
]

for (const line of [...reading, ...changing])
  test(`where no data is, nothing is made, and it is said how to name the folder: ${line}`, async (t) => {
    const folder = await tempFolder(t)
    const [missing, empty] = [join(folder, 'missing'), join(folder, 'empty')]
    await mkdir(empty, { mode: 0o700 })
    for (const dataDir of [missing, empty]) {
      const { code, stdout, stderr } = await cliInProcess(line.split(' '), { DATA_DIR: dataDir })
      t.deepEqual([code, stdout], [3, ''])
      t.true(stderr.startsWith(`There is no data in the folder ${dataDir}. Name`), stderr)
      t.regex(stderr, /DATA_DIR/)
    }
    t.deepEqual(await readdir(folder), ['empty'])
    t.deepEqual(await readdir(empty), [])
    const json = await cliInProcess([...line.split(' '), '--json'], { DATA_DIR: missing })
    t.like(JSON.parse(json.stdout), { error: { code: 'no_data' } })
  })

test('a database that DATABASE_URL names and that is not there is named, and no folder is made beside it', async (t) => {
  const folder = await tempFolder(t)
  const file = join(folder, 'imports.sqlite')
  const environment = { DATA_DIR: join(folder, 'data'), DATABASE_URL: `sqlite:${file}` }
  const { code, stderr } = await cliInProcess(['team', 'list'], environment)
  t.is(code, 3)
  t.true(stderr.startsWith(`There is no database ${file}. Name the file that has it in DATABASE_URL.`))
  t.deepEqual(await readdir(folder), [])
  t.is((await cliInProcess(['team', 'create', 'North'], environment)).code, 0)
  t.is((await cliInProcess(['team', 'list'], environment)).stdout, 'NAME   FOR\nNorth  all organisations\n')
})

test('completion for bash knows every command and option that the help knows', async (t) => {
  const { stdout: script } = await cliInProcess(['completion', 'bash'], {})
  const asked = async (...words: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await execute('bash', [
      '-c',
      `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _account_import; echo "\${COMPREPLY[*]}"`,
      'bash',
      'account-import',
      ...words,
    ])
    return stdout.trim().split(' ')
  }
  const help = async (...path: readonly string[]) => (await cliInProcess([...path, '--help'], {})).stdout
  const top = [...(await help()).matchAll(/^ {2}([a-z-]+) +[A-Z]/gm)].map(([, name]) => name)
  t.true(top.length > 15)
  t.deepEqual(await asked(''), top)
  t.deepEqual(await asked('sup'), ['supplier'])
  t.deepEqual(await asked('supplier', 's'), ['set-status', 'show'])
  const options = [...(await help('supplier', 'configure')).matchAll(/^ +(?:-h, )?(--[a-z-]+)/gm)]
  t.deepEqual(
    await asked('supplier', 'configure', 'LEVANTE', '--'),
    options.map(([, name]) => name),
  )
  t.deepEqual(await asked('validate', 'acc'), [''])
})

test('completion for zsh and fish says what each command is for', async (t) => {
  for (const shell of ['zsh', 'fish']) {
    const { code, stdout, stderr } = await cliInProcess(['completion', shell], {})
    t.deepEqual([code, stderr], [0, ''])
    t.true(stdout.includes('Open, pause or complete the migration of a supplier.'))
    t.true(stdout.includes('prefix of its document paths inside the bucket'))
  }
})
