import { createSqlPorts } from '@account-import/adapter-sql'
import type { AuditEntry, ChainBreak, ChainHead, Ports, UseCases } from '@account-import/core'
import { sealedText } from '@account-import/core/adapter-kit'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { createHash } from 'node:crypto'
import { answer } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import { now, stagingOf } from './support/imports.js'

const { onEach, onMariaDb } = testDatabases()

const organisation = 'ACME'
const by = { who: 'key 1' }

const firstKey = 'k'.repeat(32)

/** The audit log of a database, for a server with these keys; one key by default. */
const auditOf = ({ knex }: Opened, ...auditKeys: readonly string[]) => {
  const ports: Ports = {
    ...inMemoryPorts(),
    ...createSqlPorts(knex, { auditKeys: auditKeys.length > 0 ? auditKeys : [firstKey] }),
  }
  return { ports, audit: makeUseCases(ports).audit }
}

type Audit = UseCases['audit']

const sealAll = async (audit: Audit): Promise<void> => {
  while ((await answer(audit.seal(100))).more);
}

const breaksOf = async (audit: Audit, heads: readonly ChainHead[] = []): Promise<readonly ChainBreak[]> => {
  const breaks: ChainBreak[] = []
  for await (const page of await answer(audit.verify({ heads }))) breaks.push(...page.breaks)
  return breaks
}

/** Ten more events, sealed by a server with these keys. */
const addTo = async (opened: Opened, round: string, ...keys: readonly string[]) => {
  const { ports, audit } = auditOf(opened, ...keys)
  const stagings = Array.from({ length: 10 }, (_, index) => ({ ...stagingOf(`${round}-${index}`), by }))
  await answer(ports.accountImports.stage(stagings))
  await sealAll(audit)
  return { ports, audit }
}

const hashes = ['before_hash', 'after_hash'] as const
const columns = [
  'id',
  'at',
  'what',
  'who',
  'request_id',
  'import_supplier',
  'external_account_number',
  'subject',
  ...hashes,
] as const

onEach('verify finds the block of a sealed event when any of its columns is changed', async (t, { open }) => {
  const opened = open()
  await addTo(opened, 'N')
  const { audit } = await addTo(opened, 'M')
  t.deepEqual(await breaksOf(audit), [])
  const { id } = (await opened.knex('audit_log').where({ organisation, block: 2 }).first()) as { id: string }
  const before = (await opened.knex('audit_log').where({ organisation, id }).first()) as Record<
    string,
    string
  >
  for (const column of columns) {
    const forged = column === 'at' ? '2020-01-01 00:00:00.000' : 'x'
    await opened
      .knex('audit_log')
      .where({ organisation, id })
      .update({ [column]: forged })
    t.deepEqual(await breaksOf(audit), [{ kind: 'block_changed', organisation, block: 2 }], column)
    await opened
      .knex('audit_log')
      .where({ organisation, id: column === 'id' ? 'x' : id })
      .update({ [column]: before[column] ?? null })
  }
  t.deepEqual(await breaksOf(audit), [])
})

onEach(
  'verify finds rows of the audit log that no block seals: with impossible numbers, later ones, and in other organisations',
  async (t, { open }) => {
    const opened = open()
    const { audit } = await addTo(opened, 'N')
    const row = (await opened.knex('audit_log').where({ organisation }).first()) as Record<string, string>
    const sealed = (await opened.knex('audit_blocks').where({ organisation }).first()) as Record<
      string,
      string
    >
    for (const block of [-5, 0, 2, 1_000_000]) {
      await opened.knex('audit_log').insert({ ...row, block })
      t.deepEqual(await breaksOf(audit), [{ kind: 'outside_chain', organisation, block }])
      await opened.knex('audit_log').where({ organisation, block }).delete()
    }
    await opened.knex('audit_log').insert({ ...row, organisation: 'OTHER', block: 1 })
    t.deepEqual(await breaksOf(audit), [{ kind: 'outside_chain', organisation: 'OTHER', block: 1 }])
    await opened.knex('audit_log').where({ organisation: 'OTHER' }).delete()
    for (const block of [-5, 0]) {
      await opened.knex('audit_blocks').insert({ ...sealed, block })
      t.deepEqual(await breaksOf(audit), [{ kind: 'outside_chain', organisation, block }])
      await opened.knex('audit_blocks').where({ organisation, block }).delete()
    }
    await opened.knex('audit_log').insert({ ...row, id: 'added' })
    t.deepEqual(await breaksOf(audit), [{ kind: 'block_changed', organisation, block: 1 }])
  },
)

