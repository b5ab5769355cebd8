import type { ImportRefusal } from '../domain/account-import.js'
import { E, type Either } from '../fp.js'
import type { ComparedData } from '../ports/account-imports.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure } from '../ports/port-failure.js'
import type { AccountAlreadyImported, AccountMarkedToSkip } from './errors.js'

/** Seconds until a retry makes sense: most accounts are created in less. */
export const retryAfterSeconds = 1

/**
 * Whether accounts were created from that data, for each outcome `already_imported`; reads nothing if there is none.
 * `compared` and `outcomes` have the same order.
 */
export const sameDataOf = async (
  { accountImports }: Pick<Ports, 'accountImports'>,
  compared: readonly ComparedData[],
  outcomes: readonly Readonly<{ _tag: string }>[],
): Promise<Either<PortFailure, readonly (boolean | undefined)[]>> => {
  const exists = outcomes.map(({ _tag }) => _tag === 'already_imported')
  if (!exists.includes(true)) return E.right([])
  const found = await accountImports.sameData(
    compared
      .filter((_, index) => exists[index])
      .map(({ key, payload }) => ({ key, ...(payload && { payload }) })),
  )()
  if (E.isLeft(found)) return found
  const rest = found.right.values()
  return E.right(exists.map((each): boolean | undefined => (each ? rest.next().value : undefined)))
}

/** The refusal of an account that is not in progress. */
export const settledRefusal = (
  refusal: Exclude<ImportRefusal, { _tag: 'in_progress' }>,
  externalAccountNumber: string,
  sameData: boolean | undefined,
): AccountAlreadyImported | AccountMarkedToSkip => {
  if (refusal._tag === 'marked_to_skip') return { _tag: 'AccountMarkedToSkip' }
  const { platformAccountNumber } = refusal
  return { _tag: 'AccountAlreadyImported', externalAccountNumber, platformAccountNumber, sameData }
}
