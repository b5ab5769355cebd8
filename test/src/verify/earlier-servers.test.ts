import { instantOf, type Instant } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { plusSeconds } from '@account-import/core/testing'
import { createHash } from 'node:crypto'
import { answer } from '../support/answers.js'
import { gasAccount } from '../support/samples.js'
import { setUp, type SetUp } from '../support/set-up.js'
import { breaksFound } from './support/breaks-of.js'
import { testDatabases, type Opened } from '../sql/support/databases.js'

const { onMysqlServers, onSqlite } = testDatabases()

/** No earlier version runs on PostgreSQL. */
const onKnownToEarlier: typeof onSqlite = (title, body) => {
  onSqlite(title, body)
  onMysqlServers(title, body)
}

const rules = 'rules 1'
const who = 'key 1'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const key = ['organisation', 'import_supplier', 'external_account_number']
const eventColumns = [...key, 'id', 'at', 'what', 'who', 'subject', 'before_hash', 'after_hash']

/** A change of an account, at a time of its own. */
type Change = Readonly<{ owner: SetUp; number: string; at: Instant }>

/** Stages and creates accounts, as a server of one version does. */
type Version = Readonly<{
  stage(change: Change & Readonly<{ payload: string }>): Promise<void>
  create(change: Change): Promise<void>
}>

