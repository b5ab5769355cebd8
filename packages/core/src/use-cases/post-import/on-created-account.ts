import { pipe, TE, type TaskEither } from '../../fp.js'
import type { LockedAccount } from '../../ports/accounts.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { TransactionalStores } from '../../ports/unit-of-work.js'
import type { AccountNotFound, SupplierNotOngoing } from '../errors.js'
import type { CheckedAddition } from './check-addition.js'

const accountNotFound: AccountNotFound = { _tag: 'AccountNotFound' }

/** Refuses what can be refused without the account: an unknown supplier, or one that is not ongoing. */
const refuseUnlessOngoing = ({
  supplier,
}: CheckedAddition<unknown>): TaskEither<SupplierNotOngoing | AccountNotFound, void> => {
  if (supplier === undefined) return TE.left(accountNotFound)
  return supplier.status === 'ongoing' ? TE.right(undefined) : TE.left({ _tag: 'SupplierNotOngoing' })
}

/**
 * Refuses suppliers that are not ongoing and accounts that do not exist; else does the work on the locked account in
 * one unit of work, so that a Left of the work changes nothing. Because of the lock, the later of two equal requests
 * finds what the earlier one added.
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
