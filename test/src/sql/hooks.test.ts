import { connectSql, createSqlPorts, type Hooks, migrate } from '@account-import/adapter-sql'
import { type AccountToSend, createImportService, type StorePorts } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import test from 'ava'
import { blocksOf } from '../docs/readme.js'
import { answer } from '../support/answers.js'
import { textOf } from '../support/repository.js'
import { gasAccount } from '../support/samples.js'
import { accountOf } from './support/account-of.js'
import { isPostgresql, type Opened, type TestDatabase, testDatabases } from './support/databases.js'
import { creationOf, keyOf, now, stagingOf } from './support/imports.js'

const database = connectSql('sqlite::memory:')
await migrate(database)
const stores = createSqlPorts(database, {
  onAccountsCreated: async (trx, accounts) => {
    await trx('crm_customers').insert(
      accounts.map((account) => ({ platform_number: account.platformAccountNumber })),
    )
  },
  onAccountsUndone: async (trx, accounts) => {
    const numbers = accounts.map((account) => account.platformAccountNumber)
    const billed: string[] = await trx('crm_bills')
      .whereIn('platform_number', numbers)
      .distinct()
      .pluck('platform_number')
    await trx('crm_customers')
      .whereIn('platform_number', numbers)
      .whereNotIn('platform_number', billed)
      .delete()
    return billed
  },
  onAccountsErased: async (trx, accounts) => {
    for (const { platformAccountNumber } of accounts)
      await trx('crm_customers')
        .where('platform_number', platformAccountNumber)
        .update({ phone_called: null })
  },
  onItemsAdded: async (trx, accounts) => {
    for (const { platformAccountNumber, items } of accounts)
      await trx('crm_customers')
        .where('platform_number', platformAccountNumber)
        .increment('notes', items.notes?.length ?? 0)
  },
})
const service = createImportService(inMemoryPorts(stores))

test.after.always(() => database.destroy())

const { onEach, onServers } = testDatabases()

test('the page on embedding shows the code of this test', (t) => {
  const shown = blocksOf('ts', 'own-tables', 'docs/how-to/embed-the-core.md')
  t.is(shown.length, 1)
  t.true(textOf('test/src/sql/hooks.test.ts').includes(`\n${shown[0]}\n`), shown[0])
})

const key = { organisation: 'ACME', importSupplier: 'LEVANTE', externalAccountNumber: 'N-1' }
const named = { import_supplier: 'LEVANTE', external_account_number: 'N-1' }

