import { join } from 'node:path'
import test from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { jsonCli } from './support/json-cli.js'

test('an organisation is disabled, enabled and revoked, and the list says since when', async (t) => {
  const environment = { DATA_DIR: join(await tempFolder(t), 'data') }
  const json = jsonCli(t, cliInProcess, environment)
  await json('organisation', 'create', 'ACME')
  await json('api-key', 'create', '--organisation', 'ACME')
  t.regex(String((await json('organisation', 'disable', 'ACME'))['disabled_at']), /^20/)
  const { stdout } = await cliInProcess(['organisation', 'list'], environment)
  t.regex(stdout, /^ACME +ACME +20\S+ +20\S+$/m)
  t.is((await json('organisation', 'enable', 'ACME'))['disabled_at'], null)
  t.deepEqual(await json('organisation', 'revoke', 'ACME'), { code: 'ACME', revoked_keys: 1 })
  t.deepEqual(await json('organisation', 'revoke', 'ACME'), { code: 'ACME', revoked_keys: 0 })
  for (const command of ['disable', 'enable', 'revoke'])
    t.is((await cliInProcess(['organisation', command, 'NOBODY'], environment)).code, 2)
})

test('a key is replaced: stdout holds the new one alone, and the old one ends when the overlap does', async (t) => {
  const environment = { DATA_DIR: join(await tempFolder(t), 'data') }
  const json = jsonCli(t, cliInProcess, environment)
  await json('organisation', 'create', 'ACME')
  const { id } = await json(
    'api-key',
    'create',
    '--organisation',
    'ACME',
    '--name',
    'Nightly',
    '--scope',
    'read',
  )
  const made = await json('api-key', 'rotate', String(id), '--overlap', '7d', '--expires', 'never')
  t.like(made, {
    organisation: 'ACME',
    name: 'Nightly',
    scopes: ['read'],
    expires_at: null,
    last_used_at: null,
  })
  const replaced = made['replaces'] as Readonly<{ id: string; expires_at: string }>
  t.is(replaced.id, String(id))
  const days = (Date.parse(replaced.expires_at) - Date.now()) / 86_400_000
  t.true(days > 6.9 && days <= 7, String(days))
  const plain = await cliInProcess(['api-key', 'rotate', String(id), '--overlap', '0'], environment)
  t.regex(plain.stdout, /^aik_[0-9a-f]{12}_\S{51}\n$/)
  for (const [args, code] of [
    [[String(id)], 2],
    [['nobody'], 2],
    [[String(made['id']), '--overlap', 'soon'], 2],
    [[String(made['id']), '--overlap', '90s'], 0],
  ] as const)
    t.is((await cliInProcess(['api-key', 'rotate', ...args], environment)).code, code, args.join(' '))
})

test('a team is bound to organisations and unbound again; the list says who may use it', async (t) => {
  const environment = { DATA_DIR: join(await tempFolder(t), 'data') }
  const json = jsonCli(t, cliInProcess, environment)
  for (const code of ['B', 'A']) await json('organisation', 'create', code)
  await json('team', 'create', 'North')
  const bind = async (command: string, organisation: string): Promise<unknown> =>
    json('team', command, 'North', '--organisation', organisation)
  await bind('bind', 'B')
  t.deepEqual(await bind('bind', 'A'), { name: 'North', organisations: ['A', 'B'] })
  t.regex((await cliInProcess(['team', 'list'], environment)).stdout, /^North +A, B$/m)
  await bind('unbind', 'A')
  t.deepEqual(await bind('unbind', 'B'), { name: 'North', organisations: [] })
  t.regex((await cliInProcess(['team', 'list'], environment)).stdout, /^North +all organisations$/m)
  for (const args of [
    ['bind', 'North', '--organisation', 'NOBODY'],
    ['bind', 'South', '--organisation', 'A'],
    ['bind', 'North'],
  ])
    t.is((await cliInProcess(['team', ...args], environment)).code, 2)
})
