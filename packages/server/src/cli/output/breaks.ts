import { numberText } from '../../account-files/report/numbers.js'
import { oneCell } from '../../printable.js'
import type { Break, Counted } from '../../service/verify-database.js'
import type { CommandError } from '../command-result.js'

/** Counts of rows that were compared, and of the inconsistencies found. */
export type VerifyTotals = Readonly<Record<Counted | 'breaks', number>>

/** The output of inconsistencies, one after the other, so that any number of them takes no memory. */
export type BreakFormat = Readonly<{
  head: string
  item(found: Break, isFirst: boolean): string
  tail(totals: VerifyTotals, failure?: CommandError): string
}>

const cell = (text: string | undefined): string => (text === undefined ? '-' : oneCell(text))

const placeOf = ({ table, columns = [], rows }: Break): string =>
  [table ?? '-', columns.length === 0 ? '' : `(${columns.join(', ')})`, rows === undefined ? '' : `× ${rows}`]
    .filter((part) => part !== '')
    .join(' ')

/** For people, and for tools that cut lines: kind, organisation, supplier, external and platform number, where. */
const lines: BreakFormat = {
  head: '',
  item: (found) =>
    `${[
      found.kind,
      cell(found.organisation),
      cell(found.importSupplier),
      cell(found.externalAccountNumber),
      cell(found.platformAccountNumber),
      placeOf(found),
    ].join('\t')}\n`,
  tail: () => '',
}

const jsonOf = (found: Break): string =>
  JSON.stringify({
    kind: found.kind,
    organisation: found.organisation ?? null,
    import_supplier: found.importSupplier ?? null,
    external_account_number: found.externalAccountNumber ?? null,
    platform_account_number: found.platformAccountNumber ?? null,
    table: found.table ?? null,
    columns: found.columns ?? [],
    rows: found.rows ?? null,
  })

/** One JSON document, the items of its list one a line. */
const document: BreakFormat = {
  head: '{"breaks":[',
  item: (found, isFirst) => `${isFirst ? '' : ','}\n${jsonOf(found)}`,
  tail: ({ breaks: _breaks, ...looked }, failure) => {
    const error = failure && { code: failure.code, detail: failure.detail, errors: failure.errors ?? [] }
    return `\n],${JSON.stringify({ ...looked, ...(error && { error }) }).slice(1)}\n`
  },
}

export const breakFormats = { lines, document } as const

const counted = (count: number, name: string): string =>
  `${numberText(count)} ${name}${count === 1 ? '' : 's'}`

const found = (breaks: number): string =>
  breaks === 1 ? '1 inconsistency' : `${numberText(breaks)} inconsistencies`

/** The outcome in words. */
export const verifySummary = ({ breaks, ...looked }: VerifyTotals): string =>
  `${breaks === 0 ? 'No inconsistency' : found(breaks)} in ${counted(looked.imports, 'import')}, ` +
  `${counted(looked.accounts, 'account')} with ${counted(looked.rows, 'row')}, and ${counted(looked.emails, 'e-mail')} ` +
  `of ${counted(looked.suppliers, 'supplier')}.${breaks === 0 ? '' : ' Their meanings: docs/reference/inconsistencies.md'}`
