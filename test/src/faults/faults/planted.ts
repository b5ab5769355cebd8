import type { Ports, TransactionalStores } from '@account-import/core'
import { E, pipe, TE, type TaskEither } from '@account-import/core/adapter-kit'

/** A planted fault: ports whose unit of work keeps the writes of work that was refused. */
export const commitWithoutRollback = (ports: Ports): Ports => ({
  ...ports,
  unitOfWork: {
    run: <Refused, A>(work: (stores: TransactionalStores) => TaskEither<Refused, A>) =>
      pipe(
        ports.unitOfWork.run((stores) => async () => E.right(await work(stores)())),
        TE.flatMap((answer) => TE.fromEither<Refused, A>(answer)),
      ),
  },
})
