import { pipe, TE, type TaskEither } from '../../fp.js'
import type { LockedAccount } from '../../ports/accounts.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { TransactionalStores } from '../../ports/unit-of-work.js'
import type { AccountNotFound, SupplierNotOngoing } from '../errors.js'
import type { CheckedAddition } from './check-addition.js'

const accountNotFound: AccountNotFound = { _tag: 'AccountNotFound' }

/** Step 2 of section 9, and the part of step 3 that needs no account: the first that applies answers alone. */
const refuseUnlessOngoing = ({
  supplier,
}: CheckedAddition<unknown>): TaskEither<SupplierNotOngoing | AccountNotFound, void> => {
  if (supplier === undefined) return TE.left(accountNotFound)
  return supplier.status === 'ongoing' ? TE.right(undefined) : TE.left({ _tag: 'SupplierNotOngoing' })
}

/**
 * Steps 2 and 3 of section 9, and then the work on the locked account, in one unit of work: a Left of the work leaves
 * nothing. Equal requests at the same time take turns, so the later one finds what the earlier one added.
 */
export const onCreatedAccount =
  ({ unitOfWork }: Pick<Ports, 'unitOfWork'>) =>
  <Refused, A>(
    checked: CheckedAddition<unknown>,
    work: (account: LockedAccount, stores: TransactionalStores) => TaskEither<Refused | PortFailure, A>,
  ): TaskEither<SupplierNotOngoing | AccountNotFound | Refused | PortFailure, A> =>
    pipe(
      refuseUnlessOngoing(checked),
      TE.flatMap(() =>
        unitOfWork.run((stores) =>
          pipe(
            stores.accounts.lock(checked.key),
            TE.flatMap((account): TaskEither<AccountNotFound | Refused | PortFailure, A> =>
              account === undefined ? TE.left(accountNotFound) : work(account, stores),
            ),
          ),
        ),
      ),
    )
