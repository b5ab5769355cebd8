import { connectSql, createSqlPorts } from '@account-import/adapter-sql'
import { builtInSettings } from '@account-import/core'
import { readConfig, startServer } from '@account-import/server'
import test, { type ExecutionContext } from 'ava'
import { join } from 'node:path'
import { pino } from 'pino'
import { answer } from '../support/answers.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { tempFolder } from '../support/temp-folder.js'

type Environment = Readonly<{ DATA_DIR: string }>

const run = async (environment: Environment, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await cliInProcess([...args, '--json'], environment)
  return { code, stderr, json: JSON.parse(stdout) as unknown }
}

/** Two organisations, the second one's supplier has a root of its own. */
const twoOrganisations = async (t: ExecutionContext): Promise<Environment> => {
  const environment = { DATA_DIR: await tempFolder(t) }
  for (const organisation of ['ACME', 'BETA']) await run(environment, 'organisation', 'create', organisation)
  await run(environment, 'supplier', 'create', 'PONIENTE', '--organisation', 'BETA')
  return environment
}

/** A supplier as versions made it that did not keep roots apart: its root is the whole bucket. */
const supplierFromBefore = async ({ DATA_DIR }: Environment): Promise<void> => {
  const knex = connectSql(`sqlite:${join(DATA_DIR, 'account-import.sqlite')}`)
  const { importSuppliers } = createSqlPorts(knex)
  const settings = { ...builtInSettings, documentRoot: '' }
  await answer(importSuppliers.create({ organisation: 'ACME', code: 'LEVANTE', status: 'ongoing', settings }))
  await knex.destroy()
}

const rootOf = async (environment: Environment, supplier: string): Promise<string> => {
  const { json } = await run(environment, 'supplier', 'show', supplier)
  return (json as { settings: { document_root: string } }).settings.document_root
}

test('a supplier gets a root of its own, and one that meets another organisation is wrong usage', async (t) => {
  const environment = await twoOrganisations(t)
  t.is(await rootOf(environment, 'PONIENTE'), 'BETA/PONIENTE')
  for (const root of ['BETA/PONIENTE', 'BETA/PONIENTE/in', 'BETA']) {
    const options = ['--organisation', 'ACME', '--document-root', root]
    const { code, stderr } = await run(environment, 'supplier', 'create', 'LEVANTE', ...options)
    t.is(code, 2, root)
    t.regex(stderr, /meets BETA\/PONIENTE, the root of import supplier PONIENTE.*--document-root/s)
  }
  await run(environment, 'supplier', 'create', 'LEVANTE', '--organisation', 'ACME')
  const whole = await run(environment, 'supplier', 'configure', 'LEVANTE', '--document-root', '')
  t.is(whole.code, 2)
  t.is(await rootOf(environment, 'LEVANTE'), 'ACME/LEVANTE')
})

test('while one organisation has all suppliers, one of them may have the whole bucket', async (t) => {
  const environment = { DATA_DIR: await tempFolder(t) }
  await run(environment, 'organisation', 'create', 'ACME')
  for (const code of ['LEVANTE', 'PONIENTE'])
    await run(environment, 'supplier', 'create', code, '--organisation', 'ACME', '--document-root', 'in')
  t.is((await run(environment, 'supplier', 'configure', 'LEVANTE', '--document-root', '')).code, 0)
})

test('what was set up before is listed, and moved by migrate with a warning that names it', async (t) => {
  const environment = await twoOrganisations(t)
  await supplierFromBefore(environment)
  const listed = await run(environment, 'supplier', 'list')
  t.is(listed.stderr.match(/Warning/g)?.length, 1)
  t.regex(listed.stderr, /Warning: The document root of import supplier LEVANTE is \(the bucket itself\)/)
  const migrated = await run(environment, 'migrate')
  t.like(migrated.json, {
    moved_document_roots: [{ import_supplier: 'LEVANTE', before: '', document_root: 'ACME/LEVANTE' }],
  })
  t.regex(migrated.stderr, /Warning: .* LEVANTE .* It is ACME\/LEVANTE now/)
  t.is(await rootOf(environment, 'LEVANTE'), 'ACME/LEVANTE')
  t.is((await run(environment, 'supplier', 'list')).stderr, '')
  t.is((await run(environment, 'migrate')).stderr, '')
})

/** Entries that the server logs while it starts. */
const startedWith = async (
  t: ExecutionContext,
  environment: Readonly<Record<string, string>>,
): Promise<readonly Record<string, unknown>[]> => {
  const config = readConfig({ PORT: '0', ...environment }, 'serve')
  if (config._tag === 'Left') throw new Error(config.left.map(({ detail }) => detail).join())
  const entries: Record<string, unknown>[] = []
  const write = (line: string): unknown => entries.push(JSON.parse(line) as Record<string, unknown>)
  const server = await startServer(config.right, { log: pino({}, { write }) })
  t.teardown(() => server.stop())
  return entries
}

test('the embedded default moves them when it starts, and names them in its log', async (t) => {
  const environment = await twoOrganisations(t)
  await supplierFromBefore(environment)
  const moved = (await startedWith(t, environment)).filter(({ event }) => event === 'document_root_moved')
  t.deepEqual(
    moved.map(({ supplier, level }) => [supplier, level]),
    [['LEVANTE', 40]],
  )
  t.is(await rootOf(environment, 'LEVANTE'), 'ACME/LEVANTE')
})

test('a server that listens beyond this machine warns of it, one that does not is silent', async (t) => {
  const warnings = async (HOST: string) =>
    (await startedWith(t, { HOST, DATA_DIR: await tempFolder(t) })).flatMap(({ event, host }) =>
      event === 'open_to_network' ? [host] : [],
    )
  t.deepEqual(await warnings('0.0.0.0'), ['0.0.0.0'])
  t.deepEqual(await warnings('127.0.0.1'), [])
})
