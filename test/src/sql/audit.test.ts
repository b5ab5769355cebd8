import { createSqlPorts } from '@account-import/adapter-sql'
import {
  makeUseCases,
  type AuditEntry,
  type ChainBreak,
  type KnownHead,
  type Ports,
  type UseCases,
} from '@account-import/core'
import { E, sealedText } from '@account-import/core/adapter-kit'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { createHash } from 'node:crypto'
import { answer } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import { now, stagingOf } from './support/imports.js'

const { onEach, onMariaDb } = testDatabases()

const organisation = 'ACME'
const by = { who: 'key 1' }

const firstKey = 'k'.repeat(32)

/** The record of a database, as whoever has these keys sees it; one key where none is given. */
const auditOf = ({ knex }: Opened, ...auditKeys: readonly string[]) => {
  const ports: Ports = {
    ...inMemoryPorts(),
    ...createSqlPorts(knex, { auditKeys: auditKeys.length > 0 ? auditKeys : [firstKey] }),
  }
  return { ports, audit: makeUseCases(ports).audit }
}

type Audit = UseCases['audit']

const sealAll = async (audit: Audit): Promise<void> => {
  for (;;) {
    const sealing = await answer(audit.seal(100))
    if (sealing._tag === 'sealed' && !sealing.more) return
  }
}

const breaksOf = async (audit: Audit, heads: readonly KnownHead[] = []): Promise<readonly ChainBreak[]> => {
  const breaks: ChainBreak[] = []
  for await (const page of await answer(audit.verify({ heads }))) {
    if (E.isLeft(page)) throw new Error('the chain cannot be read', { cause: page.left })
    breaks.push(...page.right.breaks)
  }
  return breaks
}

/** Ten entries more, sealed by whoever has these keys. */
const addTo = async (opened: Opened, round: string, ...keys: readonly string[]) => {
  const { ports, audit } = auditOf(opened, ...keys)
  const stagings = Array.from({ length: 10 }, (_, index) => ({ ...stagingOf(`${round}-${index}`), by }))
  await answer(ports.accountImports.stage(stagings))
  await sealAll(audit)
  return { ports, audit }
}

const columns = [
  'at',
  'what',
  'who',
  'request_id',
  'import_supplier',
  'external_account_number',
  'subject',
] as const
const hashes = ['before_hash', 'after_hash', 'hash'] as const

onEach('whatever column of a sealed entry is changed, it is found where it is', async (t, { open }) => {
  const opened = open()
  const { audit } = await addTo(opened, 'N')
  t.deepEqual(await breaksOf(audit), [])
  const rows = opened.knex('audit_log').where({ organisation, sequence: 4 })
  const before = (await rows.clone().first()) as Record<string, string>
  for (const column of [...columns, ...hashes]) {
    const changed = column === 'at' ? '2020-01-01 00:00:00.000' : 'x'
    await rows.clone().update({ [column]: changed })
    t.like((await breaksOf(audit))[0], { kind: 'entry_changed', organisation, sequence: 4 }, column)
    await rows.clone().update({ [column]: before[column] })
  }
  t.deepEqual(await breaksOf(audit), [])
})

onEach(
  'an entry that was changed or taken away before it was sealed is no reason not to seal the others, and is seen',
  async (t, { open }) => {
    const opened = open()
    const { ports, audit } = auditOf(opened)
    for (const number of ['A', 'B', 'C', 'D']) await answer(ports.accountImports.stage([stagingOf(number)]))
    const who = 'key of two\u2028lines'
    await answer(ports.accountImports.stage([{ ...stagingOf('E'), by: { who } }]))
    const entry: AuditEntry = { organisation, at: now(), what: 'logged_in', by }
    await answer(ports.auditTrail.record([entry]))
    await opened
      .knex('account_imports')
      .where('external_account_number', 'A')
      .update({ unsealed: 'nonsense\n' })
    await opened
      .knex('account_imports')
      .where('external_account_number', 'B')
      .update({ unsealed: '0  {"what":1}\n' })
    await opened.knex('account_imports').where('external_account_number', 'D').update({ unsealed: null })
    await opened.knex('audit_unsealed').update({ entry: '[]' })
    await sealAll(audit)
    const sealed = await answer(ports.auditTrail.sealed({ organisation }, 0, 10))
    t.deepEqual(sealed.map((each) => each.entry.what).toSorted(), [
      'staged',
      'staged',
      'unreadable',
      'unreadable',
      'unreadable',
      'unreadable',
    ])
    t.true(sealed.some(({ entry: { by: actor } }) => actor.who === who))
    t.deepEqual(await breaksOf(audit), [])
  },
)

