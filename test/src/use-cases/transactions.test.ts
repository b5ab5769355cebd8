import test from 'ava'
import {
  portFailure,
  type ClaimedRequest,
  type FirstAnswer,
  type Ports,
  type UnitOfWork,
} from '@account-import/core'
import { E, TE } from '@account-import/core/adapter-kit'
import { inMemoryPorts } from '@account-import/core/in-memory'
import {
  gasKey,
  left,
  organisation,
  processing,
  right,
  service,
  settableClock,
  staging,
} from './support/service.js'

/** The first lies in the open period, the second is moved into it, so that a note is pinned. */
const payload = {
  import_supplier: gasKey.importSupplier,
  external_account_number: gasKey.externalAccountNumber,
  transactions: ['2025-05-01', '2020-01-01'].map((transaction_date, index) => ({
    transaction_id: `T-${index}`,
    transaction_date,
    amount: 1,
    type: 'PAYMENT',
  })),
}

const withAccount = async (yours: Partial<Ports> = {}) => {
  const made = await service(yours)
  await right(staging(made.useCases))
  await right(processing(made.useCases))
  return made
}

const stored = async ({ accounts }: Ports) => (await right(accounts.find(gasKey)))?.details

test('the note is pinned though somebody has written one with the very words before', async (t) => {
  const { ports, useCases } = await withAccount()
  await right(useCases.addTransactions({ organisation, payload }))
  const body = (await stored(ports))?.notes.at(-1)?.body ?? ''
  const clock = settableClock()
  const other = await withAccount({ clock })
  const note = {
    import_supplier: gasKey.importSupplier,
    external_account_number: gasKey.externalAccountNumber,
  }
  await right(other.useCases.addNotes({ organisation, payload: { ...note, notes: [{ body }] } }))
  clock.pass(1)
  await right(other.useCases.addTransactions({ organisation, payload }))
  t.deepEqual(
    (await stored(other.ports))?.notes.filter((each) => each.body === body).map((each) => each.is_pinned),
    [false, true],
  )
})

test('who embeds the use case may leave the options out: both are on', async (t) => {
  const { useCases } = await withAccount()
  await right(useCases.addTransactions({ organisation, payload }))
  const again = await right(useCases.addTransactions({ organisation, payload }))
  t.deepEqual([...new Set(again.results.map(({ status }) => status))], ['TRANSACTION_ALREADY_EXISTS'])
})

const unclear = portFailure('unavailable', 'unitOfWork', 'run', new Error('the answer to COMMIT was lost'))

/** An account, and a database that goes away once, after it has committed and before it says so. */
const withLostCommit = async () => {
  const ports = inMemoryPorts()
  const lost = { next: false }
  const unitOfWork: UnitOfWork = {
    run: (work) => async () => {
      const answer = await ports.unitOfWork.run(work)()
      if (!lost.next) return answer
      lost.next = false
      return E.left(unclear)
    },
  }
  return { ...(await withAccount({ ...ports, unitOfWork })), lost }
}

const keyed = { organisation, key: 'k', method: 'POST', path: '/v1/x', content: 'a'.repeat(64) }

const unchecked = { organisation, payload, checkPreviouslyAdded: false }

/** How many of the payload's transactions the account has, in whichever ledger. */
const countOf = async (ports: Ports): Promise<number> =>
  JSON.stringify(await stored(ports)).split('"transaction_id":"T-').length - 1

test('without the check, a keyed request whose commit was unclear is not added again when it comes again', async (t) => {
  const { lost, ports, useCases } = await withLostCommit()
  /** Its statuses, as the kept answer has them; the key is free again where there is none. */
  const send = async (): Promise<string> => {
    const first = async (claimed: ClaimedRequest): Promise<FirstAnswer> => {
      const added = await useCases.addTransactions({ ...unchecked, claimed })()
      const body = E.isRight(added) ? added.right.results.map(({ status }) => status).join() : added.left._tag
      return { answer: { status: 200, headers: {}, body }, isFinal: E.isRight(added) }
    }
    return (await right(useCases.answerOnce(keyed, first))).answer.body
  }
  lost.next = true
  t.is(await send(), 'PortFailure')
  t.is(await countOf(ports), 2)
  const known = 'TRANSACTION_ALREADY_EXISTS,TRANSACTION_ALREADY_EXISTS'
  t.deepEqual([await send(), await send()], [known, known])
  t.is(await countOf(ports), 2)
  await right(useCases.addTransactions(unchecked))
  t.is(await countOf(ports), 4, 'without a key it is as asked')
})

test('a keyed request that was overtaken adds nothing, and says that its key is in use', async (t) => {
  const { ports, useCases } = await withLostCommit()
  const claimed = { key: { organisation, request: 'r' }, token: 'nobody' }
  t.deepEqual(await left(useCases.addTransactions({ ...unchecked, claimed })), {
    _tag: 'IdempotencyKeyInProgress',
    retryAfterSeconds: 1,
  })
  t.is(await countOf(ports), 0)
  const { results } = await right(useCases.addTransactions({ organisation, payload, claimed }))
  t.is(results.length, 2, 'with the check no claim is asked for')
})

test('where a claim cannot be looked at nothing is added', async (t) => {
  const ports = inMemoryPorts()
  const unitOfWork: UnitOfWork = {
    run: (work) =>
      ports.unitOfWork.run((stores) => work({ ...stores, keyedWork: { begin: () => TE.left(unclear) } })),
  }
  const { useCases } = await withAccount({ ...ports, unitOfWork })
  const claimed = { key: { organisation, request: 'r' }, token: 't' }
  t.deepEqual(await left(useCases.addTransactions({ ...unchecked, claimed })), unclear)
  t.is(await countOf(ports), 0)
})
