import { makeUseCases, type Delivery } from '@account-import/core'
import { failing, inMemoryStorePorts } from '@account-import/core/in-memory'
import test from 'ava'
import { answer } from '../support/answers.js'
import { left } from '../use-cases/support/service.js'
import { migrating, relayOnce, type Migrating } from './support/migrating.js'
import { until } from './support/relaying.js'

const accepted: Delivery = { _tag: 'accepted' }
const deferred: Delivery = { _tag: 'deferred', code: 'message_deferred' }
const refused: Delivery = { _tag: 'refused', code: 'recipient_refused' }

const customers = ['a', 'b', 'c'].map((name) => ({
  account_roles: ['ACCOUNT_HOLDER'],
  given_name: name,
  family_name: 'Vidal',
  email: `${name}@example.com`,
}))

/** Who was asked in this turn of a relay, and what came of the e-mail. */
const turnOf = async (world: Migrating): Promise<readonly [outcome: string | undefined, asked: string]> => {
  const before = world.notices.length
  const [outcome] = await relayOnce(world)
  world.clock.pass(4 * 3600)
  const asked = world.notices.slice(before).map(({ recipient }) => recipient.name)
  return [outcome, asked.join('')]
}

test('only those who were put off are asked again, each by the message that they had before', async (t) => {
  const replies: Readonly<Record<string, Delivery[]>> = {
    a: [deferred, deferred, refused],
    b: [accepted],
    c: [deferred, deferred, deferred, accepted],
  }
  const world = await migrating(
    undefined,
    ({ recipient }) => replies[recipient.name ?? '']?.shift() ?? accepted,
  )
  await answer(world.migrate('N-1', { customers }))
  t.deepEqual(await turnOf(world), ['deferred message_deferred', 'abc'])
  t.deepEqual(await turnOf(world), ['deferred message_deferred', 'ac'])
  t.deepEqual(await turnOf(world), ['deferred message_deferred', 'ac'])
  t.deepEqual(await turnOf(world), ['sent', 'c'])
  t.deepEqual(await turnOf(world), [undefined, ''])
  const ids = new Set(world.notices.map(({ id, recipient }) => `${id} ${recipient.name}`))
  const id = (await world.emails())[0]?.id ?? ''
  t.deepEqual([...ids], [`${id} a`, `${id}.1 b`, `${id}.2 c`])
})

test('a recipient that is refused for good does not keep the others from theirs, and is on record', async (t) => {
  const world = await migrating(undefined, ({ recipient }) => (recipient.name === 'a' ? refused : accepted))
  await answer(world.migrate('N-1', { customers }))
  t.deepEqual(await turnOf(world), ['sent recipient_refused', 'abc'])
  t.like((await world.emails())[0], { state: { _tag: 'sent' }, latestFailure: { code: 'recipient_refused' } })
})

test('when nobody takes it and one may later, all are asked again; when all refuse, it is parked', async (t) => {
  let reply: Delivery = deferred
  const world = await migrating(undefined, ({ recipient }) => (recipient.name === 'a' ? refused : reply))
  await answer(world.migrate('N-1', { customers }))
  t.deepEqual(await turnOf(world), ['deferred message_deferred', 'abc'])
  reply = refused
  t.deepEqual(await turnOf(world), ['parked recipient_refused', 'abc'])
})

test('a channel that throws for one recipient puts that one off, and the others get theirs', async (t) => {
  let works = false
  const world = await migrating(undefined, ({ recipient }) => {
    if (!works && recipient.name === 'b') throw new Error('a fault')
    return accepted
  })
  await answer(world.migrate('N-1', { customers }))
  t.deepEqual(await turnOf(world), ['deferred unexpected', 'abc'])
  works = true
  t.deepEqual(await turnOf(world), ['sent', 'b'])
})

test('a channel that stops working between two recipients costs no attempt, and nobody a second message', async (t) => {
  let works = false
  const world = await migrating(undefined, ({ recipient }) =>
    works || recipient.name === 'a' ? accepted : { _tag: 'unavailable', code: 'unreachable' },
  )
  await answer(world.migrate('N-1', { customers }))
  t.deepEqual(await turnOf(world), ['released unreachable', 'ab'])
  t.like((await world.emails())[0], { attempts: 0, served: [0] })
  works = true
  t.deepEqual(await turnOf(world), ['sent', 'bc'])
})

