import { Readable } from 'node:stream'
import ava, { type ExecutionContext } from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { gasAccount } from '../support/samples.js'
import { faultyProxy } from './support/faulty-proxy.js'
import {
  type Importing,
  importing,
  mixedLines,
  startImportServer,
  type ImportServer,
} from './support/importing.js'

const test = ava.serial

let server: ImportServer
ava.before(async () => {
  server = await startImportServer()
})
ava.after.always(() => server.stop())

/** Runs a command through a proxy that records each request with accounts. */
const refusedBy = async (
  t: ExecutionContext,
  { address, run, client }: Importing,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
) => {
  const { baseUrl, seen } = await faultyProxy(t, address, [])
  const { code, stdout, stderr } = await run([...args, '--url', baseUrl, '--json'], {
    ...(environment && { environment }),
  })
  t.is(code, 2, stdout + stderr)
  t.deepEqual(seen, [], 'no account was sent')
  const runs: unknown[] = []
  for await (const page of client.importRunPages({ limit: 10 })) if (page.ok) runs.push(...page.body)
  t.deepEqual(runs, [], 'no run was opened')
  const {
    error,
    accounts,
    go_on: command,
  } = JSON.parse(stdout) as {
    error: { code: string; detail: string }
    accounts: number
    go_on: unknown
  }
  t.deepEqual([accounts, command], [0, null])
  return error
}

test('a wrong team ends every command that creates accounts before it sends any, and a similar name is suggested', async (t) => {
  const world = await importing(t, server)
  const { database, put, client } = world
  const lines = mixedLines(database.supplier, 10).join('\n')
  const file = await put('a.ndjson', lines)
  const near = database.team.toLowerCase().slice(1)
  for (const args of [
    ['import', file, '--team', near],
    ['import', file, '--team', near, '--dry-run'],
    ['import', file, '--team', near, '--only', 'process'],
    ['process', '--supplier', database.supplier, '--team', near],
  ])
    t.deepEqual(await refusedBy(t, world, args), {
      code: 'operations_team_name_does_not_exist',
      detail: `No operations team '${near}' for this API key. Did you mean '${database.team}'?`,
      errors: [],
    } as never)
  t.like(await client.accountImportSummary(database.supplier), { body: { total: 0 } })
  t.like(await client.access(), { ok: true, body: { organisation: database.organisation } })
})

test('a team of another organisation is not suggested', async (t) => {
  const world = await importing(t, server)
  const other = await importing(t, server)
  const { database, put } = world
  const bind = ['team', 'bind', other.database.team, '--organisation', other.database.organisation]
  t.is((await cliInProcess(bind, other.database.environment)).code, 0)
  const file = await put('a.ndjson', mixedLines(database.supplier, 1).join('\n'))
  for (const team of [other.database.team, `${other.database.team}x`, 'something quite different']) {
    const { detail } = await refusedBy(t, world, ['import', file, '--team', team])
    t.false(detail.replace(`'${team}'`, '').includes(other.database.team), detail)
  }
})

test('a paused, complete or unknown supplier ends the import before it sends an account', async (t) => {
  const world = await importing(t, server)
  const { database, put } = world
  const codeWith = async (...args: readonly string[]) => (await refusedBy(t, world, args)).code
  const unknown = await put('b.ndjson', mixedLines(`${database.supplier}X`, 3).join('\n'))
  t.deepEqual(await refusedBy(t, world, ['stage', unknown]), {
    code: 'import_supplier_does_not_exist',
    detail: `No supplier ${database.supplier}X for this API key. Did you mean '${database.supplier}'?`,
    errors: [],
  } as never)
  const file = await put('a.ndjson', mixedLines(database.supplier, 3).join('\n'))
  for (const status of ['paused', 'complete']) {
    const set = ['supplier', 'set-status', database.supplier, status]
    t.is((await cliInProcess(set, database.environment)).code, 0)
    const expected = 'import_supplier_migration_not_ongoing'
    t.is(await codeWith('import', file, '--team', database.team), expected)
    t.is(await codeWith('stage', file), expected)
    t.is(await codeWith('process', '--supplier', database.supplier, '--team', database.team), expected)
  }
})

test('a key without the scope of a step ends the import before it sends an account', async (t) => {
  const world = await importing(t, server)
  const { database, put } = world
  const file = await put('a.ndjson', mixedLines(database.supplier, 3).join('\n'))
  const keyWith = async (scope: string) => {
    const create = ['api-key', 'create', '--organisation', database.organisation, '--scope', scope, '--json']
    const { stdout } = await cliInProcess(create, database.environment)
    return { ACCOUNT_IMPORT_API_KEY: (JSON.parse(stdout) as { api_key: string }).api_key }
  }
  const stage = await keyWith('stage')
  t.deepEqual(await refusedBy(t, world, ['import', file, '--team', database.team], stage), {
    code: 'permission_denied',
    detail: 'The API key lacks the scope process. It has: stage.',
    errors: [],
  } as never)
  const read = await keyWith('read')
  t.is((await refusedBy(t, world, ['stage', file], read)).code, 'permission_denied')
  t.is((await refusedBy(t, world, ['import', file, '--only', 'validate'], read)).code, 'permission_denied')
})

test('the import continues when one supplier of the first lines is usable, also for a stream', async (t) => {
  const { database, run } = await importing(t, server)
  const lines = ['NOBODY', database.supplier].map((supplier) => JSON.stringify(gasAccount(supplier, 'A')))
  const input = Readable.from([Buffer.from(['{}', ...lines].join('\n'))])
  const { code, stdout } = await run(['import', '-', '--team', database.team, '--json'], { input })
  t.is(code, 1, stdout)
  t.like(JSON.parse(stdout), { created: 1, failed: 2 })
})
