import {
  type AccountImport,
  type AccountKey,
  type ImportRefusal,
  refusalOf,
} from '../domain/account-import.js'
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

type SettledRefusal = AccountAlreadyImported | AccountMarkedToSkip

/** Refuses a request by the state of its import. `inProgress`: the refusal of an import that is in progress. */
export const refusedBy = <InProgress>(
  refusal: ImportRefusal,
  { externalAccountNumber }: AccountKey,
  sameData: SameData,
  inProgress: InProgress,
): Either<InProgress | SettledRefusal, never> => {
  switch (refusal._tag) {
    case 'in_progress':
      return E.left(inProgress)
    case 'marked_to_skip':
      return E.left({ _tag: 'AccountMarkedToSkip' })
    case 'already_imported': {
      const { platformAccountNumber } = refusal
      return E.left({
        _tag: 'AccountAlreadyImported',
        externalAccountNumber,
        platformAccountNumber,
        sameData,
      })
    }
  }
}

/** Refuses a request that `otherwise` refuses too: reasons in the import itself precede it. */
export const refusedFirstBy = async <InProgress, Otherwise>(
  ports: Pick<Ports, 'accountImports' | 'clock'>,
  compared: ComparedData,
  inProgress: InProgress,
  otherwise: (found: AccountImport | undefined) => Otherwise,
): Promise<Either<InProgress | SettledRefusal | Otherwise | PortFailure, never>> => {
  const found = await ports.accountImports.find(compared.key)
  if (E.isLeft(found)) return found
  const refusal = found.right && refusalOf(found.right, ports.clock.now())
  if (refusal === undefined) return E.left(otherwise(found.right))
  const [sameData] = (await sameDataOf(ports, [compared], [refusal])) as [Either<PortFailure, SameData>]
  return E.isLeft(sameData) ? sameData : refusedBy(refusal, compared.key, sameData.right, inProgress)
}