onEach(
  'an event that was changed before sealing is sealed as it is, and delays no other',
  async (t, { open }) => {
    const opened = open()
    const { ports, audit } = auditOf(opened)
    for (const number of ['A', 'B', 'C']) await answer(ports.accountImports.stage([stagingOf(number)]))
    const who = 'key of two\u2028lines'
    await answer(ports.accountImports.stage([{ ...stagingOf('E'), by: { who } }]))
    const entry: AuditEntry = { organisation, at: now(), what: 'logged_in', by }
    await answer(ports.auditTrail.record([entry]))
    await answer(ports.auditTrail.record([{ ...entry, what: 'logged_out' }]))
    const unsealed = opened.knex('audit_unsealed')
    await unsealed
      .clone()
      .where('what', 'logged_in')
      .update({ subject: '{', after_hash: 'x', what: 'nonsense' })
    await unsealed.clone().where('what', 'logged_out').update({ at: '1999-01-01', id: '' })
    const changed = async (number: string, unsealed_: string): Promise<void> => {
      const row = opened.knex('account_imports').where({ external_account_number: number })
      t.is(await row.update({ unsealed: unsealed_ }), 1)
    }
    const [{ unsealed: copied }] = (await opened
      .knex('account_imports')
      .where({ external_account_number: 'C' })) as [{ unsealed: string }]
    const longest = ['x', now(), 'x'.repeat(65), 'who', null, null, null]
    await changed('A', `nonsense\n${copied}0  ["id"]\n0  ${JSON.stringify(longest)}\n`)
    await changed('B', '[]')
    await sealAll(audit)
    const sealed = await answer(ports.auditTrail.events({ organisation }, undefined, 20))
    t.deepEqual(
      sealed.map(({ entry: { what, subject = '' } }) => `${what} ${subject.slice(0, 8)}`).toSorted(),
      [
        'logged_out ',
        'nonsense {',
        'staged ',
        'staged ',
        ...[copied.slice(0, 8), '0  ["id"', '0  ["x",', '[]', 'nonsense'].map((line) => `unreadable ${line}`),
      ],
    )
    t.is(sealed[0]?.entry.at.slice(0, 10), '1999-01-01')
    t.true(sealed.some(({ entry: { by: actor } }) => actor.who === who))
    t.true(sealed.every(({ block }) => block !== undefined))
    t.deepEqual(await breaksOf(audit), [])
  },
)

onMariaDb(
  'sealed events of a chain, and of an account, are read in the order of an index',
  async (t, { open }) => {
    const { knex } = open()
    for (const [condition, key] of [
      ["organisation = 'ACME'", 'PRIMARY'],
      [
        "organisation = 'ACME' AND import_supplier = 'LEVANTE' AND external_account_number = 'N-1'",
        'audit_log_accounts',
      ],
    ]) {
      const [[plan]] = (await knex.raw(
        `EXPLAIN SELECT * FROM audit_log FORCE INDEX (${key}) WHERE ${condition} AND block > 1 ORDER BY block, id LIMIT 250`,
      )) as [[{ key: string; Extra: string }]]
      t.is(plan.key, String(key))
      t.notRegex(plan.Extra, /filesort/)
    }
  },
)

onMariaDb(
  'a sealer that is killed before its commit seals nothing, and the next one seals each event once',
  async (t, { open }) => {
    const opened = open()
    const { ports, audit } = await addTo(opened, 'N')
    await answer(ports.accountImports.stage([stagingOf('N-1', '{"b":1}')]))
    // The end of a chain that another sealer is moving at this moment: its row is there, and not committed.
    const blocking = await opened.knex.transaction()
    const { block } = (await answer(audit.heads()))[0] ?? { block: 0 }
    await blocking('audit_blocks').insert({ organisation, block: block + 1, events: 1, hash: 'x' })
    const waiting = answer(audit.seal(100))
    await blocking.rollback()
    t.deepEqual(await waiting, { events: 1, more: false })
    t.deepEqual(await breaksOf(audit), [])
    t.is((await answer(ports.auditTrail.events({ organisation }, undefined, 100))).length, 11)
  },
)

