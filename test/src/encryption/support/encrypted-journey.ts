import type { Opened } from '../../sql/support/databases.js'
import { keyRing } from '../../verify/support/breaks-of.js'
import { fullJourney } from '../../verify/support/journey.js'

/** A journey with encryption, and functions that change the rows of one account. */
export const encryptedJourney = async (opened: Pick<Opened, 'knex'>, ring = keyRing) => {
  const { organisation, supplier, team } = await fullJourney(opened.knex, ring)
  const named = (externalAccountNumber: string) => ({
    organisation,
    importSupplier: supplier,
    externalAccountNumber,
  })
  /** The row of the account in the table; of its items the first transaction. */
  const conditionOf = (table: string, number: string) => ({
    external_account_number: number,
    ...(table === 'account_items' && { kind: 'transaction', ordinal: 0 }),
  })
  /** With the payload, which may be bytes, as text. */
  const rowOf = async (table: string, number: string): Promise<Readonly<Record<string, string>>> => {
    const row = (await opened.knex(table).where(conditionOf(table, number)).first()) as Record<
      string,
      unknown
    >
    return { ...row, ...(table === 'account_imports' && { payload: String(row['payload']) }) } as Record<
      string,
      string
    >
  }
  const change = async (table: string, number: string, values: object): Promise<void> => {
    await opened.knex(table).where(conditionOf(table, number)).update(values)
  }
  return { organisation, supplier, team, named, rowOf, change }
}

/** The text with one letter changed. */
export const flipped = (text: string): string => {
  const at = Math.trunc(text.length / 2)
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}
