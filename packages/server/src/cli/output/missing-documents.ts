import type { MissingDocument } from '@account-import/core'
import type { CommandError } from '../command-error.js'
import { oneCell } from '../../printable.js'

/** What was looked for by the end: `references` are the paths of all accounts, each account's once. */
export type MissingTotals = Readonly<{ accounts: number; references: number; missing: number }>

/** How missing documents are printed, one after the other, so that any number of them takes no memory. */
export type MissingFormat = Readonly<{
  head: string
  item(missing: MissingDocument, isFirst: boolean): string
  tail(totals: MissingTotals, failure?: CommandError): string
}>

/** For people, and for tools that cut lines: external account number, a tab, the path. */
const lines: MissingFormat = {
  head: '',
  item: ({ externalAccountNumber, path }) => `${oneCell(externalAccountNumber)}\t${oneCell(path)}\n`,
  tail: () => '',
}

const itemJson = ({ externalAccountNumber, platformAccountNumber, path }: MissingDocument): string =>
  JSON.stringify({
    external_account_number: externalAccountNumber,
    platform_account_number: platformAccountNumber ?? null,
    path,
  })

/** One JSON object a line. */
const ndjson: MissingFormat = { ...lines, item: (missing) => `${itemJson(missing)}\n` }

/** One JSON document, the items of its list one a line. */
const document: MissingFormat = {
  head: '{"missing":[',
  item: (missing, isFirst) => `${isFirst ? '' : ','}\n${itemJson(missing)}`,
  tail: ({ accounts, references }, failure) => {
    const rest = { accounts, references, ...(failure && { error: errorOf(failure) }) }
    return `\n],${JSON.stringify(rest).slice(1)}\n`
  },
}

const errorOf = ({ code, detail, errors = [] }: CommandError) => ({ code, detail, errors })

export const missingFormats = { lines, ndjson, document } as const

const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`

/** The outcome in words. */
export const missingSummary = ({ accounts, references, missing }: MissingTotals): string =>
  missing === 0
    ? `None of ${counted(references, 'document')} of ${counted(accounts, 'account')} is missing.`
    : `${missing} of ${counted(references, 'document')} of ${counted(accounts, 'account')} missing.`
