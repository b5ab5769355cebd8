import type { ListedEntry } from '@account-import/core'
import type { Shown } from '../stream-pages.js'
import { oneCell } from '../../printable.js'
import { noneText } from './heads.js'

const json = ({ entry, sequence, hash }: ListedEntry): unknown => ({
  organisation: entry.organisation,
  sequence: sequence ?? null,
  at: entry.at,
  what: entry.what,
  who: entry.by.who,
  request_id: entry.by.requestId ?? null,
  import_supplier: entry.importSupplier ?? null,
  external_account_number: entry.externalAccountNumber ?? null,
  subject: entry.subject ?? null,
  before: entry.before ?? null,
  after: entry.after ?? null,
  hash: hash ?? null,
})

/** The first characters of a hash tell it from its neighbours; the whole is in the JSON. */
const short = (hash: string | undefined): string => hash?.slice(0, 8) ?? ''

const line = (cells: readonly (readonly [text: string, width: number])[]): string =>
  cells
    .map(([text, width]) => oneCell(text).padEnd(width))
    .join('  ')
    .trimEnd()

const widths = {
  organisation: 12,
  sequence: 8,
  at: 24,
  what: 18,
  who: 28,
  supplier: 12,
  account: 18,
  hash: 8,
}

/** Entries of the record in lists of the command line; one that waits has `unsealed` in place of a number. */
export const entryShown: Shown<ListedEntry> = {
  json,
  headings: line([
    ['ORGANISATION', widths.organisation],
    ['NUMBER', widths.sequence],
    ['AT', widths.at],
    ['WHAT', widths.what],
    ['WHO', widths.who],
    ['SUPPLIER', widths.supplier],
    ['ACCOUNT', widths.account],
    ['BEFORE', widths.hash],
    ['AFTER', widths.hash],
    ['SUBJECT', 0],
  ]),
  text: ({ entry, sequence }) =>
    line([
      [entry.organisation === '' ? noneText : entry.organisation, widths.organisation],
      [sequence === undefined ? 'unsealed' : String(sequence), widths.sequence],
      [entry.at, widths.at],
      [entry.what, widths.what],
      [entry.by.who, widths.who],
      [entry.importSupplier ?? '', widths.supplier],
      [entry.externalAccountNumber ?? '', widths.account],
      [short(entry.before), widths.hash],
      [short(entry.after), widths.hash],
      [entry.subject ?? '', 0],
    ]),
  none: 'Nothing of this was recorded.',
}
