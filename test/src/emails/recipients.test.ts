import type { Delivery } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { failing, inMemoryStorePorts } from '@account-import/core/in-memory'
import test from 'ava'
import { until } from '../servers/until.js'
import { answer } from '../support/answers.js'
import type { JsonObject } from '../support/samples.js'
import { left } from '../use-cases/support/service.js'
import { claimOne, deliver, migrating, relayOnce, type Migrating } from './support/migrating.js'
import { accepted, deferred, refused } from './support/notices.js'

const holder = (email: string | undefined, given_name = 'Núria'): JsonObject => ({
  account_roles: ['ACCOUNT_HOLDER'],
  given_name,
  family_name: 'Vidal',
  ...(email === undefined ? {} : { email }),
})

const customers = ['a', 'b', 'c'].map((name) => holder(`${name}@example.com`, name))

/** The recipients of this run of a relay, and the outcome of the e-mail. */
const turnOf = async (world: Migrating): Promise<readonly [outcome: string | undefined, asked: string]> => {
  const before = world.notices.length
  const [outcome] = await relayOnce(world)
  world.clock.pass(4 * 3600)
  const asked = world.notices.slice(before).map(({ recipient }) => recipient.name)
  return [outcome, asked.join('')]
}

/** The replies of each recipient's server, after which it takes the message; and the outcome of each round of a relay. */
const rounds: Readonly<
  Record<string, readonly [replies: Record<string, (Delivery | Error)[]>, turns: (readonly string[])[]]>
> = {
  'only deferred recipients are tried again': [
    { a: [deferred, deferred, refused], c: [deferred, deferred, deferred] },
    [
      ['deferred message_deferred', 'abc'],
      ['deferred message_deferred', 'ac'],
      ['deferred message_deferred', 'ac'],
      ['sent', 'c'],
    ],
  ],
  'a recipient that is refused for good does not affect the others': [
    { a: [refused] },
    [['sent recipient_refused', 'abc']],
  ],
  'all recipients are tried again when none is accepted and one is deferred, and the e-mail is parked when all are refused':
    [
      { a: [refused, refused], b: [deferred, refused], c: [deferred, refused] },
      [
        ['deferred message_deferred', 'abc'],
        ['parked recipient_refused', 'abc'],
      ],
    ],
  'a channel that throws for one recipient defers this one, and the others get their messages': [
    { b: [new Error('a fault')] },
    [
      ['deferred unexpected', 'abc'],
      ['sent', 'b'],
    ],
  ],
  'no recipient gets a second message when the channel fails between two recipients': [
    { b: [{ _tag: 'unavailable', code: 'unreachable' }] },
    [
      ['released unreachable', 'ab'],
      ['sent', 'bc'],
    ],
  ],
}

for (const [title, [replies, turns]] of Object.entries(rounds))
  test(`${title}, each by the same message`, async (t) => {
    const world = await migrating(undefined, ({ recipient }) => {
      const reply = replies[recipient.name ?? '']?.shift() ?? accepted
      if (reply instanceof Error) throw reply
      return reply
    })
    await answer(world.migrate('N-1', { customers }))
    for (const turn of turns) t.deepEqual(await turnOf(world), turn)
    t.deepEqual(await turnOf(world), [undefined, ''])
    const ids = new Set(world.notices.map(({ id, recipient }) => `${id} ${recipient.name}`))
    const [email] = await world.emails()
    t.deepEqual([...ids], [`${email?.id} a`, `${email?.id}.1 b`, `${email?.id}.2 c`])
    // The reason why a recipient was refused stays on record.
    if (turns.length === 1) t.is(email?.latestFailure?.code, 'recipient_refused')
  })

test('only the recipient being served gets a second message when a relay dies between two recipients', async (t) => {
  const dead = new Promise<Delivery>(() => undefined)
  const world = await migrating()
  await answer(world.migrate('N-1', { customers }))
  const dying = makeUseCases({
    ...world.ports,
    customerNotifier: {
      canSend: true,
      notify: async (notice, signal) =>
        notice.recipient.name === 'c' ? dead : world.ports.customerNotifier.notify(notice, signal),
    },
  })
  const claimed = await claimOne({ useCases: dying })
  void deliver({ useCases: dying }, claimed)
  await until(async () => (await world.emails())[0]?.served.length === 2, 'two have theirs')
  world.clock.pass(91)
  t.deepEqual(await turnOf(world), ['sent', 'c'])
  t.deepEqual(
    world.notices.map(({ recipient }) => recipient.name),
    ['a', 'b', 'c'],
  )
})

