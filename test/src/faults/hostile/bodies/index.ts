import { crowds } from './crowds.js'
import { bodyLimit, shuffled, times } from './make.js'
import { shapes } from './shapes.js'
import { texts } from './texts.js'

/** Accounts without customers are marked so, so that only the tested fields can be wrong. */
const textOf = (fields: object): string =>
  JSON.stringify({
    import_supplier: 'LEVANTE',
    external_account_number: 'A-1',
    ...('customers' in fields ? {} : { unknown_occupier: true }),
    ...fields,
  })

/** A text between two others, repeated until the body is full. */
const repeated = (before: string, part: (index: number) => string, after: string): string => {
  const length = Math.floor((bodyLimit - before.length - after.length) / part(1_000_000).length)
  return before + times(length, part).join('') + after
}

/** JSON that objects cannot express: repeated keys, and numbers in their spelling. */
const written: Readonly<Record<string, () => string>> = {
  'one key over and over': () => repeated('{', () => '"a":1,', '"a":1}'),
  'two known keys in turns': () => repeated('{', () => '"notes":[],"ledgers":[],', '"a":1}'),
  'numbered keys in no order': () => repeated('{', (index) => `"${shuffled(index)}":1,`, '"a":1}'),
  'numbers of many digits': () =>
    repeated('{"metadata":[{"key":"k","value":{"a":[', () => '1e400,', '1]}}]}'),
  'a number of five million digits': () => repeated('{"ledgers":[{"ledger_balance":', () => '9', '}]}'),
  'a fraction of five million digits': () => repeated('{"ledgers":[{"ledger_balance":0.', () => '1', '}]}'),
  escapes: () => repeated('{"billing_name":"', () => '\\u00e9', '"}'),
}

/** The JSON of accounts of up to 5 MiB that are made to be slow, by the kind of attack. */
export const hostileBodies: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(
    Object.entries({ ...crowds, ...texts, ...shapes }).map(([name, make]) => [name, () => textOf(make())]),
  ),
  ...written,
}
