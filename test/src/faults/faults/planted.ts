import type { Ports, TransactionalStores } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'

/** A planted fault: ports whose unit of work keeps the writes of work that was refused. */
export const commitWithoutRollback = (ports: Ports): Ports => ({
  ...ports,
  unitOfWork: {
    run: async <Refused, A>(
      organisation: string,
      work: (stores: TransactionalStores) => Promise<Either<Refused, A>>,
    ) => E.flattenW(await ports.unitOfWork.run(organisation, async (stores) => E.right(await work(stores)))),
  },
})
