import { readFileSync } from 'node:fs'
import type { AccountPayload } from '@account-import/core'
import { placeholder } from './stamp.js'

const samples = new URL('../../../examples/samples/', import.meta.url)

/** Whatever names the account or a part of it gets the number of the account. */
const stamped = (text: string): string =>
  text
    .replaceAll(/LEV-([GE])-\d{6}/g, `LEV-$1-${placeholder}`)
    .replaceAll(/LEV-([GE])-([TF])-/g, `LEV-$1-${placeholder}-$2-`)
    .replaceAll(/"C-\d{6}"/g, `"C-${placeholder}"`)
    .replaceAll(/((?:DD|CARD|REF)-\d{4}-\d{2}-)\d{6}/g, `$1${placeholder}`)
    .replaceAll('@example.', `.${placeholder}@example.`)

/** The same entries some years earlier, so that an account has the history of a customer of long standing. */
const earlier = <Entry>(entries: readonly Entry[] | undefined, years: readonly number[]): readonly Entry[] =>
  years.flatMap(
    (year) => JSON.parse(JSON.stringify(entries ?? []).replaceAll('2025-', `${year}-`)) as Entry[],
  )

/** Ids that end in their place in the list, so that the entries of earlier years have ids of their own. */
const numbered = <Entry extends Readonly<Record<Id, string>>, Id extends 'transaction_id' | 'statement_id'>(
  entries: readonly Entry[],
  id: Id,
): readonly Entry[] => entries.map((entry, place) => ({ ...entry, [id]: `${entry[id]}-${place}` }))

const withHistory = (account: AccountPayload, years: readonly number[]): AccountPayload => {
  const statements = account.statements ?? []
  return {
    ...account,
    statements: numbered([...earlier(statements, years), ...statements], 'statement_id'),
    ledgers: (account.ledgers ?? []).map((ledger) => {
      const transactions = ledger.historical_statement_transactions ?? []
      const all = [...earlier(transactions, years), ...transactions]
      return { ...ledger, historical_statement_transactions: numbered(all, 'transaction_id') }
    }),
  }
}

const read = (name: string, years: readonly number[]): string => {
  const text = readFileSync(new URL(name, samples), 'utf8')
  return stamped(JSON.stringify(withHistory(JSON.parse(text) as AccountPayload, years)))
}

/** The two kinds of account, about 8 KB each, with `placeholder` wherever the number of the account goes. */
export const samplePayloads = (): readonly string[] => [
  read('gas-account.json', [2023, 2024]),
  read('electricity-account.json', [2023, 2024]),
]
