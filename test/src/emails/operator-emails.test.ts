import test from 'ava'
import { makeUseCases, type Delivery, type UseCases } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { failing } from '@account-import/core/in-memory'
import { migrating, relayOnce } from './support/migrating.js'
import { left, right } from '../use-cases/support/service.js'

type Operator = UseCases['operator']

const refused: Delivery = { _tag: 'refused', code: 'recipient_refused' }

const little = { supply_addresses: [], notes: [], ledgers: [], statements: [], payment_schedules: [] }

test('e-mails are listed supplier by supplier, page after page, and all that are parked can be tried again', async (t) => {
  const world = await migrating(undefined, () => refused)
  const { operator } = world.useCases
  const numbers = Array.from({ length: 501 }, (_, index) => `N-${String(index).padStart(4, '0')}`)
  for (const number of numbers) await right(world.migrate(number, little))
  await right(operator.createSupplier({ code: 'WITHOUT', organisation: world.organisation }))
  const listed = async (input: Parameters<Operator['listEmails']>[0], useCases = world.useCases) => {
    const pages = []
    for await (const page of await right(useCases.operator.listEmails(input)))
      pages.push(E.isLeft(page) ? page.left._tag : page.right.map(({ key }) => key.externalAccountNumber))
    return pages
  }
  const every = { importSupplier: undefined, list: undefined }
  t.deepEqual(await listed(every), [numbers.slice(0, 500), numbers.slice(500), []])
  t.deepEqual(await listed({ importSupplier: world.supplier, list: 'parked' }), [[]])
  for (let turn = 0; turn < 6; turn += 1) await relayOnce(world)
  t.deepEqual((await listed({ importSupplier: world.supplier, list: 'parked' })).flat(), numbers)
  const broken = makeUseCases({ ...world.ports, outbox: failing(world.ports.outbox, 'page', { nth: 2 }) })
  t.deepEqual(await listed(every, broken), [numbers.slice(0, 500), 'PortFailure'])
  t.is((await left(broken.operator.retryParkedEmails({ importSupplier: undefined })))._tag, 'PortFailure')
  const unwilling = makeUseCases({ ...world.ports, outbox: failing(world.ports.outbox, 'retry') })
  t.is((await left(unwilling.operator.retryParkedEmails({ importSupplier: undefined })))._tag, 'PortFailure')
  t.deepEqual(await right(operator.retryParkedEmails({ importSupplier: undefined })), { retried: 501 })
})

test('an e-mail that is being sent, or was, is not tried again', async (t) => {
  const world = await migrating()
  await right(world.migrate('A'))
  const { emails, operator } = world.useCases
  const [claimed] = await right(emails.claimDue(1))
  const id = claimed?.email.id ?? ''
  t.deepEqual(await left(operator.retryEmail(id)), { _tag: 'EmailIsBeingSent' })
  if (claimed !== undefined) await right(emails.deliver(claimed, new AbortController().signal))
  t.deepEqual(await left(operator.retryEmail(id)), { _tag: 'EmailIsSent' })
})