const insert = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`

/** A time in a column. */
const written = (at: Instant): string => at.replace('T', ' ').replace('Z', '')

let events = 0

/** The statements of the version before audit events were in the rows of imports. */
const earlier = ({ knex }: Opened, isSqlite: boolean): Version => {
  const keyOf = ({ owner, number }: Change): readonly string[] => [owner.organisation, owner.supplier, number]
  const tell = (trx: Opened['knex'], change: Change, ...fields: readonly (string | null)[]) => {
    events += 1
    const id = `${Date.parse(change.at).toString(16).padStart(12, '0')}${String(events).padStart(8, '0')}0123456789ab`
    const [what = null, ...others] = fields
    return trx.raw(insert('audit_unsealed', eventColumns), [
      ...keyOf(change),
      id,
      written(change.at),
      what,
      who,
      ...others,
    ])
  }
  const stagedColumns = [
    ...key,
    'first_staged_at',
    'staged_at',
    'staging_id',
    'payload',
    'payload_hash',
    'data_key',
    'validated_under',
    'import_run',
    'staged_version',
    'skipped',
    'holds_slot',
    'additions',
    'state',
    'attempts',
  ]
  const incoming = (column: string): string => (isSqlite ? `excluded.${column}` : `VALUES(${column})`)
  const assignments = [
    'replaced_hash = account_imports.payload_hash',
    'staged_version = account_imports.staged_version + 1',
    ...['payload', 'payload_hash', 'data_key', 'validated_under', 'staged_at', 'staging_id', 'state'].map(
      (column) => `${column} = ${incoming(column)}`,
    ),
  ].join(', ')
  const upsert =
    insert('account_imports', stagedColumns) +
    (isSqlite ? ` ON CONFLICT (${key.join(', ')}) DO UPDATE SET ` : ' ON DUPLICATE KEY UPDATE ') +
    assignments
  const rowOf = async (trx: Opened['knex'], change: Change) => {
    const [organisation = '', import_supplier = '', external_account_number = ''] = keyOf(change)
    const where = { organisation, import_supplier, external_account_number }
    const rows = (await trx('account_imports').where(where)) as readonly Readonly<{
      staged_version: number
      payload_hash: string
      replaced_hash: string | null
    }>[]
    return rows[0] ?? { staged_version: 0, payload_hash: '', replaced_hash: null }
  }
  return {
    stage: (change) =>
      knex.transaction(async (trx) => {
        const at = written(change.at)
        const hash = hashOf(change.payload)
        const stored = isSqlite ? change.payload : Buffer.from(change.payload)
        const staged = [at, at, `s-${events}`, stored, hash, null, rules, null, 1, 0, 0, 0, 'staged', 0]
        await trx.raw(upsert, [...keyOf(change), ...staged])
        const row = await rowOf(trx, change)
        const what = row.staged_version === 1 ? 'staged' : 'restaged'
        await tell(trx, change, what, null, what === 'staged' ? null : row.replaced_hash, hash)
      }),
    create: (change) =>
      knex.transaction(async (trx) => {
        const number = `P-${change.number}`
        const { payload_hash } = await rowOf(trx, change)
        await trx.raw(
          "UPDATE account_imports SET state = 'created', created_version = staged_version, created_format = 1, operations_team = ?, " +
            'validated_under = ?, attempts = attempts + 1, claim_token = NULL, claim_expires_at = NULL, holds_slot = 0, ' +
            'platform_account_number = ?, account_created_at = ? ' +
            'WHERE organisation = ? AND import_supplier = ? AND external_account_number = ?',
          [change.owner.team, rules, number, written(change.at), ...keyOf(change)],
        )
        await tell(trx, change, 'created', number, payload_hash, hashOf(number))
      }),
  }
}

const present = ({ ports: { accountImports } }: Opened): Version => {
  const of = ({ owner, number, at }: Change) => ({
    key: { organisation: owner.organisation, importSupplier: owner.supplier, externalAccountNumber: number },
    at,
    by: { who },
    validatedUnder: rules,
  })
  return {
    stage: async ({ payload, ...change }) => {
      const [outcome] = await answer(accountImports.stage([{ ...of(change), payload }]))
      if (outcome?._tag !== 'created' && outcome?._tag !== 'replaced') throw new Error(outcome?._tag)
    },
    create: async (change) => {
      const creation = { platformAccountNumber: `P-${change.number}`, operationsTeam: change.owner.team }
      const [outcome] = await answer(accountImports.create([{ ...of(change), ...creation }]))
      if (outcome?._tag !== 'created') throw new Error(outcome?._tag)
    },
  }
}

const sides = ['earlier', 'present'] as const

onKnownToEarlier(
  'servers of the version before and of this one stage, replace and create what the other staged, and all events are sealed',
  async (t, database) => {
    const opened = database.open()
    const useCases = makeUseCases(inMemoryPorts(opened.ports))
    const owner = await setUp(useCases.operator)
    const by = {
      earlier: earlier(database.open(), database.url.startsWith('sqlite')),
      present: present(opened),
    }
    const start = instantOf(Date.now() - 60_000)
    const accounts = sides.flatMap((first) =>
      sides.flatMap((second) => sides.map((third) => ({ first, second, third }))),
    )
    const payloadOf = (number: string, version: number): string =>
      JSON.stringify({ ...gasAccount(owner.supplier, number), version })
    for (const { first, second, third } of accounts) {
      const number = [first, second, third].join('-')
      const change = (seconds: number) => ({ owner, number, at: plusSeconds(start, seconds) })
      await by[first].stage({ ...change(1), payload: payloadOf(number, 1) })
      await by[second].stage({ ...change(2), payload: payloadOf(number, 2) })
      // Events of both places wait, some of them are sealed before the last.
      if (third === 'present') await answer(useCases.audit.seal(5))
      await by[third].create(change(3))
    }
    while ((await answer(useCases.audit.seal(7))).more);
    for await (const { breaks } of await answer(useCases.audit.verify({ heads: [] }))) t.deepEqual(breaks, [])
    t.is(await answer(opened.ports.auditTrail.oldestUnsealed()), undefined)
    const { organisation, supplier: importSupplier } = owner
    for (const { first, second, third } of accounts) {
      const number = [first, second, third].join('-')
      const [one, two] = [1, 2].map((version) => hashOf(payloadOf(number, version)))
      const filter = { organisation, importSupplier, externalAccountNumber: number }
      const sealed = await answer(opened.ports.auditTrail.events(filter, undefined, 10))
      t.deepEqual(
        sealed
          .toSorted((a, b) => (a.entry.at < b.entry.at ? -1 : 1))
          .map(({ entry: { what, by: actor, subject, before, after } }) => ({
            what,
            who: actor.who,
            subject,
            before,
            after,
          })),
        [
          { what: 'staged', who, subject: undefined, before: undefined, after: one },
          { what: 'restaged', who, subject: undefined, before: one, after: two },
          { what: 'created', who, subject: `P-${number}`, before: two, after: hashOf(`P-${number}`) },
        ],
        number,
      )
      const found = await answer(
        opened.ports.accountImports.find({ organisation, importSupplier, externalAccountNumber: number }),
      )
      t.like(found, {
        stagedVersion: 2,
        attempts: 1,
        created: { platformAccountNumber: `P-${number}`, stagedVersion: 2 },
      })
    }
    t.deepEqual(await breaksFound(opened.knex), [])
  },
)
