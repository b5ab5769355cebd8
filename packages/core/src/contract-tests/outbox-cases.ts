import { pipe, TE } from '../fp.js'
import type { StorePorts } from '../ports/index.js'
import { aSmallAccount, after, freshKey, freshSupplier, keyOf, start } from './builders.js'
import { casesOf, equal, left, right } from './contract-case.js'
import { anEmail, enqueued } from './email-builders.js'

/** The stored data of e-mails, and the operators' view of it. Nothing here is claimed, so cases may share a store. */
export const outboxCases = casesOf<StorePorts>('Outbox', {
  'an e-mail that was enqueued is found by its id, equal to the letter': async (ports) => {
    const email = anEmail(await freshKey(ports), after(400_000_000))
    await right(ports.outbox.enqueue([email]))
    equal(await right(ports.outbox.find(email.id)), enqueued(email))
    for (const other of [email.id.toUpperCase().replace('A', 'b'), `${email.id} `, ''])
      equal(await right(ports.outbox.find(other)), undefined)
  },
  'a unit of work that is refused leaves neither account nor e-mail; one that is not leaves both': async (
    ports,
  ) => {
    const key = await freshKey(ports)
    const email = anEmail(key, after(400_000_000))
    const both = <Refused>(end: TE.TaskEither<Refused, void>) =>
      ports.unitOfWork.run(({ accounts, outbox }) =>
        pipe(
          accounts.create([aSmallAccount(key, email.platformAccountNumber)]),
          TE.flatMap(() => outbox.enqueue([email])),
          TE.flatMap(() => end),
        ),
      )
    await left(both(TE.left({ _tag: 'Refused' as const })))
    equal(await right(ports.outbox.find(email.id)), undefined)
    equal(await right(ports.accounts.find(key)), undefined)
    await right(both(TE.right(undefined)))
    equal((await right(ports.outbox.find(email.id)))?.key, key)
    equal((await right(ports.accounts.find(key)))?.key, key)
  },
  'a second e-mail for an account, or with an id, is a failure that undoes its unit of work': async (
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
        ports.unitOfWork.run(({ outbox }) =>
          pipe(
            outbox.enqueue([bystander]),
            TE.flatMap(() => outbox.enqueue([second])),
          ),
        ),
      )
      equal(failure._tag, 'PortFailure')
      equal(await right(ports.outbox.find(bystander.id)), undefined)
    }
    equal(await right(ports.outbox.find(first.id)), enqueued(first))
  },
  'accounts that differ in case or in a space at the end each have an e-mail of their own': async (ports) => {
    const supplier = await freshSupplier(ports)
    const emails = ['a', 'A', 'a '].map((number) => anEmail(keyOf(supplier, number), after(400_000_000)))
    await right(ports.outbox.enqueue(emails))
    for (const email of emails) equal((await right(ports.outbox.find(email.id)))?.key, email.key)
  },
  'pages hold the e-mails of one supplier in order of account number, each once': async (ports) => {
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
})
