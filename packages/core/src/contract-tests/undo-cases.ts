import type { AccountKey, UndoOutcome } from '../domain/account-import.js'
import type { UndoRequest } from '../ports/accounts.js'
import type { StorePorts } from '../ports/index.js'
import { aClaim, after, aStaging, freshCode, freshSupplier, keyOf, onLocked, start } from './builders.js'
import { casesOf, type ContractCase, equal, right } from './contract-case.js'
import { anEmail, claimedEmail } from './email-builders.js'
import { aFullAccount } from './full-account.js'
import { claimedRequest, createdFrom, keptAnswerOf } from './held-account.js'

const port = 'AccountUndo'

const requestFor = (keys: readonly AccountKey[], withAdditions = false, at = after(9)): UndoRequest => {
  const [{ organisation, importSupplier }] = keys as readonly [AccountKey]
  const externalAccountNumbers = keys.map((key) => key.externalAccountNumber)
  return { organisation, importSupplier, externalAccountNumbers, withAdditions, at }
}

const undoable = (outcomes: readonly UndoOutcome[]) =>
  outcomes.map((outcome) => (outcome._tag === 'undoable' ? outcome : undefined))

const shortOf = (outcomes: readonly UndoOutcome[]) =>
  outcomes.map((outcome) => (outcome._tag === 'kept' ? outcome.reason : outcome.additions))

/** Previews, and undoes all accounts of the preview. */
const undone = async ({ accountUndo }: StorePorts, request: UndoRequest): Promise<readonly UndoOutcome[]> => {
  const previewed = undoable(await right(accountUndo.canUndo(request)))
  return right(accountUndo.undo({ ...request, previewed, by: { who: 'key k1' } }))
}

const note = {
  note: { body: 'late', document_paths: [], created_at: after(3), is_pinned: false },
  isTimeGiven: true,
}

const withNote = (ports: StorePorts, key: AccountKey) =>
  right(onLocked(ports, key, (account, stores) => stores.accountNotes.add(account, [note])))

