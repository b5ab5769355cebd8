import type { Knex } from 'knex'
import { createdNoteIdentities } from '../rows/note-identity.js'
import { noteOf, type NoteRow } from '../rows/notes.js'
import { tables } from '../tables.js'
import { writeNoteIdentities, type IdentifiedNote } from './write-note-identities.js'

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

const byAccount = (notes: readonly StoredNote[]): ReadonlyMap<string, readonly StoredNote[]> => {
  const groups = new Map<string, StoredNote[]>()
  for (const note of notes) {
    const group = groups.get(note.platform_account_number)
    if (group === undefined) groups.set(note.platform_account_number, [note])
    else group.push(note)
  }
  return groups
}

const identified = (notes: readonly StoredNote[]): readonly IdentifiedNote[] =>
  [...byAccount(notes)].flatMap(([number, own]) =>
    createdNoteIdentities(own.map(noteOf)).map((identity, index) => ({
      number,
      ordinal: own[index]?.ordinal ?? index,
      identity,
    })),
  )

/** A few statements for every 100 accounts: a million of them are to take minutes. */
const identifySupplier = async (knex: Knex, supplier: Supplier): Promise<void> => {
  for (let numbers = await numbersAfter(knex, supplier, ''); numbers.length > 0;) {
    const last = numbers.at(-1) ?? ''
    const notes = (await knex(tables.notes)
      .where(supplier)
      .whereBetween('platform_account_number', [numbers[0] ?? '', last])
      .orderBy(['platform_account_number', 'ordinal'])) as StoredNote[]
    await knex.transaction((trx) => writeNoteIdentities(trx, supplier, identified(notes)))
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
