import { pipe, TE } from '../fp.js'
import type { FoundSupplier, ImportSuppliers } from '../ports/import-suppliers.js'

/** Few suppliers migrate at a time, and settings can be long. */
const mostEntries = 100

/**
 * Reads suppliers and remembers what was read last. `known` may have changed since, on any server: what is decided by it
 * has to hang on its revision, or on another read.
 */
export type RememberedSuppliers = Pick<ImportSuppliers, 'find'> &
  Readonly<{ known(organisation: string, code: string): FoundSupplier | undefined }>

const nameOf = (organisation: string, code: string): string => `${organisation}\u0000${code}`

export const rememberedSuppliers = (importSuppliers: Pick<ImportSuppliers, 'find'>): RememberedSuppliers => {
  const entries = new Map<string, FoundSupplier>()

  const remember = (supplier: FoundSupplier | undefined): void => {
    if (supplier === undefined) return
    const name = nameOf(supplier.organisation, supplier.code)
    entries.delete(name)
    entries.set(name, supplier)
    if (entries.size <= mostEntries) return
    const [oldest] = entries.keys()
    if (oldest !== undefined) entries.delete(oldest)
  }

  return {
    known: (organisation, code) => entries.get(nameOf(organisation, code)),
    find: (organisation, code) =>
      pipe(
        importSuppliers.find(organisation, code),
        TE.tapIO((found) => () => remember(found)),
      ),
  }
}