test('the lease is renewed after each recipient, and a lost lease ends the round', async (t) => {
  const world = await migrating(undefined, () => {
    world.clock.pass(60)
    return accepted
  })
  await answer(world.migrate('N-1', { customers }))
  t.deepEqual(await turnOf(world), ['sent', 'abc'])
})

test('a lease that is lost during the first recipient ends the round', async (t) => {
  const world = await migrating()
  await answer(world.migrate('N-1', { customers }))
  const slow = await claimOne(world)
  const { customerNotifier, ...ports } = world.ports
  const useCases = makeUseCases({
    ...ports,
    customerNotifier: {
      canSend: true,
      notify: async (notice, signal) => {
        world.clock.pass(91)
        await answer(world.useCases.emails.claimDue(1))
        return customerNotifier.notify(notice, signal)
      },
    },
  })
  t.like(await answer(deliver({ useCases }, slow)), { outcome: 'lease_lost' })
  t.is(world.notices.length, 1)
})

test('no recipient gets a second message when the store fails once between two recipients', async (t) => {
  const stores = inMemoryStorePorts()
  const once = await migrating({ ...stores, outbox: failing(stores.outbox, 'renew', { times: 1 }) })
  await answer(once.migrate('N-1', { customers }))
  t.deepEqual(await turnOf(once), ['sent', 'abc'])
  const away = await migrating({ ...stores, outbox: failing(stores.outbox, 'renew', { times: 2 }) })
  await answer(away.migrate('N-1', { customers }))
  const claimed = await claimOne(away)
  t.is((await left(deliver(away, claimed)))._tag, 'PortFailure')
  t.is(away.notices.length, 1)
})

test('an account with hundreds of holders gets twenty messages, for the first holders', async (t) => {
  const world = await migrating()
  const addresses = Array.from({ length: 200 }, (_, index) => `n${index}@example.com`)
  await answer(world.migrate('N-1', { customers: addresses.map((email) => holder(email)) }))
  t.deepEqual(await relayOnce(world), ['sent'])
  const written = world.notices.map(({ recipient }) => recipient.address)
  t.deepEqual(written, addresses.slice(0, 20))
})

test('an e-mail is sent when all remaining recipients have it, and parked when none can get it', async (t) => {
  const world = await migrating()
  await answer(world.migrate('N-1', { customers }))
  const claimed = await claimOne(world)
  const served = { ...claimed, email: { ...claimed.email, served: [0, 1, 2] } }
  t.like(await answer(deliver(world, served)), { outcome: 'sent', code: 'no_recipient' })
  await answer(world.migrate('N-2', { customers }))
  const unreachable = { ...(await claimOne(world)), customers: [] }
  t.like(await answer(deliver(world, unreachable)), { outcome: 'parked', code: 'no_recipient' })
  t.is(world.notices.length, 0)
})

test('a created account enqueues one e-mail to its holder', async (t) => {
  const world = await migrating()
  const { platformAccountNumber } = await answer(world.migrate('N-1'))
  const [email, ...others] = await world.emails()
  t.deepEqual(others, [])
  t.like(email, { key: world.key('N-1'), platformAccountNumber, language: 'es', attempts: 0 })
  t.regex(email?.id ?? '', /^[A-Za-z0-9]{20,22}$/)
  t.deepEqual(await relayOnce(world), ['sent'])
  t.like(world.notices[0], {
    id: email?.id,
    recipient: { address: 'lucia.garcia@example.com' },
    externalAccountNumber: 'N-1',
    platformAccountNumber,
    importSupplier: world.supplier,
  })
  t.deepEqual(await relayOnce(world), [])
  t.is((await world.emails())[0]?.state._tag, 'sent')
})

