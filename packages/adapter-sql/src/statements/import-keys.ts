import type { AccountKey } from '@account-import/core'
import { areOfOneSupplier } from '@account-import/core/adapter-kit'

/** The key of an import, of its staged data and of its e-mail. */
export const keyColumns = ['organisation', 'import_supplier', 'external_account_number'] as const

const less = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * The order in which every transaction locks imports, so that two that lock several of them never wait for each other
 * (a deadlock).
 */
export const compareKeys = (a: AccountKey, b: AccountKey): number =>
  less(a.organisation, b.organisation) ||
  less(a.importSupplier, b.importSupplier) ||
  less(a.externalAccountNumber, b.externalAccountNumber)

/** A condition and its bindings. */
export type Condition = Readonly<{ sql: string; bindings: readonly string[] }>

/**
 * That a row has one of the keys. Written supplier by supplier: MariaDB does not look up an index for a list of
 * tuples. The keys are in order, so that those of a supplier stand together.
 */
export const hasOneOfKeys = (keys: readonly AccountKey[]): Condition => {
  const groups: AccountKey[][] = []
  for (const key of keys) {
    if (areOfOneSupplier(groups.at(-1)?.[0], key)) groups.at(-1)?.push(key)
    else groups.push([key])
  }
  const sql = groups.map(
    (group) =>
      `(organisation = ? AND import_supplier = ? AND external_account_number IN (${group.map(() => '?').join(', ')}))`,
  )
  const bindings = groups.flatMap((group) => [
    group[0]?.organisation ?? '',
    group[0]?.importSupplier ?? '',
    ...group.map((key) => key.externalAccountNumber),
  ])
  return { sql: sql.join(' OR '), bindings }
}
