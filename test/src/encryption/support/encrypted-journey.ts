import type { Opened } from '../../sql/support/databases.js'
import { keyRing } from '../../verify/support/breaks-of.js'
import { fullJourney } from '../../verify/support/journey.js'

/** A journey of which all is encrypted, and what changes the rows of one account. */
export const encryptedJourney = async (opened: Pick<Opened, 'knex'>, ring = keyRing) => {
  const { organisation, supplier, team } = await fullJourney(opened.knex, ring)
  const named = (externalAccountNumber: string) => ({
    organisation,
    importSupplier: supplier,
    externalAccountNumber,
  })
  const rowOf = async (table: string, number: string): Promise<Readonly<Record<string, string>>> => {
    const { platform_account_number } = (await opened
      .knex('account_imports')
      .where({ external_account_number: number })
      .first('platform_account_number')) as { platform_account_number: string }
    const where =
      table === 'encrypted_details'
        ? { platform_account_number, ordinal: 0 }
        : { external_account_number: number }
    return (await opened.knex(table).where(where).first()) as Readonly<Record<string, string>>
  }
  const change = async (table: string, number: string, values: object): Promise<void> => {
    const { organisation: _o, import_supplier: _s, ...row } = await rowOf(table, number)
    const { platform_account_number, external_account_number, ordinal } = row
    const where =
      table === 'encrypted_details' ? { platform_account_number, ordinal } : { external_account_number }
    await opened.knex(table).where(where).update(values)
  }
  return { organisation, supplier, team, named, rowOf, change }
}

/** The text with one letter changed. */
export const flipped = (text: string): string => {
  const at = Math.trunc(text.length / 2)
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}
