import type { Delivery } from '@account-import/core'
import { failing, inMemoryStorePorts } from '@account-import/core/in-memory'
import test from 'ava'
import { answer } from '../support/answers.js'
import { left } from '../use-cases/support/service.js'
import { migrating, relayOnce } from './support/migrating.js'

const accepted: Delivery = { _tag: 'accepted' }
const deferred: Delivery = { _tag: 'deferred', code: 'message_deferred' }

test('what is put off is tried again after longer and longer pauses, and parked after twelve failures', async (t) => {
  const world = await migrating(undefined, () => deferred)
  await answer(world.migrate('N-1'))
  let waited = 0
  for (let attempt = 1; attempt < 12; attempt += 1) {
    t.deepEqual(await relayOnce(world), ['deferred message_deferred'], `attempt ${attempt}`)
    const full = Math.min(60 * 2 ** (attempt - 1), 4 * 3600)
    world.clock.pass(full / 2 - 1)
    t.deepEqual(await relayOnce(world), [], `not before half of ${full} s`)
    world.clock.pass(full / 2 + 1)
    waited += full
  }
  t.deepEqual(await relayOnce(world), ['parked message_deferred'])
  t.true(waited > 12 * 3600)
  world.clock.pass(1_000_000)
  t.deepEqual(await relayOnce(world), [])
  t.like((await world.emails())[0], { attempts: 12, latestFailure: { code: 'message_deferred' } })
  t.is(world.notices.length, 12)
  t.is(new Set(world.notices.map(({ id }) => id)).size, 1)
})

test('e-mails that failed together do not come back together', async (t) => {
  const world = await migrating(undefined, () => deferred)
  for (let index = 0; index < 40; index += 1) await answer(world.migrate(`N-${index}`))
  t.is((await relayOnce(world)).length, 40)
  const due = (await world.emails()).map(({ state }) => (state._tag === 'waiting' ? state.dueAt : ''))
  t.true(new Set(due).size > 35)
})

test('what is refused is parked at once; retried by the operator it begins anew', async (t) => {
  let reply: Delivery = { _tag: 'refused', code: 'recipient_refused' }
  const world = await migrating(undefined, () => reply)
  for (const number of ['N-1', 'N-2', 'N-3']) await answer(world.migrate(number))
  t.deepEqual(await relayOnce(world), Array(3).fill('parked recipient_refused'))
  const { operator } = world.useCases
  const first = (await world.emails())[0]?.id ?? ''
  reply = accepted
  t.deepEqual(await answer(operator.retryEmail(first)), { retried: 1 })
  t.deepEqual(await relayOnce(world), ['sent'])
  t.is((await left(operator.retryEmail(first)))._tag, 'EmailIsSent')
  t.like(await left(operator.retryEmail('nobody')), { _tag: 'DoesNotExist', name: 'nobody' })
  t.like(await left(operator.retryParkedEmails({ importSupplier: 'nobody' })), { _tag: 'DoesNotExist' })
  t.deepEqual(await answer(operator.retryParkedEmails({ importSupplier: world.supplier })), { retried: 2 })
  t.deepEqual(await relayOnce(world), ['sent', 'sent'])
  t.deepEqual(await answer(operator.retryParkedEmails({ importSupplier: undefined })), { retried: 0 })
})

test('a channel that does not work costs no e-mail an attempt', async (t) => {
  let reply: Delivery = { _tag: 'unavailable', code: 'auth_failed' }
  const world = await migrating(undefined, () => reply)
  for (const number of ['N-1', 'N-2']) await answer(world.migrate(number))
  for (let time = 0; time < 50; time += 1)
    t.deepEqual(await relayOnce(world), ['released auth_failed', 'released auth_failed'])
  for (const email of await world.emails())
    t.like(email, { attempts: 0, state: { _tag: 'waiting' }, latestFailure: { code: 'auth_failed' } })
  reply = accepted
  t.deepEqual(await relayOnce(world), ['sent', 'sent'])
})

