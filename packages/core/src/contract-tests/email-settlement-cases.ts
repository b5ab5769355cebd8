import type { StorePorts } from '../ports/index.js'
import type { EmailSettlement, NewCustomerEmail } from '../ports/outbox.js'
import type { Instant } from '../values/instant.js'
import { after, freshKey, freshSupplier, keyOf, start } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'
import { anEmail, anEmailClaim, claimedEmail, withEmail } from './email-builders.js'

type Ending =
  | Readonly<{ _tag: 'sent' | 'released'; code?: string }>
  | Readonly<{ _tag: 'deferred'; dueAt: Instant; code: string; served: readonly number[] }>
  | Readonly<{ _tag: 'parked'; code: string; served: readonly number[] }>

/** Claims the e-mail at the instant and ends the claim there. */
const claimAndEnd = async (ports: StorePorts, id: string, at: Instant, ending: Ending): Promise<void> => {
  const { token } = await claimedEmail(ports, { id }, at)
  const settlement: EmailSettlement = { ...ending, id, token, at }
  equal(await right(ports.outbox.settle(settlement)), 'settled')
}

const found = async (ports: StorePorts, id: string) => {
  const email = await right(ports.outbox.find(id))
  return [email?.attempts, email?.served, email?.latestFailure, email?.state]
}

/** Claims e-mails that are due before those of any other case, settles them as sent, and returns their account numbers. */
const claimAndSend = async (ports: StorePorts, limit: number): Promise<readonly string[]> => {
  const at = after(-3000)
  const claimed = await right(ports.outbox.claimDue(anEmailClaim(at, limit)))
  for (const { email, token } of claimed)
    await right(ports.outbox.settle({ _tag: 'sent', id: email.id, token, at }))
  return claimed.map(({ email }) => email.key.externalAccountNumber)
}

