import type { Knex } from 'knex'

type Supplier = Readonly<{ organisation: string; import_supplier: string }>

/** A condition that holds for the imports of a piece, and its values. */
type Work = (piece: string, values: readonly Knex.RawBinding[]) => PromiseLike<unknown>

/** Few enough that their payloads are copied long before a statement is given up. */
const importsAtOnce = 100

const numbersAfter = (knex: Knex, supplier: Supplier, last: string): Promise<string[]> =>
  knex('account_imports')
    .where(supplier)
    .where('external_account_number', '>', last)
    .orderBy('external_account_number')
    .limit(importsAtOnce)
    .pluck('external_account_number') as unknown as Promise<string[]>

/** Does the work for 100 imports at a time, in the order of their keys, until all were in a piece. */
export const forPiecesOfImports = async (knex: Knex, work: Work): Promise<void> => {
  const suppliers = (await knex('account_imports').distinct(
    'organisation',
    'import_supplier',
  )) as readonly Supplier[]
  for (const supplier of suppliers)
    for (let numbers = await numbersAfter(knex, supplier, ''); numbers.length > 0;) {
      const last = numbers.at(-1) ?? ''
      await work('organisation = ? AND import_supplier = ? AND external_account_number BETWEEN ? AND ?', [
        supplier.organisation,
        supplier.import_supplier,
        numbers[0] ?? '',
        last,
      ])
      numbers = await numbersAfter(knex, supplier, last)
    }
}