test('rows of own tables are written, changed and removed with the account, or refuse its change', async (t) => {
  await database.schema.createTable('crm_customers', (table) => {
    table.string('platform_number').primary()
    table.string('phone_called')
    table.integer('notes').defaultTo(0)
  })
  await database.schema.createTable('crm_bills', (table) => void table.string('platform_number'))
  // FAIL keeps the row that was just written, so only the end of the transaction removes it.
  await database.raw(
    "create trigger refuses after insert on crm_customers begin select raise(fail, 'the CRM refuses'); end",
  )
  await service.operator.createOrganisation({ code: 'ACME' })
  await service.operator.createSupplier({ code: 'LEVANTE', organisation: 'ACME' })
  await service.operator.createTeam('Team')
  const payload: AccountToSend = {
    import_supplier: 'LEVANTE',
    external_account_number: 'N-1',
    account_type: 'DOMESTIC',
    unknown_occupier: true,
  }
  t.like(await service.stageAccount({ organisation: 'ACME', payload }), { ok: true })
  const request = {
    import_supplier_code: 'LEVANTE',
    external_account_number: 'N-1',
    operations_team_name: 'Team',
  }
  const refused = await service.processAccount({ organisation: 'ACME', payload: request })
  t.like(refused, { ok: false, refusal: { _tag: 'PortFailure' } })
  t.deepEqual(await database('crm_customers'), [])
  t.like(await service.transferStatus(key), { ok: true, value: { platformAccountNumber: undefined } })

  await database.raw('drop trigger refuses')
  const created = await service.processAccount({ organisation: 'ACME', payload: request })
  t.true(created.ok, JSON.stringify(created))
  if (!created.ok) return
  const { platformAccountNumber: platform_number } = created.value
  t.like(await database('crm_customers').first(), { platform_number })

  const notes = { ...named, notes: [{ body: 'late' }, { body: 'later' }] }
  t.like(await service.addNotes({ organisation: 'ACME', payload: notes }), { ok: true })
  t.like(await database('crm_customers').first(), { notes: 2 })

  const undo = { import_supplier_code: 'LEVANTE', external_account_numbers: ['N-1'], with_additions: true }
  const undone = async () => {
    const preview = await service.previewUndo({ organisation: 'ACME', payload: undo })
    const confirmation_code = preview.ok ? preview.value.confirmationCode : ''
    return service.undoAccounts({ organisation: 'ACME', payload: { ...undo, confirmation_code } })
  }
  await database('crm_bills').insert({ platform_number })
  const kept = { accounts: [], kept: [{ externalAccountNumber: 'N-1', reason: 'refused_by_platform' }] }
  t.like(await undone(), { ok: true, value: kept })
  t.is((await database('crm_customers')).length, 1)
  await database('crm_bills').delete()
  t.like(await undone(), { ok: true, value: { kept: [] } })
  t.deepEqual(await database('crm_customers'), [])
})

const deadlockOn = (trx: Opened['knex']): string =>
  isPostgresql(trx)
    ? "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40P01'; END $$"
    : "SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213"

onServers(
  'the hook of an embedding program runs again with its accounts after a deadlock',
  async (t, { open }) => {
    const told: (readonly string[])[] = []
    const signals: Required<Pick<Hooks, 'onAccountsCreated' | 'onAccountsUndone'>> = {
      onAccountsCreated: async (trx, accounts) => {
        told.push(accounts.map(({ key }) => key.externalAccountNumber))
        if (told.length === 1) await trx.raw(deadlockOn(trx))
      },
      onAccountsUndone: async (trx, accounts) => {
        told.push(accounts.map(({ key }) => key.externalAccountNumber))
        if (told.length === 3) await trx.raw(deadlockOn(trx))
      },
    }
    const { ports } = open(signals)
    await withAccount(ports, 'A-1')
    t.deepEqual(told, [['A-1'], ['A-1']])
    t.deepEqual(await undone(ports, ['A-1']), ['undone'])
    t.deepEqual(told.slice(2), [['A-1'], ['A-1']])
  },
)

onEach(
  'stores have operations of their own only for the hooks of an embedding program',
  async (t, { open }) => {
    t.false('create' in open().ports.accounts)
    const told: unknown[] = []
    const { accounts } = open({ onAccountsCreated: async (_, created) => void told.push(created) }).ports
    const created = [accountOf('A', 'P-1')]
    await answer(accounts.create?.(created) ?? Promise.resolve(E.left('there is no creation')))
    t.deepEqual(told, [created])
  },
)

/** Creates the account by the use cases. */
const withAccount = async (ports: StorePorts, number: string) => {
  const { useCases } = createImportService(inMemoryPorts(ports))
  await answer(useCases.operator.createOrganisation({ code: 'ACME' }))
  await answer(useCases.operator.createSupplier({ code: 'LEVANTE', organisation: 'ACME' }))
  await answer(useCases.operator.createTeam('Team'))
  await answer(useCases.stageAccount({ organisation: 'ACME', payload: gasAccount('LEVANTE', number) }))
  const asked = { external_account_number: number, import_supplier_code: 'LEVANTE' }
  const payload = { ...asked, operations_team_name: 'Team' }
  const { platformAccountNumber } = await answer(useCases.processAccount({ organisation: 'ACME', payload }))
  return { useCases, platformAccountNumber }
}

