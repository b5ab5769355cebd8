import { noteContent } from '../domain/account-from-payload.js'
import { pipe, type TaskEither, TE } from '../fp.js'
import type { StorePorts } from '../ports/index.js'
import { aSmallAccount, createdAccount, freshKey, onLocked } from './builders.js'
import { casesOf, equal, left, right } from './contract-case.js'
import { everyDetail } from './every-detail.js'

/** The lock that every addition to an account begins with. */
export const lockCases = casesOf<StorePorts>('LockableAccounts', {
  'a created account is locked by its key alone, and says its platform account number': async (ports) => {
    const { key, platformAccountNumber } = await createdAccount(ports)
    const locked = await right(ports.unitOfWork.run(({ accounts }) => accounts.lock(key)))
    equal(locked, { key, platformAccountNumber })
    for (const other of [
      { ...key, organisation: `${key.organisation}x` },
      { ...key, importSupplier: key.importSupplier.toLowerCase() },
      { ...key, externalAccountNumber: `${key.externalAccountNumber} ` },
    ])
      equal(await right(ports.unitOfWork.run(({ accounts }) => accounts.lock(other))), undefined)
  },
  'an account that was created in the same unit of work can be found and locked in it': async (ports) => {
    const account = aSmallAccount(await freshKey(ports))
    const locked = await right(
      ports.unitOfWork.run(({ accounts }) =>
        pipe(
          accounts.create([account]),
          TE.flatMap(() => accounts.find(account.key)),
          TE.flatMap((found) => (found === undefined ? TE.right(found) : accounts.lock(found.key))),
        ),
      ),
    )
    equal(locked?.platformAccountNumber, account.platformAccountNumber)
  },
  'units of work that lock one account take turns: none misses what another added': async (ports) => {
    const { key, createdAt } = await createdAccount(ports)
    const bodies = Array.from({ length: 10 }, (_, index) => String(index))
    const note = (body: string) => ({
      note: { body, document_paths: [], created_at: createdAt, is_pinned: false },
      isTimeGiven: false,
    })
    // Each adds a note that says how many it found: without turns two would find the same number.
    const count = (): Promise<unknown> =>
      right(
        onLocked(ports, key, (account, { accountNotes }) =>
          pipe(
            accountNotes.withContents(
              account,
              bodies.map((body) => noteContent({ body })),
            ),
            TE.flatMap((found) => accountNotes.add(account, [note(String(found.size))])),
          ),
        ),
      )
    await Promise.all(bodies.map(count))
    const notes = (await right(ports.accounts.find(key)))?.details.notes
    equal(
      notes?.map(({ body }) => body),
      bodies,
    )
  },
  'a Left takes back what was added, of every kind, and all of it can be added again': async (ports) => {
    const { key, details } = await createdAccount(ports)
    const note = { note: everyDetail.notes[0], isTimeGiven: false }
    const [transaction] = everyDetail.transactions_without_ledger
    const addAll = <Refused>(end: TaskEither<Refused, void>) =>
      onLocked(ports, key, (account, stores) =>
        pipe(
          stores.accountNotes.add(account, [note]),
          TE.flatMap(() => stores.accountStatements.add(account, everyDetail.statements)),
          TE.flatMap(() =>
            stores.accountPaymentInstructions.add(account, everyDetail.payment_instructions[0]),
          ),
          TE.flatMap(() =>
            stores.accountTransactions.add(account, [{ ledger: undefined, copy: 0, transaction }]),
          ),
          TE.flatMap(() => end),
        ),
      )
    const refused = await left(addAll(TE.left({ _tag: 'Refused' as const })))
    equal(refused._tag, 'Refused')
    equal((await right(ports.accounts.find(key)))?.details, details)
    await right(addAll(TE.right(undefined)))
    const { notes, statements, payment_instructions, transactions_without_ledger } = everyDetail
    equal((await right(ports.accounts.find(key)))?.details, {
      ...details,
      notes,
      statements,
      payment_instructions,
      transactions_without_ledger,
    })
  },
})
