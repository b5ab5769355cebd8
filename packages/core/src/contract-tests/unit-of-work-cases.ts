import { noteContent } from '../domain/account-from-payload.js'
import { E, type Either } from '../fp.js'
import type { StorePorts } from '../ports/index.js'
import type { LockedAccount } from '../ports/accounts.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import { inSequence } from '../lists/lists.js'
import {
  aCreation,
  after,
  aSmallAccount,
  aStaging,
  claimed,
  create,
  createdAccount,
  freshCode,
  freshKey,
  freshSupplier,
  keyOf,
  onLocked,
  start,
} from './builders.js'
import { casesOf, type ContractCase, equal, left, refused, type Refused, right } from './contract-case.js'
import { everyDetail } from './every-detail.js'

const aLease = (job: string, token: string, second: number, seconds = 60) => ({
  job,
  token,
  at: after(second),
  endsAt: after(second + seconds),
})

/** Units of work are atomic and isolated; accounts can be locked in them; leases of jobs of all servers. */
export const unitOfWorkCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>('UnitOfWork', {
    'a Left rolls back every store, and is the answer': async (ports) => {
      const key = await freshKey(ports)
      const token = await claimed(ports, key)
      const other = { ...key, externalAccountNumber: 'staged inside' }
      const answer = await left(
        ports.unitOfWork.run(key.organisation, ({ accountImports }) =>
          inSequence<Refused | PortFailure, unknown>(
            () => accountImports.create([{ ...aCreation(key), token }]),
            () => accountImports.stage([aStaging(other)]),
            async () => E.left(refused),
          ),
        ),
      )
      equal(answer._tag, 'Refused')
      equal(await right(ports.accounts.find(key)), undefined)
      equal(await right(ports.accountImports.find(other)), undefined)
      const found = await right(ports.accountImports.find(key))
      equal([found?.created, found?.claim?.token], [undefined, token])
    },
    'a Right commits, and the changes are visible inside before and outside after': async (ports) => {
      const key = await freshKey(ports)
      const token = await claimed(ports, key)
      const creation = { ...aCreation(key), token }
      const { platformAccountNumber } = creation
      const inside = await right(
        ports.unitOfWork.run(key.organisation, ({ accountImports }) =>
          inSequence(
            () => accountImports.create([creation]),
            () => accountImports.find(key),
          ),
        ),
      )
      const created = { platformAccountNumber, createdAt: start, stagedVersion: 1 }
      equal(inside?.created, created)
      equal((await right(ports.accountImports.find(key)))?.created, created)
    },
    'concurrent units of work on different accounts all succeed': async (ports) => {
      const supplier = await freshSupplier(ports)
      const accounts = Array.from({ length: 20 }, (_, index) => aSmallAccount(keyOf(supplier, `n-${index}`)))
      await Promise.all(
        accounts.map((account) =>
          right(ports.unitOfWork.run(supplier.organisation, (stores) => create(stores, account))),
        ),
      )
      for (const account of accounts) equal(await right(ports.accounts.find(account.key)), account)
    },
    'work that throws is a failure that is rolled back, and later work succeeds': async (ports) => {
      const key = await freshKey(ports)
      const failure = await left(
        ports.unitOfWork.run(key.organisation, async ({ accountImports }): PortResult<void> => {
          await accountImports.stage([aStaging(key)])
          throw new Error('a bug in the work')
        }),
      )
      equal(failure._tag, 'PortFailure')
      equal(await right(ports.accountImports.find(key)), undefined)
      equal((await right(ports.accountImports.stage([aStaging(key)]))).length, 1)
    },
  }),
  ...casesOf<StorePorts>('LockableAccounts', {
    'a created account is locked by its exact key, with its platform account number': async (ports) => {
      const { key, platformAccountNumber } = await createdAccount(ports)
      const locked = await right(ports.unitOfWork.run(key.organisation, ({ accounts }) => accounts.lock(key)))
      equal(locked, { key, platformAccountNumber })
      for (const other of [
        { ...key, organisation: `${key.organisation}x` },
        { ...key, importSupplier: key.importSupplier.toLowerCase() },
        { ...key, externalAccountNumber: `${key.externalAccountNumber} ` },
      ])
        equal(
          await right(ports.unitOfWork.run(other.organisation, ({ accounts }) => accounts.lock(other))),
          undefined,
        )
    },
    'an account that was created in the same unit of work can be found and locked in it': async (ports) => {
      const account = aSmallAccount(await freshKey(ports))
      const locked = await right(
        ports.unitOfWork.run(
          account.key.organisation,
          async ({ accountImports, accounts }): PortResult<LockedAccount | undefined> => {
            const found = await inSequence(
              () => create({ accountImports }, account),
              () => accounts.find(account.key),
            )
            if (E.isLeft(found)) return found
            return found.right === undefined ? E.right(undefined) : accounts.lock(found.right.key)
          },
        ),
      )
      equal(locked?.platformAccountNumber, account.platformAccountNumber)
    },
    'a Left rolls back additions of every kind, and all of them can be added again': async (ports) => {
      const { key, details } = await createdAccount(ports)
      const note = { note: everyDetail.notes[0], isTimeGiven: false }
      const [transaction] = everyDetail.transactions_without_ledger
      const addAll = (end: Either<Refused, void>) =>
        onLocked(ports, key, (account, stores) =>
          inSequence<Refused | PortFailure, void>(
            () => stores.accountNotes.add(account, [note]),
            () => stores.accountStatements.add(account, everyDetail.statements),
            () => stores.accountPaymentInstructions.add(account, everyDetail.payment_instructions[0]),
            () => stores.accountTransactions.add(account, [{ ledger: undefined, copy: 0, transaction }]),
            async () => end,
          ),
        )
      equal(await left(addAll(E.left(refused))), refused)
      equal((await right(ports.accounts.find(key)))?.details, details)
      await right(addAll(E.right(undefined)))
      const { notes, statements, payment_instructions, transactions_without_ledger } = everyDetail
      equal((await right(ports.accounts.find(key)))?.details, {
        ...details,
        notes,
        statements,
        payment_instructions,
        transactions_without_ledger,
      })
    },
  }),
  ...casesOf<StorePorts>(
    'LockableAccounts',
    {
      'units of work that lock one account run one after the other: each reads the additions of earlier ones':
        async (ports) => {
          const { key, createdAt } = await createdAccount(ports)
          const bodies = Array.from({ length: 10 }, (_, index) => String(index))
          const note = (body: string) => ({
            note: { body, document_paths: [], created_at: createdAt, is_pinned: false },
            isTimeGiven: false,
          })
          // Each adds a note with the number of notes that it found: without the lock two would find the same number.
          const count = (): Promise<unknown> =>
            right(
              onLocked(ports, key, async (account, { accountNotes }) => {
                const contents = bodies.map((body) => noteContent({ body }))
                const found = await accountNotes.withContents(account, contents)
                return E.isLeft(found) ? found : accountNotes.add(account, [note(String(found.right.size))])
              }),
            )
          await Promise.all(bodies.map(count))
          const notes = (await right(ports.accounts.find(key)))?.details.notes
          equal(
            notes?.map(({ body }) => body),
            bodies,
          )
        },
    },
    'alone',
  ),
  ...casesOf<StorePorts>('Leases', {
    'one server at a time has a lease, and another one after its end': async ({ leases }) => {
      const [job, other, one, two] = [
        freshCode('job'),
        freshCode('other'),
        freshCode('one'),
        freshCode('two'),
      ]
      equal(await right(leases.take(aLease(job, one, 0))), true)
      equal(await right(leases.take(aLease(job, two, 59.999))), false)
      equal(await right(leases.take(aLease(other, two, 1))), true)
      equal(await right(leases.take(aLease(job, two, 60))), true)
      equal(await right(leases.take(aLease(job, one, 61))), false)
    },
    'the owner of a lease may take it again with a later or an earlier end': async ({ leases }) => {
      const [job, one, two] = ['job', 'one', 'two'].map(freshCode) as [string, string, string]
      equal(await right(leases.take(aLease(job, one, 0))), true)
      equal(await right(leases.take(aLease(job, one, 30))), true)
      equal(await right(leases.take(aLease(job, two, 60))), false)
      equal(await right(leases.take(aLease(job, one, 61, 0))), true)
      equal(await right(leases.take(aLease(job, two, 61))), true)
    },
    'exactly one of many concurrent calls gets a lease': async ({ leases }) => {
      const job = freshCode('job')
      for (const second of [0, 100]) {
        const taken = await Promise.all(
          Array.from({ length: 10 }, () => right(leases.take(aLease(job, freshCode('t'), second)))),
        )
        equal(taken.filter(Boolean).length, 1)
      }
    },
  }),
]
