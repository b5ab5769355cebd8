import type { ImportRefusal } from '../domain/account-import.js'
import { E, type Either } from '../fp.js'
import type { ComparedData } from '../ports/account-imports.js'
import type { Ports } from '../ports/index.js'
import { noOutcome, type PortFailure } from '../ports/port-failure.js'
import type { AccountAlreadyImported, AccountMarkedToSkip } from './errors.js'

/** Seconds until a retry makes sense: most accounts are created in less. */
export const retryAfterSeconds = 1

/** Whether the account of a key was created from the data of a request; undefined if it does not exist, or was erased. */
type SameData = boolean | undefined

/** Compares the accounts of the outcomes `already_imported` with the data, by one call of the port; by none if there is none. */
const sameDataOf = async (
  { accountImports }: Pick<Ports, 'accountImports'>,
  compared: readonly ComparedData[],
  outcomes: readonly Readonly<{ _tag: string }>[],
): Promise<readonly Either<PortFailure, SameData>[]> => {
  const exists = outcomes.map(({ _tag }) => _tag === 'already_imported')
  const found = exists.includes(true)
    ? await accountImports.sameData(compared.filter((_, index) => exists[index]))
    : E.right([])
  const rest = E.isLeft(found) ? undefined : found.right.values()
  return exists.map((each) => {
    if (!each) return E.right(undefined)
    return rest === undefined ? (found as Either<PortFailure, never>) : E.right(rest.next().value)
  })
}

/**
 * The answers to requests whose data is `compared`, by the outcomes of a port, both in one order. `answer` gets whether the account
 * was created from the same data, if it exists already.
 */
export const answersOf = async <Outcome extends Readonly<{ _tag: string }>, L, A>(
  ports: Pick<Ports, 'accountImports'>,
  compared: readonly ComparedData[],
  outcomes: readonly Outcome[],
  answer: (outcome: Outcome, index: number, sameData: SameData) => Either<L, A>,
): Promise<readonly Either<L | PortFailure, A>[]> => {
  const sameData = await sameDataOf(ports, compared, outcomes)
  return compared.map((_, index) => {
    const [outcome, isSame] = [outcomes[index], sameData[index]]
    if (outcome === undefined || isSame === undefined) return E.left(noOutcome())
    return E.isLeft(isSame) ? isSame : answer(outcome, index, isSame.right)
  })
}

/** The refusal of an account that is not in progress. */
export const settledRefusal = (
  refusal: Exclude<ImportRefusal, { _tag: 'in_progress' }>,
  externalAccountNumber: string,
  sameData: SameData,
): AccountAlreadyImported | AccountMarkedToSkip => {
  if (refusal._tag === 'marked_to_skip') return { _tag: 'AccountMarkedToSkip' }
  const { platformAccountNumber } = refusal
  return { _tag: 'AccountAlreadyImported', externalAccountNumber, platformAccountNumber, sameData }
}
