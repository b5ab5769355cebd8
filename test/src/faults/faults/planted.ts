import type { PortResult, Ports, SupplierSettings, TransactionalStores } from '@account-import/core'
import { E, pipe, TE, type TaskEither } from '@account-import/core/adapter-kit'

/** Changes ports as a mistake in an adapter would. */
export type Plant = (ports: Ports) => Ports

/** Settings overwrite those that were saved since they were read. */
const lostSettings: Plant = (ports) => ({
  ...ports,
  importSuppliers: {
    ...ports.importSuppliers,
    saveSettings: (code, before, after) =>
      pipe(
        ports.importSuppliers.findByCode(code),
        TE.flatMap((saved) =>
          ports.importSuppliers.saveSettings(
            code,
            saved?.settings ?? before,
            after satisfies SupplierSettings,
          ),
        ),
      ),
  },
})

type Run = Ports['unitOfWork']['run']

const withUnits = (ports: Ports, run: Run): Ports => ({ ...ports, unitOfWork: { run } })

/** The writes of a unit of work are kept, although it was refused. */
export const commitWithoutRollback: Plant = (ports) =>
  withUnits(ports, <Refused, A>(work: (stores: TransactionalStores) => TaskEither<Refused, A>) =>
    pipe(
      ports.unitOfWork.run((stores) => async () => E.right(await work(stores)())),
      TE.flatMap((answer) => TE.fromEither<Refused, A>(answer)),
    ),
  )

type Write = (stores: TransactionalStores) => PortResult<void>

/** The stores; those of parts of accounts only record their additions. */
const noting = (stores: TransactionalStores, writes: Write[]): TransactionalStores => {
  const note = (write: Write): PortResult<void> => {
    writes.push(write)
    return TE.right(undefined)
  }
  const { accountNotes, accountStatements, accountTransactions, accountPaymentInstructions } = stores
  return {
    ...stores,
    accountNotes: { ...accountNotes, add: (...given) => note((later) => later.accountNotes.add(...given)) },
    accountStatements: {
      ...accountStatements,
      add: (...given) => note((later) => later.accountStatements.add(...given)),
    },
    accountTransactions: {
      ...accountTransactions,
      add: (...given) => note((later) => later.accountTransactions.add(...given)),
    },
    accountPaymentInstructions: {
      ...accountPaymentInstructions,
      add: (...given) => note((later) => later.accountPaymentInstructions.add(...given)),
    },
  }
}

/** An account is read in one unit of work and written in another, without a lock in between. */
const additionsWithoutLock: Plant = (ports) =>
  withUnits(ports, (work) => {
    const writes: Write[] = []
    return pipe(
      ports.unitOfWork.run((stores) => work(noting(stores, writes))),
      TE.tap(() =>
        ports.unitOfWork.run((stores) =>
          pipe(
            writes,
            TE.traverseArray((write) => write(stores)),
          ),
        ),
      ),
    )
  })

/** A refresh token is read first, and replaced later. */
const tokenUsedTwice: Plant = (ports) => ({
  ...ports,
  refreshTokens: {
    ...ports.refreshTokens,
    follow: (...use) =>
      pipe(
        ports.refreshTokens.follow(...use),
        TE.map(() => true),
      ),
  },
})

/** A stored response is replayed once, and then deleted. */
const answersForgotten: Plant = (ports) => {
  const given = new Set<string>()
  return {
    ...ports,
    idempotencyRecords: {
      ...ports.idempotencyRecords,
      claim: (claim) =>
        pipe(
          ports.idempotencyRecords.claim(claim),
          TE.map((claimed) => {
            if (claimed._tag !== 'answered') return claimed
            if (given.has(claim.key.request)) return { _tag: 'claimed' as const }
            given.add(claim.key.request)
            return claimed
          }),
        ),
    },
  }
}

/** Mistakes that adapters could make. */
export const planted: Readonly<Record<string, Plant>> = {
  'a lost update of settings': lostSettings,
  'a commit without rollback': commitWithoutRollback,
  'additions without a lock': additionsWithoutLock,
  'a token that is used twice': tokenUsedTwice,
  'an answer that is forgotten': answersForgotten,
}