onEach('the key is rotated while servers seal with both, and a missing key is named', async (t, { open }) => {
  const opened = open()
  const [older, newer] = ['o'.repeat(32), 'n'.repeat(32)]
  const { audit: withOne } = await addTo(opened, 'before', older)
  t.deepEqual(await breaksOf(withOne), [])
  const heads = await answer(withOne.heads())
  const { audit: withBoth } = await addTo(opened, 'changed', newer, older)
  await addTo(opened, 'not-yet', older)
  await addTo(opened, 'again', newer, older)
  t.deepEqual(await breaksOf(withBoth, heads), [])
  const missing = async (...keys: readonly string[]) => {
    const found = await breaksOf(auditOf(opened, ...keys).audit)
    return found.map(({ kind, block, about }) => [kind, block, about])
  }
  const idOf = (hash: string | undefined) => hash?.split(':')[0]
  const sealed = await answer(auditOf(opened).ports.auditTrail.chain(organisation, undefined, 100))
  t.is(sealed.length, 4)
  t.deepEqual(await missing(newer), [['key_missing', 1, idOf(sealed[0]?.block?.hash)]])
  t.deepEqual(await missing(older), [['key_missing', 2, idOf(sealed[1]?.block?.hash)]])
  t.is((await missing('x'.repeat(32))).length, 2)
  t.notRegex(JSON.stringify(await missing(newer)), new RegExp(`${older}|${newer}`))
})

onEach(
  'a forged seal is found: by the name of a known key, of an unknown one, and of none',
  async (t, { open }) => {
    const opened = open()
    const keys = ['n'.repeat(32), 'o'.repeat(32)]
    const { audit } = await addTo(opened, 'one', ...keys)
    await addTo(opened, 'next', ...keys)
    const row = opened.knex('audit_blocks').where({ organisation, block: 1 })
    const { hash } = (await row.clone().first()) as { hash: string }
    const { audit: forged } = await addTo(opened, 'two', 'f'.repeat(32))
    const [id, mac] = hash.split(':')
    const ofOthers = (await answer(forged.heads()))[0]?.hash ?? ''
    for (const table of ['audit_log', 'audit_blocks'])
      await opened.knex(table).where({ organisation, block: 3 }).delete()
    t.deepEqual(await breaksOf(audit), [])
    for (const [seal, kind] of [
      [`${id}:${ofOthers.split(':')[1]}`, 'block_changed'],
      [ofOthers, 'key_missing'],
      [`${ofOthers.split(':')[0]}:${mac}`, 'key_missing'],
      [createHash('sha256').update('anything').digest('hex'), 'block_changed'],
    ] as const) {
      await row.clone().update({ hash: seal })
      const next = { kind: 'block_changed', organisation, block: 2 }
      t.like(await breaksOf(audit), [{ kind, block: 1 }, next] as object)
    }
  },
)

onEach(
  'hashes without a key are valid when there are no keys, and not valid when there are',
  async (t, { open }) => {
    const opened = open()
    await addTo(opened, 'one', 'n'.repeat(32))
    const { audit } = await addTo(opened, 'two', 'n'.repeat(32))
    const { auditTrail } = auditOf(opened).ports
    let previous = ''
    for (const { number: block, events } of await answer(auditTrail.chain(organisation, undefined, 100))) {
      previous = createHash('sha256')
        .update(sealedText(previous, { organisation, block }, events))
        .digest('hex')
      await opened.knex('audit_blocks').where({ organisation, block }).update({ hash: previous })
    }
    t.is((await breaksOf(audit)).length, 2)
    const without = { ...inMemoryPorts(), ...createSqlPorts(opened.knex) }
    t.deepEqual(await breaksOf(makeUseCases(without).audit), [])
  },
)