test('a relay that dies between two recipients leaves nobody a second message but the one it was sending', async (t) => {
  const dead = new Promise<Delivery>(() => undefined)
  const world = await migrating()
  await answer(world.migrate('N-1', { customers }))
  const dying = makeUseCases({
    ...world.ports,
    customerNotifier: {
      canSend: true,
      notify: (notice, signal) => async () =>
        notice.recipient.name === 'c' ? dead : world.ports.customerNotifier.notify(notice, signal)(),
    },
  })
  const [claimed] = await answer(dying.emails.claimDue(1))
  if (claimed === undefined) return t.fail('nothing was claimed')
  void dying.emails.deliver(claimed, new AbortController().signal)()
  await until('two have theirs', async () => (await world.emails())[0]?.served.length === 2)
  world.clock.pass(91)
  t.deepEqual(await turnOf(world), ['sent', 'c'])
  t.deepEqual(
    world.notices.map(({ recipient }) => recipient.name),
    ['a', 'b', 'c'],
  )
})

test('the lease is renewed from recipient to recipient, and one that was lost ends the round', async (t) => {
  const world = await migrating(undefined, () => {
    world.clock.pass(60)
    return accepted
  })
  await answer(world.migrate('N-1', { customers }))
  t.deepEqual(await turnOf(world), ['sent', 'abc'])
})

test('a lease that was lost while the first recipient was asked ends the round there', async (t) => {
  const world = await migrating()
  await answer(world.migrate('N-1', { customers }))
  const [slow] = await answer(world.useCases.emails.claimDue(1))
  if (slow === undefined) return t.fail('nothing was claimed')
  const { customerNotifier, ...ports } = world.ports
  const { emails } = makeUseCases({
    ...ports,
    customerNotifier: {
      canSend: true,
      notify: (notice, signal) => async () => {
        world.clock.pass(91)
        await answer(world.useCases.emails.claimDue(1))
        return customerNotifier.notify(notice, signal)()
      },
    },
  })
  t.like(await answer(emails.deliver(slow, new AbortController().signal)), { outcome: 'lease_lost' })
  t.is(world.notices.length, 1)
})

test('a store that fails once between two recipients does not make a second message', async (t) => {
  const stores = inMemoryStorePorts()
  const once = await migrating({ ...stores, outbox: failing(stores.outbox, 'renew', { times: 1 }) })
  await answer(once.migrate('N-1', { customers }))
  t.deepEqual(await turnOf(once), ['sent', 'abc'])
  const away = await migrating({ ...stores, outbox: failing(stores.outbox, 'renew', { times: 2 }) })
  await answer(away.migrate('N-1', { customers }))
  const [claimed] = await answer(away.useCases.emails.claimDue(1))
  if (claimed === undefined) return t.fail('nothing was claimed')
  t.is((await left(away.useCases.emails.deliver(claimed, new AbortController().signal)))._tag, 'PortFailure')
  t.is(away.notices.length, 1)
})

test('an account with hundreds of holders makes twenty messages, to the first of them', async (t) => {
  const world = await migrating()
  const many = Array.from({ length: 200 }, (_, index) => ({
    ...customers[0],
    email: `n${index}@example.com`,
  }))
  await answer(world.migrate('N-1', { customers: many }))
  t.deepEqual(await relayOnce(world), ['sent'])
  t.deepEqual(
    world.notices.map(({ recipient }) => recipient.address),
    many.slice(0, 20).map(({ email }) => email),
  )
})

test('an e-mail that all who are left have got already is sent', async (t) => {
  const world = await migrating()
  await answer(world.migrate('N-1', { customers }))
  const [claimed] = await answer(world.useCases.emails.claimDue(1))
  if (claimed === undefined) return t.fail('nothing was claimed')
  const served = { ...claimed, email: { ...claimed.email, served: [0, 1, 2] } }
  t.like(await answer(world.useCases.emails.deliver(served, new AbortController().signal)), {
    outcome: 'sent',
    code: 'no_recipient',
  })
  t.is(world.notices.length, 0)
})

test('holders that have an address get a message each, each address once, whatever its case', async (t) => {
  const world = await migrating()
  const [first, second] = customers
  const others = [
    { ...first, account_roles: [] },
    { ...first, email: undefined, mobile: '+34600000123' },
  ]
  const again = { ...second, email: 'B@Example.com', given_name: 'again' }
  await answer(world.migrate('N-1', { customers: [...others, first, second, again] }))
  t.deepEqual(await relayOnce(world), ['sent'])
  t.deepEqual(
    world.notices.map(({ recipient }) => recipient),
    [
      { address: 'a@example.com', name: 'a' },
      { address: 'b@example.com', name: 'b' },
    ],
  )
  await answer(world.migrate('N-2', { customers: others }))
  await answer(world.migrate('N-3', { customers, communication_preference: 'PRINT' }))
  t.is((await world.emails()).length, 1)
})
