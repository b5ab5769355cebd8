import {
  type AccountImport,
  type AccountKey,
  type ImportRefusal,
  refusalOf,
} from '../domain/account-import.js'
import { E, type Either } from '../fp.js'
import type { ComparedData } from '../ports/account-imports.js'
import type { Ports } from '../ports/index.js'
import { portFailure, type PortFailure } from '../ports/port-failure.js'
import type { AccountAlreadyImported, AccountMarkedToSkip } from '../checking/errors.js'

/** Seconds until a retry makes sense: most accounts are created in less. */
export const retryAfterSeconds = 1

/**
 * The answer where a change did not happen, as it depends on a supplier or team that is not as it was read a moment ago: they are read
 * again, and the request begins again. No request ends with it.
 */
export const notCurrent = portFailure(
  'unavailable',
  'importSuppliers',
  'recent',
  new Error('supplier or team is not current'),
)

/** Whether the account of a key was created from the data of a request; undefined if it does not exist, or was erased. */
export type SameData = boolean | undefined

/**
 * Compares the accounts of the items, which exist, with their data, by one call of the port; by none if there is no item. The answer
 * finds the result of an item: undefined for any other.
 */
export const sameDataOf = async <Item>(
  { accountImports }: Pick<Ports, 'accountImports'>,
  items: readonly Item[],
  dataOf: (item: Item) => ComparedData,
): Promise<(item: Item) => Either<PortFailure, SameData>> => {
  const found = items.length === 0 ? E.right([]) : await accountImports.sameData(items.map(dataOf))
  const results = new Map(
    items.map((item, index) => [item, E.map((all: readonly SameData[]) => all[index])(found)]),
  )
  return (item) => results.get(item) ?? E.right(undefined)
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
  const exists = refusal._tag === 'already_imported' ? [compared] : []
  const sameData = (await sameDataOf(ports, exists, (data) => data))(compared)
  return E.isLeft(sameData) ? sameData : refusedBy(refusal, compared.key, sameData.right, inProgress)
}