onMariaDb('the imports with entries are found in their index alone', async (t, { open }) => {
  const { knex } = open()
  const [[plan]] = (await knex.raw(
    'EXPLAIN SELECT organisation, import_supplier, external_account_number ' +
      'FROM account_imports FORCE INDEX (account_imports_unsealed) ' +
      "WHERE unsealed_since >= '1000-01-01 00:00:00.000' ORDER BY unsealed_since LIMIT 250",
  )) as [[{ key: string; Extra: string }]]
  t.is(plan.key, 'account_imports_unsealed')
  t.regex(plan.Extra, /Using index/)
  t.notRegex(plan.Extra, /filesort/)
})

onMariaDb(
  'a sealer that is killed before it commits leaves all, and the next one seals each once',
  async (t, { open }) => {
    const opened = open()
    const { ports, audit } = await addTo(opened, 'N')
    await answer(ports.accountImports.stage([stagingOf('N-1', '{"b":1}')]))
    // The end of a chain that another sealer is moving at this moment: its row is there, and not committed.
    const blocking = await opened.knex.transaction()
    const { sequence } = (await answer(audit.heads()))[0] ?? { sequence: 0 }
    await blocking('audit_log').insert({
      organisation,
      sequence: sequence + 1,
      at: '2025-01-01 00:00:00.000',
      what: 'staged',
      who: 'x',
      hash: 'x',
    })
    const waiting = answer(audit.seal(100))
    await blocking.rollback()
    t.deepEqual(await waiting, { _tag: 'sealed', entries: 1, more: false })
    t.deepEqual(await breaksOf(audit), [])
    t.is((await answer(ports.auditTrail.sealed({ organisation }, 0, 100))).length, sequence + 1)
  },
)

onEach(
  'the key is changed while servers seal with both, and what is missing is named',
  async (t, { open }) => {
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
      return found.map(({ kind, ...at }) => [kind, 'sequence' in at && at.sequence, 'key' in at && at.key])
    }
    const idOf = (hash: string | undefined) => hash?.split(':')[0]
    const sealed = await answer(auditOf(opened).ports.auditTrail.sealed({ organisation }, 0, 100))
    t.is(sealed.length, 40)
    t.deepEqual(await missing(newer), [['key_missing', 1, idOf(sealed[0]?.hash)]])
    t.deepEqual(await missing(older), [['key_missing', 11, idOf(sealed[10]?.hash)]])
    t.is((await missing('x'.repeat(32))).length, 2)
    t.notRegex(JSON.stringify(await missing(newer)), new RegExp(`${older}|${newer}`))
  },
)

onEach(
  'a seal that was forged is found: by the name of a known key, of an unknown one, and of none',
  async (t, { open }) => {
    const opened = open()
    const keys = ['n'.repeat(32), 'o'.repeat(32)]
    const { audit } = await addTo(opened, 'one', ...keys)
    const row = opened.knex('audit_log').where({ organisation, sequence: 4 })
    const { hash } = (await row.clone().first()) as { hash: string }
    const { audit: forged } = await addTo(opened, 'two', 'f'.repeat(32))
    const [id, mac] = hash.split(':')
    const ofOthers = (await answer(forged.heads()))[0]?.hash ?? ''
    await opened.knex('audit_log').where({ organisation }).where('sequence', '>', 10).delete()
    t.deepEqual(await breaksOf(audit), [])
    for (const [seal, kind] of [
      [`${id}:${ofOthers.split(':')[1]}`, 'entry_changed'],
      [ofOthers, 'key_missing'],
      [`${ofOthers.split(':')[0]}:${mac}`, 'key_missing'],
      [createHash('sha256').update('anything').digest('hex'), 'entry_changed'],
    ] as const) {
      await row.clone().update({ hash: seal, who: 'somebody else' })
      const next = { kind: 'entry_changed', organisation, sequence: 5 }
      t.like(await breaksOf(audit), [{ kind, sequence: 4 }, next] as object)
    }
  },
)

onEach(
  'hashes that name no key are good where there are no keys, and of nobody where there are',
  async (t, { open }) => {
    const opened = open()
    const { audit } = await addTo(opened, 'one', 'n'.repeat(32))
    const sealed = await answer(auditOf(opened).ports.auditTrail.sealed({ organisation }, 0, 100))
    let previous = ''
    for (const { sequence, entry } of sealed) {
      previous = createHash('sha256')
        .update(sealedText(previous, sequence, entry))
        .digest('hex')
      await opened.knex('audit_log').where({ organisation, sequence }).update({ hash: previous })
    }
    t.is((await breaksOf(audit)).length, 10)
    const without = { ...inMemoryPorts(), ...createSqlPorts(opened.knex) }
    t.deepEqual(await breaksOf(makeUseCases(without).audit), [])
  },
)
