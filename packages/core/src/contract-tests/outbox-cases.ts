import { E, type Either } from '../fp.js'
import type { StorePorts } from '../ports/index.js'
import type { PortFailure } from '../ports/port-failure.js'
import type { EmailSettlement } from '../ports/outbox.js'
import { inSequence } from '../lists/lists.js'
import { after, aSmallAccount, create, freshKey, freshSupplier, keyOf, start } from './builders.js'
import { casesOf, type ContractCase, equal, left, refused, type Refused, right } from './contract-case.js'
import { anEmail, anEmailClaim, claimedEmail, enqueued, withEmail } from './email-builders.js'

const settlement = { at: after(1), code: 'message_deferred' }

/** The e-mails of the outbox, and claims of relays. */
export const outboxCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>('Outbox', {
    'an enqueued e-mail is found by its exact id, unchanged': async (ports) => {
      const email = anEmail(await freshKey(ports), after(400_000_000))
      await right(ports.outbox.enqueue([email]))
      equal(await right(ports.outbox.find(email.id)), enqueued(email))
      for (const other of [email.id.toUpperCase().replace('A', 'b'), `${email.id} `, ''])
        equal(await right(ports.outbox.find(other)), undefined)
    },
    'a refused unit of work stores neither account nor e-mail; a committed one stores both': async (
      ports,
    ) => {
      const key = await freshKey(ports)
      const email = anEmail(key, after(400_000_000))
      const both = (end: Either<Refused, void>) =>
        ports.unitOfWork.run(key.organisation, ({ accountImports, outbox }) =>
          inSequence<Refused | PortFailure, void>(
            () => create({ accountImports }, aSmallAccount(key, email.platformAccountNumber)),
            () => outbox.enqueue([email]),
            async () => end,
          ),
        )
      await left(both(E.left(refused)))
      equal(await right(ports.outbox.find(email.id)), undefined)
      equal(await right(ports.accounts.find(key)), undefined)
      await right(both(E.right(undefined)))
      equal((await right(ports.outbox.find(email.id)))?.key, key)
      equal((await right(ports.accounts.find(key)))?.key, key)
    },
    'a second e-mail for an account, or with an id, is a failure that rolls back its unit of work': async (
      ports,
    ) => {
      const supplier = await freshSupplier(ports)
      const first = anEmail(keyOf(supplier, 'n'), after(400_000_000))
      await right(ports.outbox.enqueue([first]))
      const sameAccount = anEmail(first.key, after(400_000_000))
      const sameId = { ...anEmail(keyOf(supplier, 'other'), after(400_000_000)), id: first.id }
      for (const second of [sameAccount, sameId]) {
        const bystander = anEmail(keyOf(supplier, 'bystander'), after(400_000_000))
        const failure = await left(
          ports.unitOfWork.run(supplier.organisation, ({ outbox }) =>
            inSequence(
              () => outbox.enqueue([bystander]),
              () => outbox.enqueue([second]),
            ),
          ),
        )
        equal(failure._tag, 'PortFailure')
        equal(await right(ports.outbox.find(bystander.id)), undefined)
      }
      equal(await right(ports.outbox.find(first.id)), enqueued(first))
    },
    'accounts that differ in case or in a space at the end each have an e-mail of their own': async (
      ports,
    ) => {
      const supplier = await freshSupplier(ports)
      const emails = ['a', 'A', 'a '].map((number) => anEmail(keyOf(supplier, number), after(400_000_000)))
      await right(ports.outbox.enqueue(emails))
      for (const email of emails) equal((await right(ports.outbox.find(email.id)))?.key, email.key)
    },
    'pages contain the e-mails of one supplier in order of account number, each once': async (ports) => {
      const [supplier, other] = [await freshSupplier(ports), await freshSupplier(ports)]
      const numbers = ['b', 'a', 'Z', 'a ', 'é', '😀', '～']
      const emails = numbers.map((number) => anEmail(keyOf(supplier, number), after(400_000_000)))
      await right(ports.outbox.enqueue([...emails, anEmail(keyOf(other, 'a'), after(400_000_000))]))
      const seen: string[] = []
      for (const list of [undefined, 'waiting'] as const) {
        seen.length = 0
        for (let last: string | undefined; ; last = seen.at(-1)) {
          const request = { organisation: supplier.organisation, importSupplier: supplier.code, list }
          const page = await right(ports.outbox.page({ ...request, after: last, limit: 2 }))
          equal(page.length, Math.min(2, numbers.length - seen.length))
          seen.push(...page.map(({ key }) => key.externalAccountNumber))
          if (page.length < 2) break
        }
        equal(seen, ['Z', 'a', 'a ', 'b', 'é', '～', '😀'])
      }
      const parked = {
        organisation: supplier.organisation,
        importSupplier: supplier.code,
        list: 'parked' as const,
      }
      equal(await right(ports.outbox.page({ ...parked, after: undefined, limit: 10 })), [])
    },
    'a waiting e-mail is made due at once by retry, an unknown one is not counted': async (ports) => {
      const email = anEmail(await freshKey(ports), after(400_000_000))
      await right(ports.outbox.enqueue([email]))
      const soon = after(300_000_000)
      equal(await right(ports.outbox.retry([email.id, 'nobody'], soon)), 1)
      equal((await right(ports.outbox.find(email.id)))?.state, { _tag: 'waiting', dueAt: soon })
      equal(start < soon, true)
    },
  }),
  ...casesOf<StorePorts>(
    'Outbox',
    {
      'a claim returns the e-mail with the customers of its account, and no other claim gets it': async (
        ports,
      ) => {
        const email = await withEmail(ports, await freshKey(ports))
        const { token, leaseEndsAt, ...claimed } = await claimedEmail(ports, email, start)
        equal(claimed, {
          email: {
            ...email,
            attempts: 0,
            served: [],
            latestFailure: undefined,
            state: { _tag: 'sending', token, leaseEndsAt },
          },
          customers: [
            { account_roles: ['ACCOUNT_HOLDER'], given_name: 'Núria', email: 'nuria@example.com' },
            { account_roles: [] },
          ],
        })
        const others = await right(ports.outbox.claimDue(anEmailClaim(after(59))))
        equal(
          others.some((each) => each.email.id === email.id),
          false,
        )
      },
      'an e-mail is not claimed before it is due; a removed account has no customers': async (ports) => {
        const email = anEmail(await freshKey(ports), after(1000))
        await right(ports.outbox.enqueue([email]))
        const early = await right(ports.outbox.claimDue(anEmailClaim(after(999))))
        equal(
          early.some((each) => each.email.id === email.id),
          false,
        )
        equal((await claimedEmail(ports, email, after(1000))).customers, [])
      },
      'each e-mail goes to one of 20 concurrent relays, and none remains': async (ports) => {
        const supplier = await freshSupplier(ports)
        const at = after(2000)
        const emails = Array.from({ length: 60 }, (_, index) => anEmail(keyOf(supplier, `n-${index}`), at))
        await right(ports.outbox.enqueue(emails))
        const claimAll = async (): Promise<readonly string[]> => {
          const mine: string[] = []
          for (let turn = 0; turn < 60; turn += 1)
            for (const { email } of await right(ports.outbox.claimDue(anEmailClaim(at, 5))))
              mine.push(email.id)
          return mine
        }
        const claimed = (await Promise.all(Array.from({ length: 20 }, claimAll))).flat()
        const ours = new Set(emails.map(({ id }) => id))
        equal(claimed.filter((id) => ours.has(id)).sort(), emails.map(({ id }) => id).sort())
      },
      'an e-mail whose lease has ended is claimed again, and its former owner changes nothing': async (
        ports,
      ) => {
        const email = await withEmail(ports, await freshKey(ports))
        const lost = await claimedEmail(ports, email, start)
        const owner = await claimedEmail(ports, email, after(60))
        equal(
          await right(ports.outbox.settle({ _tag: 'sent', id: email.id, token: lost.token, at: after(61) })),
          'lease_lost',
        )
        equal((await right(ports.outbox.find(email.id)))?.state, {
          _tag: 'sending',
          token: owner.token,
          leaseEndsAt: after(120),
        })
        const sent = { _tag: 'sent', id: email.id, token: owner.token, at: after(61) } as const
        equal(await right(ports.outbox.settle(sent)), 'settled')
        equal(await right(ports.outbox.settle(sent)), 'lease_lost')
        equal(await right(ports.outbox.retry([email.id], after(62))), 0)
        const found = await right(ports.outbox.find(email.id))
        equal([found?.state, found?.attempts], [{ _tag: 'sent', at: after(61) }, 0])
      },
      'a deferred e-mail waits until it is due, with its attempt, its failure and its served recipients':
        async (ports) => {
          const email = await withEmail(ports, await freshKey(ports))
          const { token } = await claimedEmail(ports, email, start)
          const deferred: EmailSettlement = {
            ...settlement,
            _tag: 'deferred',
            id: email.id,
            token,
            dueAt: after(500),
            served: [0, 2],
          }
          equal(await right(ports.outbox.settle(deferred)), 'settled')
          const found = await right(ports.outbox.find(email.id))
          equal(
            [found?.state, found?.attempts, found?.served, found?.latestFailure],
            [
              { _tag: 'waiting', dueAt: after(500) },
              1,
              [0, 2],
              { code: 'message_deferred', occurredAt: after(1) },
            ],
          )
          equal((await claimedEmail(ports, email, after(500))).email.attempts, 1)
        },
      'a parked e-mail is not claimed until it is retried, and then has no attempts': async (ports) => {
        const key = await freshKey(ports)
        const email = await withEmail(ports, key)
        const { token } = await claimedEmail(ports, email, start)
        const parked = { ...settlement, _tag: 'parked', id: email.id, token, served: [1] } as const
        equal(await right(ports.outbox.settle(parked)), 'settled')
        const claimed = await right(ports.outbox.claimDue(anEmailClaim(after(100_000))))
        equal(
          claimed.some((each) => each.email.id === email.id),
          false,
        )
        const request = {
          organisation: key.organisation,
          importSupplier: key.importSupplier,
          list: 'parked' as const,
        }
        const [listed] = await right(ports.outbox.page({ ...request, after: undefined, limit: 10 }))
        equal([listed?.id, listed?.state, listed?.attempts], [email.id, { _tag: 'parked', at: after(1) }, 1])
        equal(await right(ports.outbox.retry([email.id], after(200_000))), 1)
        const again = await claimedEmail(ports, email, after(200_000))
        equal([again.email.attempts, again.email.served], [0, [1]])
        equal(await right(ports.outbox.retry([email.id], after(200_001))), 0)
      },
      'a released e-mail is due at once, without a further attempt, and keeps the code of its release':
        async (ports) => {
          const email = await withEmail(ports, await freshKey(ports))
          const { token } = await claimedEmail(ports, email, start)
          const released = {
            _tag: 'released',
            id: email.id,
            token,
            at: after(5),
            code: 'unreachable',
          } as const
          equal(await right(ports.outbox.settle(released)), 'settled')
          const found = await right(ports.outbox.find(email.id))
          equal([found?.attempts, found?.latestFailure?.code], [0, 'unreachable'])
          equal((await claimedEmail(ports, email, after(5))).email.id, email.id)
        },
    },
    'alone',
  ),
]
