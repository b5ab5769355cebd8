import type { Knex } from 'knex'
import { createdNoteIdentities } from '../rows/note-identity.js'
import { noteOf, type NoteRow } from '../rows/notes.js'
import { tables } from '../tables.js'

type Supplier = Readonly<{ organisation: string; import_supplier: string }>
type StoredNote = NoteRow & Readonly<{ platform_account_number: string }>

/** Few enough that their notes fit into memory. */
const accountsAtOnce = 100

const numbersAfter = (knex: Knex, supplier: Supplier, last: string): Promise<string[]> =>
  knex(tables.accounts)
    .where(supplier)
    .where('platform_account_number', '>', last)
    .orderBy('platform_account_number')
    .limit(accountsAtOnce)
    .pluck('platform_account_number') as unknown as Promise<string[]>

const identifyAccount = async (
  trx: Knex,
  supplier: Supplier,
  number: string,
  notes: readonly StoredNote[],
): Promise<void> => {
  const identities = createdNoteIdentities(notes.map(noteOf))
  for (const [index, { ordinal }] of notes.entries())
    await trx(tables.notes)
      .where({ ...supplier, platform_account_number: number, ordinal })
      .update(identities[index] ?? {})
}

const identifySupplier = async (knex: Knex, supplier: Supplier): Promise<void> => {
  for (let numbers = await numbersAfter(knex, supplier, ''); numbers.length > 0;) {
    const last = numbers.at(-1) ?? ''
    const notes = (await knex(tables.notes)
      .where(supplier)
      .whereBetween('platform_account_number', [numbers[0] ?? '', last])
      .orderBy(['platform_account_number', 'ordinal'])) as StoredNote[]
    await knex.transaction(async (trx) => {
      for (const number of numbers)
        await identifyAccount(
          trx,
          supplier,
          number,
          notes.filter((note) => note.platform_account_number === number),
        )
    })
    numbers = await numbersAfter(knex, supplier, last)
  }
}

/** Gives the notes that accounts have their identities; running it again does no harm. */
export const identifyNotes = async (knex: Knex): Promise<void> => {
  const suppliers = (await knex(tables.importSuppliers).select({
    organisation: 'organisation',
    import_supplier: 'code',
  })) as Supplier[]
  for (const supplier of suppliers) await identifySupplier(knex, supplier)
}