/** What became of each account: undone, or the reason why it is kept. */
const undone = async ({ accountUndo }: StorePorts, numbers: readonly string[]) => {
  const { organisation, importSupplier } = key
  const request = { organisation, importSupplier, externalAccountNumbers: numbers, withAdditions: true }
  const at = now()
  const found = await answer(accountUndo.canUndo({ ...request, at }))
  const previewed = found.map((each) => (each._tag === 'undoable' ? each : undefined))
  const outcomes = await answer(accountUndo.undo({ ...request, at, previewed }))
  return outcomes.map((each) => (each._tag === 'undoable' ? 'undone' : each.reason))
}

/** A table of the platform with a row for each of these accounts, which are created. */
const withRows = async ({ open }: TestDatabase, numbers: readonly string[], hooks: Hooks) => {
  const { knex, ports } = open(hooks)
  await knex.schema.createTable('crm', (table) => void table.string('platform_number', 64).primary())
  await answer(ports.accountImports.stage(numbers.map((number) => stagingOf(number))))
  await answer(ports.accountImports.create(numbers.map((number) => creationOf(number))))
  await knex('crm').insert(numbers.map((number) => ({ platform_number: `P-${number}` })))
  const rows = async (): Promise<readonly string[]> =>
    knex('crm').orderBy('platform_number').pluck('platform_number')
  const existing = async (): Promise<readonly string[]> => {
    const found = await Promise.all(numbers.map((number) => answer(ports.accountImports.find(keyOf(number)))))
    return found.flatMap((each) => each?.created?.platformAccountNumber ?? [])
  }
  return { knex, ports, rows, existing }
}

const all = Array.from({ length: 102 }, (_, index) => `A-${String(index).padStart(3, '0')}`)

onEach(
  'the platform removes its rows with undone accounts, and keeps those that it refuses, of any page',
  async (t, database) => {
    const pages: unknown[] = []
    const refusals = ['P-A-001', 'P-A-101']
    const platform = await withRows(database, all, {
      onAccountsUndone: async (trx, accounts) => {
        pages.push(accounts.length)
        if (pages.length === 1)
          t.deepEqual(accounts[0], { key: keyOf('A-000'), platformAccountNumber: 'P-A-000', additions: 0 })
        // Its row is there still: the platform decides before the rows of the service go.
        t.is(
          (await trx('account_imports').where('state', 'created')).length,
          all.length - (pages.length - 1) * 99,
        )
        const numbers = accounts.map(({ platformAccountNumber }) => platformAccountNumber)
        const refused = numbers.filter((number) => refusals.includes(number))
        await trx('crm').whereIn('platform_number', numbers).whereNotIn('platform_number', refused).delete()
        return refused
      },
    })
    const outcomes = await undone(platform.ports, [...all, 'NOBODY'])
    const expected = all.map((number) =>
      refusals.includes(`P-${number}`) ? 'refused_by_platform' : 'undone',
    )
    t.deepEqual(outcomes, [...expected, 'not_created'])
    t.deepEqual(pages, [100, 2])
    t.deepEqual([await platform.existing(), await platform.rows()], [refusals, refusals])
    const events = await answer(platform.ports.auditTrail.events({ organisation: 'ACME' }, undefined, 1000))
    t.is(events.filter(({ entry }) => entry.what === 'undone').length, 100)
  },
)

