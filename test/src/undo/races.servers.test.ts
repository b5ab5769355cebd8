import { createClient, type Client } from '@account-import/client'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import test, { type ExecutionContext } from 'ava'
import { until } from '../servers/index.js'
import { answer } from '../support/answers.js'
import { gasAccount } from '../support/samples.js'
import { startServerProcess } from '../support/server-process.js'
import { openSharedDatabase } from '../support/shared-database.js'
import { type ServerName, startedServers } from '../support/started-servers.js'
import { breaksFound } from '../verify/support/breaks-of.js'

const { names, server } = startedServers()

const numbered = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(4, '0')}`)

/** A database for two servers, with a key for everything. */
const begun = async (t: ExecutionContext, name: ServerName) => {
  const database = await openSharedDatabase(await server(name).createDatabase())
  t.teardown(database.close)
  const useCases = makeUseCases(inMemoryPorts(database.stores))
  const { organisation, supplier, team, environment } = database
  const scopes = ['stage', 'process', 'post-import', 'read', 'undo'] as const
  const { apiKey } = await answer(useCases.operator.createApiKey({ organisation, scopes }))
  const start = async () => {
    const running = await startServerProcess(environment)
    return { running, client: createClient({ baseUrl: running.address, apiKey }) }
  }
  const stage = (client: Client, numbers: readonly string[]) =>
    each(client.bulkStage(numbers.map((number) => gasAccount(supplier, number))))
  const process = (client: Client, numbers: readonly string[]) =>
    each(
      client.bulkProcess({
        import_supplier_code: supplier,
        operations_team_name: team,
        external_account_numbers: numbers,
      }),
    )
  const created = async (): Promise<readonly string[]> =>
    database
      .knex('account_imports')
      .where({ organisation, state: 'created' })
      .orderBy('external_account_number')
      .pluck('external_account_number')
  return { ...database, start, stage, process, created }
}

const each = async (results: AsyncIterable<Readonly<{ outcome: string }>>): Promise<readonly string[]> => {
  const outcomes: string[] = []
  for await (const { outcome } of results) outcomes.push(outcome)
  return outcomes
}

/** Previews and confirms until every account is undone; an unavailable server is tried again. */
const undoAll = async (
  client: () => Client,
  supplier: string,
  numbers: readonly string[],
): Promise<number> => {
  const request = { import_supplier_code: supplier, external_account_numbers: numbers, with_additions: true }
  for (let attempt = 1; attempt <= 200; attempt += 1) {
    const preview = await client().previewUndo(request)
    if (!preview.ok) continue
    if (preview.body.accounts.length === 0) return attempt
    await client().undoAccounts({ ...request, confirmation_code: preview.body.confirmation_code })
  }
  throw new Error('some accounts cannot be taken back')
}

for (const name of names) {
  test(`undoing accounts while another server processes and adds leaves no account in part and loses none (${name})`, async (t) => {
    const { start, stage, process, created, supplier, knex } = await begun(t, name)
    const [one, two] = [await start(), await start()]
    t.teardown(async () => {
      await one.running.stop()
      await two.running.stop()
    })
    const [wrong, good] = [numbered('WRONG', 80), numbered('GOOD', 30)]
    await stage(one.client, [...wrong, ...good])
    await process(one.client, wrong)
    let added = 0
    const add = async (): Promise<void> => {
      for (const number of wrong.toReversed().slice(0, 40)) {
        const notes = [{ body: 'late', created_at: '2025-01-01T00:00:00Z' }]
        const answered = await two.client.addNotes({
          import_supplier: supplier,
          external_account_number: number,
          notes,
        })
        if (answered.ok) added += 1
        else t.is(answered.code, 'account_not_found')
      }
    }
    const adding = add()
    await until(async () => added > 5, 'something was added')
    await Promise.all([undoAll(() => one.client, supplier, wrong), process(two.client, good), adding])
    t.deepEqual(await created(), good)
    t.deepEqual(await breaksFound(knex), [])
    t.log(`${added} additions came first`)
    await stage(two.client, wrong)
    t.true((await process(two.client, wrong)).every((outcome) => outcome === 'done'))
    t.is((await created()).length, 110)
    t.deepEqual(await breaksFound(knex), [])
  })

  test(`a server that is killed during an undo leaves each account whole or gone, and the command continues (${name})`, async (t) => {
    const { start, stage, process, created, supplier, knex } = await begun(t, name)
    let running = await start()
    t.teardown(() => running.running.stop())
    const wrong = numbered('WRONG', 400)
    await stage(running.client, wrong)
    await process(running.client, wrong)
    const request = { import_supplier_code: supplier, external_account_numbers: wrong }
    const preview = await running.client.previewUndo(request)
    if (!preview.ok) return t.fail(preview.code)
    const cut = running.client.undoAccounts({ ...request, confirmation_code: preview.body.confirmation_code })
    while ((await created()).length === wrong.length) t.pass()
    await running.running.kill()
    t.false((await cut).ok)
    const left = (await created()).length
    t.true(left > 0 && left < wrong.length)
    t.deepEqual(await breaksFound(knex), [])
    running = await start()
    await undoAll(() => running.client, supplier, wrong)
    t.deepEqual(await created(), [])
    t.deepEqual(await breaksFound(knex), [])
    t.log(`${wrong.length - left} of ${wrong.length} were taken back before the kill`)
  })
}