/** Undoing created accounts. */
export const undoCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>(port, {
    'an undone account is removed with all that belongs to it, and its neighbour is not changed': async (
      ports,
    ) => {
      const supplier = await freshSupplier(ports)
      const [key, beside] = [keyOf(supplier, 'undone'), keyOf(supplier, 'beside')]
      const email = anEmail(key)
      const account = await createdFrom(ports, key, after(1), aFullAccount, email)
      const other = await createdFrom(ports, beside, after(1), aFullAccount, anEmail(beside))
      const kept = await keptAnswerOf(ports, key, '{}')
      const keptBeside = await keptAnswerOf(ports, beside, '{}')
      const { platformAccountNumber } = account
      const request = requestFor([key])
      const preview = await right(ports.accountUndo.canUndo(request))
      equal(preview, [{ _tag: 'undoable', platformAccountNumber, additions: 0 }])
      equal(await right(ports.accounts.find(key)), account)
      equal(await undone(ports, request), preview)
      equal(await right(ports.accounts.find(key)), undefined)
      equal(await right(ports.outbox.find(email.id)), undefined)
      equal(await right(ports.idempotencyRecords.claim(kept.again)), { _tag: 'claimed' })
      equal(
        await right(ports.unitOfWork.run(key.organisation, ({ accounts }) => accounts.lock(key))),
        undefined,
      )
      equal((await right(ports.accountImports.staged([key])))[0], undefined)
      equal(await right(ports.accountImports.find(key)), undefined)
      equal(await right(ports.accounts.find(beside)), other)
      equal((await right(ports.idempotencyRecords.claim(keptBeside.again)))._tag, 'answered')
      const { organisation, code: importSupplier } = supplier
      const page = { organisation, importSupplier, list: 'all' as const, after: undefined, limit: 9 }
      const listed = await right(ports.accountImports.page(page))
      equal(
        listed.map((each) => each.externalAccountNumber),
        ['beside'],
      )
      const summary = await right(ports.accountImports.summary(organisation, importSupplier, after(9)))
      equal([summary.staged, summary.created], [0, 1])
    },
    'an undone account is staged and created again, under another number, and undone again': async (
      ports,
    ) => {
      const key = keyOf(await freshSupplier(ports), 'again')
      const first = await createdFrom(ports, key, after(1), aFullAccount, anEmail(key))
      await undone(ports, requestFor([key]))
      const claim = await right(ports.accountImports.claim([aClaim(key, freshCode('t'), after(10))]))
      equal(claim, [{ _tag: 'not_staged' }])
      const second = await createdFrom(ports, key, after(11), aFullAccount, anEmail(key))
      equal(await right(ports.accounts.find(key)), second)
      equal(first.platformAccountNumber === second.platformAccountNumber, false)
      equal(shortOf(await undone(ports, requestFor([key], false, after(12)))), [0])
    },
    'the answer of a request is not kept if its account was undone during the request': async (ports) => {
      const key = keyOf(await freshSupplier(ports), 'under way')
      await createdFrom(ports, key, after(1))
      const request = await claimedRequest(ports, key)
      await undone(ports, requestFor([key]))
      equal(await request.keep('{}'), 'account_erased')
      equal(await right(ports.idempotencyRecords.claim(request.again)), { _tag: 'claimed' })
    },
    'accounts are kept that were not created, were erased, or have additions beyond the request': async (
      ports,
    ) => {
      const supplier = await freshSupplier(ports)
      const [unknown, staged, erased, added, plain] = ['1', '2', '3', '4', '5'].map((number) =>
        keyOf(supplier, number),
      ) as [AccountKey, AccountKey, AccountKey, AccountKey, AccountKey]
      await right(ports.accountImports.stage([aStaging(staged)]))
      for (const key of [erased, added, plain]) await createdFrom(ports, key, after(1))
      await right(ports.personalData.erase(erased, after(2)))
      await withNote(ports, added)
      const keys = [plain, added, erased, staged, unknown]
      equal(shortOf(await undone(ports, requestFor(keys))), [
        0,
        'has_additions',
        'erased',
        'not_created',
        'not_created',
      ])
      equal((await right(ports.accounts.find(added)))?.details.notes.length, 1)
      equal((await right(ports.accountImports.staged([staged])))[0]?.version, 1)
      equal(shortOf(await undone(ports, requestFor(keys, true))), [
        'not_created',
        1,
        'erased',
        'not_created',
        'not_created',
      ])
      equal(await right(ports.accounts.find(added)), undefined)
    },
    'an account that changed since its preview is kept: it has an addition, or it is another account': async (
      ports,
    ) => {
      const supplier = await freshSupplier(ports)
      const keys = ['added', 'replaced', 'not shown'].map((number) => keyOf(supplier, number))
      const [added, replaced] = keys as [AccountKey, AccountKey]
      for (const key of keys) await createdFrom(ports, key, after(1))
      const request = requestFor(keys, true)
      const previewed = undoable(await right(ports.accountUndo.canUndo(request))).slice(0, 2)
      await withNote(ports, added)
      await undone(ports, requestFor([replaced]))
      const second = await createdFrom(ports, replaced, after(4))
      const outcomes = await right(ports.accountUndo.undo({ ...request, previewed }))
      equal(shortOf(outcomes), ['changed', 'changed', 'changed'])
      equal(await right(ports.accounts.find(replaced)), second)
    },
  }),
  ...casesOf<StorePorts>(
    port,
    {
      'an account whose e-mail is being sent is kept, until the lease of the relay has ended': async (
        ports,
      ) => {
        const key = keyOf(await freshSupplier(ports), 'sending')
        const email = anEmail(key, start)
        await createdFrom(ports, key, start, aFullAccount, email)
        await claimedEmail(ports, email, after(100))
        equal(shortOf(await undone(ports, requestFor([key], false, after(101)))), ['email_being_sent'])
        equal(shortOf(await undone(ports, requestFor([key], false, after(161)))), [0])
      },
    },
    'alone',
  ),
  ...casesOf<StorePorts>(port, {
    'one call undoes hundreds of accounts, records each, and keeps others of the supplier': async (ports) => {
      const supplier = await freshSupplier(ports)
      const numbers = Array.from({ length: 130 }, (_, index) => `N-${String(129 - index).padStart(3, '0')}`)
      const keys = numbers.map((number) => keyOf(supplier, number))
      const accounts = await Promise.all(keys.map((key) => createdFrom(ports, key, start)))
      const created = accounts.map(({ platformAccountNumber }) => platformAccountNumber)
      const stays = keyOf(supplier, 'N-999')
      await createdFrom(ports, stays, start)
      const outcomes = await undone(ports, requestFor(keys))
      equal(
        undoable(outcomes).map((each) => each?.platformAccountNumber),
        created,
      )
      equal((await right(ports.accounts.find(stays)))?.key, stays)
      const { organisation } = supplier
      const events = (await right(ports.auditTrail.events({ organisation }, undefined, 1000)))
        .map(({ entry }) => entry)
        .filter(({ what }) => what === 'undone')
      equal(new Set(events.map(({ subject }) => subject)), new Set(created))
      equal(
        events.every(
          ({ by, before, after: now }) => by.who === 'key k1' && before?.length === 64 && now === undefined,
        ),
        true,
      )
    },
  }),
]