/** The ends of claims on e-mails, and their effects. */
export const emailSettlementCases = casesOf<StorePorts>(
  'Outbox',
  {
    'the backlog counts waiting, sending and parked e-mails, up to its limit, and has the first due time':
      async (ports) => {
        const before = await right(ports.outbox.backlog(100_000))
        const supplier = await freshSupplier(ports)
        const [first, second, third] = [-9000, -8500, -8000].map((seconds) =>
          anEmail(keyOf(supplier, `${seconds}`), after(seconds)),
        ) as [NewCustomerEmail, NewCustomerEmail, NewCustomerEmail]
        await right(ports.outbox.enqueue([third, second, first]))
        const { waiting, parked } = before
        const full = await right(ports.outbox.backlog(100_000))
        equal(full, { waiting: waiting + 3, parked, firstDueAt: after(-9000) })
        equal((await right(ports.outbox.backlog(2))).waiting, 2)
        await claimAndEnd(ports, first.id, after(-9000), {
          _tag: 'parked',
          code: 'no_such_mailbox',
          served: [],
        })
        await claimAndEnd(ports, second.id, after(-8500), { _tag: 'sent' })
        await claimedEmail(ports, third, after(-8000))
        const left = await right(ports.outbox.backlog(100_000))
        equal(left, { waiting: waiting + 1, parked: parked + 1, firstDueAt: after(-7940) })
        await claimAndEnd(ports, third.id, after(-7000), { _tag: 'sent' })
      },
    'a claim takes the due e-mails up to its limit': async (ports) => {
      const supplier = await freshSupplier(ports)
      const emails = [-3000, -5000, -4000, -6000].map((seconds, index) =>
        anEmail(keyOf(supplier, `${index}`), after(seconds)),
      )
      await right(ports.outbox.enqueue(emails))
      const claims = [
        await claimAndSend(ports, 1),
        await claimAndSend(ports, 2),
        await claimAndSend(ports, 5),
      ]
      equal(
        claims.map(({ length }) => length),
        [1, 2, 1],
      )
      equal(claims.flat().toSorted(), ['0', '1', '2', '3'])
    },
    'a claim takes e-mails that have been due for long before recent ones': async (ports) => {
      const supplier = await freshSupplier(ports)
      const emails = Array.from({ length: 20 }, (_, age) =>
        anEmail(keyOf(supplier, String(age).padStart(2, '0')), after(-5000 - age)),
      )
      await right(ports.outbox.enqueue(emails))
      const first = await claimAndSend(ports, 2)
      equal(
        first.filter((number) => number < '10'),
        [],
      )
      equal((await claimAndSend(ports, 100)).length, 18)
    },
    'attempts, failures and served recipients add up over claims, and are kept after sending': async (
      ports,
    ) => {
      const { id } = await withEmail(ports, await freshKey(ports))
      const deferred = { _tag: 'deferred', code: 'first', served: [0] } as const
      await claimAndEnd(ports, id, after(1), { ...deferred, dueAt: after(2) })
      await claimAndEnd(ports, id, after(2), { ...deferred, code: 'next', served: [0, 1], dueAt: after(3) })
      const failure = { code: 'next', occurredAt: after(2) }
      equal(await found(ports, id), [2, [0, 1], failure, { _tag: 'waiting', dueAt: after(3) }])
      await claimAndEnd(ports, id, after(4), { _tag: 'released' })
      equal(await found(ports, id), [2, [0, 1], failure, { _tag: 'waiting', dueAt: after(4) }])
      await claimAndEnd(ports, id, after(5), { _tag: 'sent' })
      equal(await found(ports, id), [2, [0, 1], failure, { _tag: 'sent', at: after(5) }])
      const claimed = await right(ports.outbox.claimDue(anEmailClaim(after(100_000))))
      equal(
        claimed.some(({ email }) => email.id === id),
        false,
        'a sent e-mail is not claimed again',
      )
    },
    'a renewal stores the served recipients and prolongs the lease; only the token of the claim renews':
      async (ports) => {
        const { id } = await withEmail(ports, await freshKey(ports))
        const { token } = await claimedEmail(ports, { id }, start)
        const renewal = { id, token, served: [0, 2], leaseEndsAt: after(200) }
        for (const other of [token.toUpperCase(), `${token} `, ''])
          equal(await right(ports.outbox.renew({ ...renewal, token: other })), 'lease_lost')
        equal(await found(ports, id), [0, [], undefined, { _tag: 'sending', token, leaseEndsAt: after(60) }])
        // Twice, as a renewal with an unknown outcome is repeated.
        for (let time = 0; time < 2; time += 1) equal(await right(ports.outbox.renew(renewal)), 'renewed')
        const isDueAt = async (seconds: number) =>
          (await right(ports.outbox.claimDue(anEmailClaim(after(seconds))))).some(
            ({ email }) => email.id === id,
          )
        equal(await isDueAt(199), false)
        equal(await isDueAt(200), true)
        equal(await right(ports.outbox.renew(renewal)), 'lease_lost')
        equal((await found(ports, id)).slice(0, 3), [0, [0, 2], undefined])
      },
    'only the exact token of the claim ends it, also after the end of its lease': async (ports) => {
      const { id } = await withEmail(ports, await freshKey(ports))
      const { token } = await claimedEmail(ports, { id }, start)
      const sent = { _tag: 'sent', id, at: after(61), code: 'refused' } as const
      for (const other of [token.toUpperCase(), `${token} `, ''])
        equal(await right(ports.outbox.settle({ ...sent, token: other })), 'lease_lost')
      equal(await right(ports.outbox.settle({ ...sent, token })), 'settled')
      const failure = { code: 'refused', occurredAt: after(61) }
      equal(await found(ports, id), [0, [], failure, { _tag: 'sent', at: after(61) }])
    },
    'each list contains its e-mails, those being sent count as waiting, and one call retries several': async (
      ports,
    ) => {
      const supplier = await freshSupplier(ports)
      const emails = await Promise.all(
        ['parked', 'sending', 'sent', 'waiting'].map((name) =>
          withEmail(ports, keyOf(supplier, name), after(name === 'waiting' ? 400_000_000 : 0)),
        ),
      )
      const [parked, sending, sent, waiting] = emails.map(({ id }) => id) as [string, string, string, string]
      await claimAndEnd(ports, parked, start, { _tag: 'parked', code: 'p', served: [] })
      await claimAndEnd(ports, sent, after(70), { _tag: 'sent' })
      await claimedEmail(ports, { id: sending }, after(140))
      const { organisation, code: importSupplier } = supplier
      const list = async (name: 'waiting' | 'parked' | 'sent' | undefined) =>
        (
          await right(
            ports.outbox.page({ organisation, importSupplier, list: name, after: undefined, limit: 10 }),
          )
        ).map(({ key }) => key.externalAccountNumber)
      equal(await list('waiting'), ['sending', 'waiting'])
      equal([await list('parked'), await list('sent')], [['parked'], ['sent']])
      equal(await list(undefined), ['parked', 'sending', 'sent', 'waiting'])
      equal(await right(ports.outbox.retry([sending, parked, sent, waiting], after(300_000_000))), 2)
      const failure = { code: 'p', occurredAt: start }
      equal(await found(ports, parked), [0, [], failure, { _tag: 'waiting', dueAt: after(300_000_000) }])
    },
  },
  'alone',
)
