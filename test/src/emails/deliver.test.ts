import { setTimeout } from 'node:timers/promises'
import test from 'ava'
import {
  type ClaimedEmail,
  type CustomerEmail,
  type Delivery,
  type EmailOutcome,
  type EmailUseCases,
  instantOf,
  portFailure,
  type UseCases,
} from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import {
  startBackgroundWork,
  type BackgroundOptions,
  type BackgroundWork,
} from '@account-import/core/background'
import { failing, inMemoryPorts, inMemoryStorePorts } from '@account-import/core/in-memory'
import { until } from '../servers/until.js'
import { answer } from '../support/answers.js'
import { left } from '../use-cases/support/service.js'
import { claimOne, deliver, migrating, relayOnce } from './support/migrating.js'
import { accepted, deferred, refused } from './support/notices.js'

test('a deferred e-mail is tried again after growing pauses, and parked after twelve failures', async (t) => {
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

test('e-mails that failed together are tried again at different times', async (t) => {
  const world = await migrating(undefined, () => deferred)
  for (let index = 0; index < 40; index += 1) await answer(world.migrate(`N-${index}`))
  t.is((await relayOnce(world)).length, 40)
  const due = (await world.emails()).map(({ state }) => (state._tag === 'waiting' ? state.dueAt : ''))
  t.true(new Set(due).size > 35)
})

test('a refused e-mail is parked at once, and a retry by the operator starts it anew', async (t) => {
  let reply: Delivery = refused
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

test('a failing channel costs no e-mail an attempt', async (t) => {
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

test('a relay that begins too late returns the e-mail unsent, and one whose lease has ended changes nothing', async (t) => {
  const world = await migrating()
  await answer(world.migrate('N-1'))
  const slow = await claimOne(world)
  world.clock.pass(61)
  t.like(await answer(deliver(world, slow)), { outcome: 'released' })
  t.is(world.notices.length, 0)
  const lost = await claimOne(world)
  world.clock.pass(91)
  const owner = await claimOne(world)
  t.like(await answer(world.useCases.emails.release(lost)), { outcome: 'lease_lost' })
  t.like(await answer(deliver(world, owner)), { outcome: 'sent' })
  t.is(world.notices.length, 1)
})

test('an e-mail whose customers cannot be read is tried again later, and parked at the end', async (t) => {
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
    const { outcome, code } = await answer(deliver(world, unreadable))
    outcomes.push(`${outcome} ${code}`)
  }
  t.deepEqual(new Set(outcomes), new Set(['deferred contacts_unreadable', 'parked contacts_unreadable']))
  t.is(world.notices.length, 0)
})

test('an e-mail is sent once when the store fails once while the e-mail is settled', async (t) => {
  const stores = inMemoryStorePorts()
  const once = await migrating({ ...stores, outbox: failing(stores.outbox, 'settle', { times: 1 }) })
  await answer(once.migrate('N-1'))
  t.deepEqual(await relayOnce(once), ['sent'])
})

test('an e-mail is sent again with the same id after its lease when the store stays unavailable', async (t) => {
  const stores = inMemoryStorePorts()
  const world = await migrating({ ...stores, outbox: failing(stores.outbox, 'settle', { times: 2 }) })
  await answer(world.migrate('N-1'))
  const claimed = await claimOne(world)
  t.is((await left(deliver(world, claimed)))._tag, 'PortFailure')
  t.deepEqual(await relayOnce(world), [])
  world.clock.pass(91)
  t.deepEqual(await relayOnce(world), ['sent'])
  const ids = world.notices.map(({ id }) => id)
  t.deepEqual(ids, [claimed.email.id, claimed.email.id])
})

test("the language of an e-mail is that of the supplier, else of the account's country, else of the service", async (t) => {
  const entry = { customer_at_supply_address_from_date: '2024-01-01', supply_points: [] }
  const others = { ...entry, supply_address: { country: 'FR' } }
  for (const [country, settings, language] of [
    ['AD', {}, 'ca'],
    ['PT', {}, 'pt'],
    ['JP', {}, 'en'],
    ['JP', { emailLanguage: 'ca' }, 'ca'],
    [undefined, {}, 'es'],
  ] as const) {
    const severities = { supply_address_without_supply_points: 'off' } as const
    const world = await migrating(undefined, undefined, { ...settings, severities })
    const first = { ...entry, supply_address: { country } }
    await answer(world.migrate('N-1', { supply_addresses: country === undefined ? [] : [first, others] }))
    t.is((await world.emails())[0]?.language, language, country)
  }
})

const little = { supply_addresses: [], notes: [], ledgers: [], statements: [], payment_schedules: [] }

test('e-mails are listed by supplier, page by page, and one call retries all parked ones', async (t) => {
  const world = await migrating(undefined, () => refused)
  const { operator } = world.useCases
  const numbers = Array.from({ length: 501 }, (_, index) => `N-${String(index).padStart(4, '0')}`)
  for (const number of numbers) await answer(world.migrate(number, little))
  await answer(operator.createSupplier({ code: 'WITHOUT', organisation: world.organisation }))
  const listed = async (
    input: Parameters<UseCases['operator']['listEmails']>[0],
    useCases = world.useCases,
  ) => {
    const pages = []
    for await (const page of await answer(useCases.operator.listEmails(input)))
      pages.push(E.isLeft(page) ? page.left._tag : page.right.map(({ key }) => key.externalAccountNumber))
    return pages
  }
  const every = { importSupplier: undefined, list: undefined }
  t.deepEqual(await listed(every), [numbers.slice(0, 500), numbers.slice(500)])
  t.deepEqual(await listed({ importSupplier: world.supplier, list: 'parked' }), [])
  for (let turn = 0; turn < 6; turn += 1) await relayOnce(world)
  t.deepEqual((await listed({ importSupplier: world.supplier, list: 'parked' })).flat(), numbers)
  const broken = makeUseCases({ ...world.ports, outbox: failing(world.ports.outbox, 'page', { nth: 2 }) })
  t.deepEqual(await listed(every, broken), [numbers.slice(0, 500), 'PortFailure'])
  t.is((await left(broken.operator.retryParkedEmails({ importSupplier: undefined })))._tag, 'PortFailure')
  const unwilling = makeUseCases({ ...world.ports, outbox: failing(world.ports.outbox, 'retry') })
  t.is((await left(unwilling.operator.retryParkedEmails({ importSupplier: undefined })))._tag, 'PortFailure')
  t.deepEqual(await answer(operator.retryParkedEmails({ importSupplier: undefined })), { retried: 501 })
})

test('an e-mail that is being sent is not retried', async (t) => {
  const world = await migrating()
  await answer(world.migrate('A'))
  const { email } = await claimOne(world)
  t.deepEqual(await left(world.useCases.operator.retryEmail(email.id)), { _tag: 'EmailIsBeingSent' })
})

const quiet: BackgroundOptions = { onFailure: () => undefined }

/** Background work whose e-mails are these. */
const startEmailRelay = (
  emails: EmailUseCases,
  emailsAtOneTime: number,
  options: BackgroundOptions,
): BackgroundWork =>
  startBackgroundWork({ ...makeUseCases(inMemoryPorts()), emails }, { ...options, emailsAtOneTime })

test('a relay holds at most its limit of e-mails, and returns those that it claims while it stops', async (t) => {
  const world = await migrating()
  for (let index = 0; index < 12; index += 1) await answer(world.migrate(`N-${index}`))
  let [now, most] = [0, 0]
  const { emails } = world.useCases
  const slow: EmailUseCases = {
    ...emails,
    deliver: async (claimed, signal) => {
      now += 1
      most = Math.max(most, now)
      await setTimeout(30)
      now -= 1
      return emails.deliver(claimed, signal)
    },
  }
  const relay = startEmailRelay(slow, 3, quiet)
  await until(async () => world.notices.length === 12, 'all are sent')
  await relay.stop(1000)
  t.is(most, 3)

  await answer(world.migrate('late'))
  let stopping: Promise<void> | undefined
  const late: EmailUseCases = {
    ...emails,
    claimDue: async (limit) => {
      await setTimeout(1)
      stopping ??= stopped.stop(1000)
      return emails.claimDue(limit)
    },
  }
  const stopped = startEmailRelay(late, 3, quiet)
  await until(async () => stopping !== undefined, 'it was told to stop')
  await stopping
  t.is(world.notices.length, 12)
  t.is((await world.emails()).filter(({ state }) => state._tag === 'waiting').length, 1)
})

test('one e-mail at a time tests a failing channel, after growing pauses', async (t) => {
  const world = await migrating()
  for (let index = 0; index < 8; index += 1) await answer(world.migrate(`N-${index}`))
  const limits: number[] = []
  const outcomes: EmailOutcome[] = []
  const begun: number[] = []
  const { emails } = world.useCases
  const broken: EmailUseCases = {
    ...emails,
    claimDue: (limit) => {
      limits.push(limit)
      begun.push(Date.now())
      return emails.claimDue(limit)
    },
    deliver: async (claimed) => ({
      _tag: 'Right',
      right: { ...(await answer(emails.release(claimed))), code: 'unreachable' },
    }),
  }
  const relay = startEmailRelay(broken, 4, { ...quiet, onEmail: (outcome) => outcomes.push(outcome) })
  await until(async () => limits.length >= 3, 'three claims were made')
  await relay.stop(1000)
  t.deepEqual(limits.slice(0, 3), [4, 1, 1])
  t.true((begun[1] ?? 0) - (begun[0] ?? 0) >= 700 && (begun[2] ?? 0) - (begun[1] ?? 0) >= 1400)
  t.true(outcomes.length >= 5)
})

test('a relay reports a failing store, and continues when the store works again', async (t) => {
  const world = await migrating()
  await answer(world.migrate('N-1'))
  const { emails } = world.useCases
  let failures = 0
  const failingOnce: EmailUseCases = {
    ...emails,
    claimDue: async (limit) =>
      failures === 0
        ? E.left(portFailure('unavailable', 'outbox', 'claimDue', new Error('made to fail')))
        : emails.claimDue(limit),
  }
  const relay = startEmailRelay(failingOnce, 4, { ...quiet, onFailure: () => (failures += 1) })
  await until(async () => world.notices.length === 1, 'it is sent')
  await relay.stop(1000)
  t.is(failures, 1)
})

test('a relay cuts off e-mails that are still being sent at the end of its stop time', async (t) => {
  const email = { id: 'x' } as CustomerEmail
  const claimed: ClaimedEmail = { email, token: 't', leaseEndsAt: instantOf(0), customers: [] }
  let handed = false
  const endless: EmailUseCases = {
    canSend: true,
    claimDue: async () => {
      const right = handed ? [] : [claimed]
      handed = true
      return { _tag: 'Right', right }
    },
    deliver: (_claimed, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () =>
          resolve({ _tag: 'Right', right: { id: 'x', outcome: 'released', code: 'stopped' } }),
        )
      }),
    release: async () => E.right({ id: 'x', outcome: 'released', code: undefined }),
  }
  const codes: (string | undefined)[] = []
  const relay = startEmailRelay(endless, 1, { ...quiet, onEmail: ({ code }) => codes.push(code) })
  await until(async () => handed, 'it is being sent')
  const begun = Date.now()
  await relay.stop(200)
  t.true(Date.now() - begun >= 190 && Date.now() - begun < 2000)
  t.deepEqual(codes, ['stopped'])
})