test('a dry run, a repeated request and a refused request enqueue no further e-mail', async (t) => {
  const world = await migrating()
  t.is((await left(world.migrate('N-1', {}, { dry_run: true })))._tag, 'DryRunSucceeded')
  t.deepEqual(await world.emails(), [])
  t.is(
    (await left(world.migrate('N-1', {}, { operations_team_name: 'nobody' })))._tag,
    'OperationsTeamDoesNotExist',
  )
  t.deepEqual(await world.emails(), [])
  await answer(world.migrate('N-1'))
  const { organisation, supplier, team } = world
  const number = { import_supplier_code: supplier, external_account_number: 'N-1' }
  const payload = { ...number, operations_team_name: team }
  const again = world.useCases.processAccount({ organisation, payload })
  t.is((await left(again))._tag, 'AccountAlreadyImported')
  t.is((await world.emails()).length, 1)
  t.deepEqual(await relayOnce(world), ['sent'])
})

test('a customer who must not be contacted gets no e-mail', async (t) => {
  const world = await migrating()
  await answer(world.migrate('print', { communication_preference: 'PRINT' }))
  await answer(world.migrate('no address', { customers: [holder(undefined)] }))
  await answer(
    world.migrate('no holder with one', {
      customers: [holder(undefined), { ...holder('pau@example.com'), account_roles: [] }],
    }),
  )
  t.deepEqual(await world.emails(), [])
  const off = await migrating(undefined, undefined, { migrationEmails: false })
  await answer(off.migrate('N-1'))
  t.deepEqual(await off.emails(), [])
  t.deepEqual(await relayOnce(world), [])
})

/** Without a given name. */
const nameless = { account_roles: ['ACCOUNT_HOLDER'], family_name: 'Vidal', email: 'a@example.com' }

test('each holder gets one message by name, and each address one, in any case', async (t) => {
  const world = await migrating()
  const customers = [
    holder('nuria@example.com'),
    { ...holder('agent@example.com'), account_roles: [] },
    holder('Nuria@Example.com', 'N.'),
    holder('pau@example.com', 'Pau'),
    nameless,
  ]
  await answer(world.migrate('N-1', { customers }))
  t.deepEqual(await relayOnce(world), ['sent'])
  t.is((await world.emails()).length, 1)
  const id = (await world.emails())[0]?.id ?? ''
  t.deepEqual(
    world.notices.map((notice) => [notice.id, notice.recipient]),
    [
      [id, { address: 'nuria@example.com', name: 'Núria' }],
      [`${id}.1`, { address: 'pau@example.com', name: 'Pau' }],
      [`${id}.2`, { address: 'a@example.com', name: undefined }],
    ],
  )
})

const links =
  `Win at https://evil.example | HTTP://evil | ftp://x | www.evil | WWW.EVIL.EXAMPLE | write to thief@evil.example
  | @thief | evil.example/prize | Prize: evil.example | ｗｗｗ．evil | https：／／evil | ww\u200bw.evil | ev\u00adil.ex\u2060ample
  | t.co/AbC | Win: T.CO/x | x.com | x.com/p | x.com:8080 | a.b.co.uk | x.de?p=1 | x.xn--p1ai/p | 203.0.113.7/x
  | see 203.0.113.7 | EVIL。COM | evil․com | evil．com | evil｡com | click a.b/c | tel:+34900123456 | mailto:x
  | two\u2028lines | ${'x'.repeat(41)}`.split(/\s+\|\s+/)

const names =
  `Núria | M. Carmen | M.ª Ángeles | J. R. R. | J. R. R. Tolkien | J.R.R.Tolkien | J.R. Smith | A.B. Martínez
  | M.Carmen | M.CARMEN | j.smith | J.Comas | J.Li | Luis 2.º | 1.2.3 | O'Neil | Ana-Belén | St. John | 王 | C/ Mayor
  | Gal·la | Anaïs d’Arc (filla)`.split(/\s+\|\s+/)

test('a name that could become a link is not used in the greeting', async (t) => {
  const world = await migrating()
  for (const [index, given_name] of [...links, ...names].entries())
    await answer(world.migrate(`N-${index}`, { customers: [{ ...nameless, given_name }] }))
  await relayOnce(world)
  const greeted = world.notices.map(({ recipient }) => recipient.name).filter((name) => name !== undefined)
  t.deepEqual([links.length, names.length, world.notices.length], [32, 22, 54])
  t.deepEqual(greeted.sort(), names.toSorted())
})