onEach(
  'a hook that throws, or answers with anything but numbers of its accounts, leaves its page as it was',
  async (t, database) => {
    let answered: () => Promise<unknown> = () => Promise.reject(new Error('the CRM is away'))
    const platform = await withRows(database, all, {
      onAccountsUndone: async (trx, accounts) => {
        const numbers = accounts.map(({ platformAccountNumber }) => platformAccountNumber)
        await trx('crm').whereIn('platform_number', numbers).delete()
        if (accounts.length < 100) return (await answered()) as string[]
      },
    })
    const failure = await t.throwsAsync(undone(platform.ports, all))
    t.like(failure?.cause, {
      _tag: 'PortFailure',
      port: 'accountUndo',
      operation: 'undo',
      kind: 'unexpected',
    })
    const left = ['P-A-100', 'P-A-101']
    t.deepEqual([await platform.existing(), await platform.rows()], [left, left])
    for (const wrong of ['P-A-100', 1, true, ['P-A-000'], [{ platformAccountNumber: 'P-A-100' }]]) {
      answered = async () => wrong
      await t.throwsAsync(undone(platform.ports, all.slice(100)), undefined, JSON.stringify(wrong))
      t.deepEqual([await platform.existing(), await platform.rows()], [left, left])
    }
    answered = async () => []
    t.deepEqual(await undone(platform.ports, all.slice(100)), ['undone', 'undone'])
    t.deepEqual(await platform.rows(), [])
  },
)

onEach(
  'an erasure asks the platform for each created account, and a refusal keeps all data',
  async (t, { open }) => {
    const told: unknown[] = []
    let isRefused = true
    const { ports } = open({
      onAccountsErased: async (trx, accounts) => {
        told.push(accounts)
        t.is((await trx('account_items').select()).length, 1)
        return isRefused ? accounts.map((each) => each.platformAccountNumber) : undefined
      },
    })
    const { useCases, platformAccountNumber } = await withAccount(ports, 'N-1')
    await answer(
      useCases.addNotes({ organisation: 'ACME', payload: { ...named, notes: [{ body: 'late' }] } }),
    )
    const { personalData } = ports
    const before = await answer(personalData.find(key))
    t.deepEqual(await answer(personalData.erase(key, now())), { _tag: 'refused_by_platform' })
    t.deepEqual(await answer(personalData.find(key)), before)
    t.deepEqual(told, [[{ key, platformAccountNumber }]])
    isRefused = false
    t.like(await answer(personalData.erase(key, now())), { _tag: 'erased' })
    await answer(useCases.stageAccount({ organisation: 'ACME', payload: gasAccount('LEVANTE', 'STAGED') }))
    t.like(await answer(personalData.erase(keyOf('STAGED'), now())), { _tag: 'erased' })
    t.is(told.length, 2)
  },
)

onEach(
  'items are added with the rows of the platform, and neither when it refuses or fails',
  async (t, { open }) => {
    const told: unknown[] = []
    let answered: () => Promise<readonly string[] | undefined> = async () => undefined
    const { ports, knex } = open({
      onItemsAdded: async (trx, accounts) => {
        told.push(accounts)
        await trx('crm').insert({ platform_number: `${told.length}` })
        return answered()
      },
    })
    await knex.schema.createTable('crm', (table) => void table.string('platform_number', 64).primary())
    const { useCases, platformAccountNumber } = await withAccount(ports, 'N-1')
    const add = (body: string) =>
      useCases.addNotes({ organisation: 'ACME', payload: { ...named, notes: [{ body }] } })
    const stored = async () => [
      (await answer(ports.accounts.find(key)))?.details.notes
        .map(({ body }) => body)
        .filter((body) => body?.startsWith('note')),
      await knex('crm').pluck('platform_number'),
    ]
    await answer(add('note 1'))
    t.like(told[0], [{ key, platformAccountNumber, items: { notes: [{ body: 'note 1' }] } }])
    answered = async () => [platformAccountNumber]
    t.deepEqual(await add('note 2'), E.left({ _tag: 'RefusedByPlatform' }))
    answered = () => Promise.reject(new Error('the CRM is away'))
    t.like(await add('note 3'), { left: { _tag: 'PortFailure', port: 'onItemsAdded', kind: 'unexpected' } })
    t.deepEqual(await stored(), [['note 1'], ['1']])
    // A repeated note adds nothing, so there is nothing to tell.
    await answer(add('note 1'))
    t.is(told.length, 3)
  },
)
