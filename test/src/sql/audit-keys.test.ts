import { createSqlPorts } from '@account-import/adapter-sql'
import { makeUseCases, type UseCases } from '@account-import/core'
import { sealedText } from '@account-import/core/adapter-kit'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { createHash, createHmac } from 'node:crypto'
import { answer } from '../support/answers.js'
import { testDatabases, type Opened } from './support/databases.js'
import { now } from './support/imports.js'
import { auditOf, breaksOf, sealAll } from './support/record.js'

const { onEach } = testDatabases()

const organisation = 'ACME'
const key = (number: string) => ({ organisation, importSupplier: 'LEVANTE', externalAccountNumber: number })
const by = { who: 'key 1' }

/** Ten entries more, sealed by whoever has these keys. */
const addTo = async (
  opened: Opened,
  round: string,
  ...keys: readonly string[]
): Promise<UseCases['audit']> => {
  const { ports, audit } = auditOf(opened, ...keys)
  const stagings = Array.from({ length: 10 }, (_, index) => ({
    key: key(`${round}-${index}`),
    payload: '{}',
    at: now(),
    by,
  }))
  await answer(ports.accountImports.stage(stagings))
  await sealAll(audit)
  return audit
}

onEach(
  'the key is changed while servers seal with both, and what is missing is named',
  async (t, { open }) => {
    const opened = open()
    const [older, newer] = ['o'.repeat(32), 'n'.repeat(32)]
    const withOne = await addTo(opened, 'before', older)
    t.deepEqual(await breaksOf(withOne), [])
    const heads = await answer(withOne.heads())
    const withBoth = await addTo(opened, 'changed', newer, older)
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
    const audit = await addTo(opened, 'one', ...keys)
    const row = opened.knex('audit_log').where({ organisation, sequence: 4 })
    const { hash } = (await row.clone().first()) as { hash: string }
    const forged = await addTo(opened, 'two', 'f'.repeat(32))
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
  'entries whose hash names no key are those of each key, and of no key only without',
  async (t, { open }) => {
    const opened = open()
    const keys = ['n'.repeat(32), 'o'.repeat(32)]
    const audit = await addTo(opened, 'one', ...keys)
    const sealed = await answer(auditOf(opened).ports.auditTrail.sealed({ organisation }, 0, 100))
    const sealAs = async (hashOf: (text: string) => string) => {
      let previous = ''
      for (const { sequence, entry } of sealed) {
        previous = hashOf(sealedText(previous, sequence, entry))
        await opened.knex('audit_log').where({ organisation, sequence }).update({ hash: previous })
      }
    }
    await sealAs((text) =>
      createHmac('sha256', keys[1] ?? '')
        .update(text)
        .digest('hex'),
    )
    t.deepEqual(await breaksOf(audit), [])
    await addTo(opened, 'two', ...keys)
    t.deepEqual(await breaksOf(audit), [])
    await opened.knex('audit_log').where('sequence', '>', 10).delete()
    await sealAs((text) => createHash('sha256').update(text).digest('hex'))
    t.is((await breaksOf(audit)).length, 10)
    const without = { ...inMemoryPorts(), ...createSqlPorts(opened.knex) }
    t.deepEqual(await breaksOf(makeUseCases(without).audit), [])
  },
)