test('a relay that was too slow to begin gives the e-mail back unsent, and one whose lease ended changes nothing', async (t) => {
  const world = await migrating()
  await answer(world.migrate('N-1'))
  const { emails } = world.useCases
  const [slow] = await answer(emails.claimDue(1))
  if (slow === undefined) return t.fail('nothing was claimed')
  world.clock.pass(61)
  t.like(await answer(emails.deliver(slow, new AbortController().signal)), { outcome: 'released' })
  t.is(world.notices.length, 0)
  const [lost] = await answer(emails.claimDue(1))
  world.clock.pass(91)
  const [owner] = await answer(emails.claimDue(1))
  if (lost === undefined || owner === undefined) return t.fail('nothing was claimed')
  t.like(await answer(emails.release(lost)), { outcome: 'lease_lost' })
  t.like(await answer(emails.deliver(owner, new AbortController().signal)), { outcome: 'sent' })
  t.is(world.notices.length, 1)
})

test('an e-mail whose holders have no address any more is parked', async (t) => {
  const world = await migrating()
  await answer(world.migrate('N-1'))
  const [claimed] = await answer(world.useCases.emails.claimDue(1))
  if (claimed === undefined) return t.fail('nothing was claimed')
  const outcome = world.useCases.emails.deliver({ ...claimed, customers: [] }, new AbortController().signal)
  t.like(await answer(outcome), { outcome: 'parked', code: 'no_recipient' })
})

test('an e-mail whose customers cannot be read is tried again later, and parked in the end', async (t) => {
  const world = await migrating()
  await answer(world.migrate('N-1'))
  const { emails } = world.useCases
  const outcomes: string[] = []
  while (outcomes.at(-1) !== 'parked contacts_unreadable' && outcomes.length < 100) {
    const [claimed] = await answer(emails.claimDue(1))
    if (claimed === undefined) {
      world.clock.pass(600)
      continue
    }
    const unreadable = { ...claimed, customers: 'unreadable' as const }
    const { outcome, code } = await answer(emails.deliver(unreadable, new AbortController().signal))
    outcomes.push(`${outcome} ${code}`)
  }
  t.deepEqual(new Set(outcomes), new Set(['deferred contacts_unreadable', 'parked contacts_unreadable']))
  t.is(world.notices.length, 0)
})

test('a store that fails once while an e-mail is settled does not make it a second one', async (t) => {
  const stores = inMemoryStorePorts()
  const once = await migrating({ ...stores, outbox: failing(stores.outbox, 'settle', { times: 1 }) })
  await answer(once.migrate('N-1'))
  t.deepEqual(await relayOnce(once), ['sent'])
})

test('a store that stays away makes it one more e-mail with the same id, after the lease', async (t) => {
  const stores = inMemoryStorePorts()
  const world = await migrating({ ...stores, outbox: failing(stores.outbox, 'settle', { times: 2 }) })
  await answer(world.migrate('N-1'))
  const [claimed] = await answer(world.useCases.emails.claimDue(1))
  if (claimed === undefined) return t.fail('nothing was claimed')
  t.is((await left(world.useCases.emails.deliver(claimed, new AbortController().signal)))._tag, 'PortFailure')
  t.deepEqual(await relayOnce(world), [])
  world.clock.pass(91)
  t.deepEqual(await relayOnce(world), ['sent'])
  t.deepEqual(
    world.notices.map(({ id }) => id),
    [claimed.email.id, claimed.email.id],
  )
})

test("the language is the supplier's, or else that of the account's country, or else of the service's", async (t) => {
  const languageFor = async (country: string | undefined, emailLanguage?: string) => {
    const world = await migrating(undefined, undefined, emailLanguage === undefined ? {} : { emailLanguage })
    const entry = { customer_at_supply_address_from_date: '2024-01-01', supply_points: [] }
    const others = { ...entry, supply_address: { country: 'FR' } }
    const first = { ...entry, supply_address: { country } }
    await answer(
      world.useCases.operator.configureSupplier({
        code: world.supplier,
        change: (before) => ({ ...before, severities: { supply_address_without_supply_points: 'off' } }),
      }),
    )
    await answer(world.migrate('N-1', { supply_addresses: country === undefined ? [] : [first, others] }))
    return (await world.emails())[0]?.language
  }
  t.is(await languageFor('AD'), 'ca')
  t.is(await languageFor('PT'), 'pt')
  t.is(await languageFor('JP'), 'en')
  t.is(await languageFor('JP', 'ca'), 'ca')
  t.is(await languageFor(undefined), 'es')
})
