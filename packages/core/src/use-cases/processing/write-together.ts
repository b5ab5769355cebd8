import { areOfOneSupplier } from '../../domain/account-key.js'
import { E, TE } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure, PortResult } from '../../ports/port-failure.js'
import { inBatches } from '../../provided/in-batches.js'
import { writeAccounts, type NewAccount, type Written } from './write-accounts.js'

/** Accounts that one unit of work creates at most, and how much text they were staged as, in UTF-16 units. */
const most = { accounts: 16, text: 4 * 1024 * 1024 }

/** Units of work at one time: while one waits for its disk, the next is filled. */
const parallel = 2

/**
 * The indexes of those that go with the first, of its supplier and within the limits; an expired claim and its heir do not go
 * together.
 */
const nextAccounts = (waiting: readonly NewAccount[]): readonly number[] => {
  const numbers = new Set<string>()
  const indexes: number[] = []
  let text = 0
  for (const [index, { claim }] of waiting.entries()) {
    const { externalAccountNumber: number } = claim.key
    if (!areOfOneSupplier(waiting[0]?.claim.key, claim.key) || numbers.has(number)) continue
    text += claim.payload.length
    if (indexes.length === most.accounts || (index > 0 && text > most.text)) break
    numbers.add(number)
    indexes.push(index)
  }
  return indexes
}

const isAway = ({ kind, ofSomeRows }: PortFailure): boolean => kind === 'unavailable' && ofSomeRows !== true

/**
 * Creates accounts that are ready at the same moment in one unit of work. Where it fails they are tried one by one, so
 * that an account that cannot be created fails alone; not where the database is away.
 */
export const writeTogether = (
  ports: Pick<Ports, 'unitOfWork'>,
): ((created: NewAccount) => PortResult<Written>) => {
  const write = inBatches<NewAccount, Written>(
    async (created) => {
      const written = await ports.unitOfWork.run((stores) => writeAccounts(stores, created))()
      if (E.isLeft(written)) throw written.left
      return written.right
    },
    { parallel, next: nextAccounts, isAway: (failure) => isAway(failure as PortFailure) },
  )
  return (created) =>
    TE.tryCatch(
      () => write(created),
      (failure) => failure as PortFailure,
    )
}
