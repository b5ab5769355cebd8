import type { PortResult, Ports, SupplierSettings, TransactionalStores } from '@account-import/core'
import { E, type Either, pipe } from '@account-import/core/adapter-kit'

/** Changes ports as a mistake in an adapter would. */
export type Plant = (ports: Ports) => Ports

/** Settings overwrite those that were saved since they were read. */
const lostSettings: Plant = (ports) => ({
  ...ports,
  importSuppliers: {
    ...ports.importSuppliers,
    saveSettings: async (code, before, after: SupplierSettings) => {
      const saved = await ports.importSuppliers.findByCode(code)
      if (E.isLeft(saved)) return saved
      return ports.importSuppliers.saveSettings(code, saved.right?.settings ?? before, after)
    },
  },
})

type Run = Ports['unitOfWork']['run']

const withUnits = (ports: Ports, run: Run): Ports => ({ ...ports, unitOfWork: { run } })

/** The writes of a unit of work are kept, although it was refused. */
export const commitWithoutRollback: Plant = (ports) =>
  withUnits(ports, async <Refused, A>(work: (stores: TransactionalStores) => Promise<Either<Refused, A>>) =>
    E.flattenW(await ports.unitOfWork.run(async (stores) => E.right(await work(stores)))),
  )

type Write = (stores: TransactionalStores) => PortResult<void>

/** The stores; those of parts of accounts only record their additions. */
const noting = (stores: TransactionalStores, writes: Write[]): TransactionalStores => {
  const note = async (write: Write): PortResult<void> => {
    writes.push(write)
    return E.right(undefined)
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
  withUnits(ports, async (work) => {
    const writes: Write[] = []
    const done = await ports.unitOfWork.run((stores) => work(noting(stores, writes)))
    if (E.isLeft(done)) return done
    const written = await ports.unitOfWork.run(async (stores) =>
      E.sequenceArray(await Promise.all(writes.map((write) => write(stores)))),
    )
    return E.isLeft(written) ? written : done
  })

/** A refresh token is read first, and replaced later. */
const tokenUsedTwice: Plant = (ports) => ({
  ...ports,
  refreshTokens: {
    ...ports.refreshTokens,
    follow: async (...use) =>
      pipe(
        await ports.refreshTokens.follow(...use),
        E.map(() => true),
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
      claim: async (claim) =>
        pipe(
          await ports.idempotencyRecords.claim(claim),
          E.map((claimed) => {
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
