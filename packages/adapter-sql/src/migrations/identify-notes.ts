import type { Knex } from 'knex'
import { noteIdentities, type StoredNote } from './note-identities.js'
import type { SchemaDialect } from './schema-dialect.js'
import { writeNoteIdentities, type IdentifiedNote } from './write-note-identities.js'

type Supplier = Readonly<{ organisation: string; import_supplier: string }>

/** Few enough that their notes fit into memory. */
const accountsAtOnce = 100

const numbersAfter = (knex: Knex, supplier: Supplier, last: string): Promise<string[]> =>
  knex('accounts')
    .where(supplier)
    .where('platform_account_number', '>', last)
    .orderBy('platform_account_number')
    .limit(accountsAtOnce)
    .pluck('platform_account_number') as unknown as Promise<string[]>

/** The notes in order of their accounts: those of one stand together. */
const byAccount = (notes: readonly StoredNote[]): readonly (readonly StoredNote[])[] => {
  const groups: StoredNote[][] = []
  for (const note of notes) {
    const group = groups.at(-1)
    if (group?.[0]?.platform_account_number === note.platform_account_number) group.push(note)
    else groups.push([note])
  }
  return groups
}

const identified = (notes: readonly StoredNote[]): readonly IdentifiedNote[] => {
  const identities = byAccount(notes).flatMap(noteIdentities)
  return notes.flatMap(({ platform_account_number: number, ordinal }, index) => {
    const identity = identities[index]
    return identity === undefined ? [] : [{ number, ordinal, ...identity }]
  })
}

/** A few statements for every 100 accounts: a million of them are to take minutes. */
const identifySupplier = async (knex: Knex, schema: SchemaDialect, supplier: Supplier): Promise<void> => {
  for (let numbers = await numbersAfter(knex, supplier, ''); numbers.length > 0;) {
    const last = numbers.at(-1) ?? ''
    const notes = (await knex('notes')
      .where(supplier)
      .whereBetween('platform_account_number', [numbers[0] ?? '', last])
      .orderBy(['platform_account_number', 'ordinal'])) as StoredNote[]
    await knex.transaction((trx) => writeNoteIdentities(trx, schema, supplier, identified(notes)))
    numbers = await numbersAfter(knex, supplier, last)
  }
}

/** Gives the notes that accounts have their identities; running it again does no harm. */
export const identifyNotes = async (knex: Knex, schema: SchemaDialect): Promise<void> => {
  const suppliers = (await knex('import_suppliers').select({
    organisation: 'organisation',
    import_supplier: 'code',
  })) as Supplier[]
  for (const supplier of suppliers) await identifySupplier(knex, schema, supplier)
}
