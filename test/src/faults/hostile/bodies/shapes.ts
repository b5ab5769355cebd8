import {
  documents,
  freely,
  inAddresses,
  inCustomers,
  inTransactions,
  keyed,
  ledgers,
  list,
  lists,
  metadata,
  shuffled,
  supply,
  times,
  transaction,
} from './make.js'

/** A value this number of levels down, in lists. */
const deep = (levels: number, value: unknown): unknown => (levels === 0 ? value : [deep(levels - 1, value)])

const special = (text: string) => (): unknown => JSON.parse(text)

/** Unexpected shapes. */
export const shapes: Readonly<Record<string, () => object>> = {
  'a million nulls': () => inAddresses(() => null),
  'one list of a million items': () => ({ notes: times(1_700_000, () => ({})) }),
  'a list of nothing': () => ({ notes: list(() => ({})) }),
  'ten errors and warnings in each of 10 000 items': () => ({
    customers: list(() => ({ given_name: null, email: '@', mobile: 'x', user_details: {}, x: 1, y: 1 })),
  }),
  'unknown keys in falling order': () => keyed((index) => `k${900_000 - index}`),
  'unknown keys in rising order': () => keyed((index) => `k${100_000 + index}`),
  'unknown keys in no order': () => keyed((index) => `k${shuffled(index)}`),
  'unknown keys in blocks, each before the last': () =>
    keyed((index) => `${900 - Math.floor(index / 10_000)}${shuffled(index)}k`),
  'unknown keys that are numbers': () => keyed((index) => String(900_000 - index)),
  'unknown keys that are large numbers': () => keyed((index) => String(shuffled(index))),
  'unknown keys of one letter': () => ({
    customers: list(() => Object.fromEntries(times(26, (at) => [String.fromCharCode(0x61 + at), 1]))),
  }),
  'unknown keys of 64 characters': () => keyed((index) => `${'k'.repeat(58)}${900_000 - index}`),
  'keys that cannot be shown': () => keyed((index) => `k ${index}`),
  'keys that cannot be shown, and are long': () => keyed((index) => `é${'k'.repeat(100)}${index}`),
  'objects of their own shape': () => ({
    customers: list((index) => Object.fromEntries(times(20, (at) => [`k${index * 20 + at}`, 1]))),
  }),
  'known keys in the wrong order': () =>
    ledgers(
      lists((index) =>
        Object.fromEntries(Object.entries(transaction(index, { note: 'n', product_code: 'p' })).reverse()),
      ),
    ),
  'many keys below known ones': () => ({
    supply_addresses: [{ supply_address: keyed((index) => `k${index}`) }],
  }),
  'metadata of many keys': () => metadata([keyed((index) => `k${index}`)]),
  'metadata of many keys that are wrong': () => metadata([keyed((index) => `k${900_000 - index}`, '\0')]),
  'metadata of many wrong keys in no order': () => metadata([keyed((index) => `k${shuffled(index)}`, '\0')]),
  'metadata of many hidden keys that are wrong': () => metadata([keyed((index) => `k ${index}`, '\0')]),
  'metadata of many numbered keys that are wrong': () =>
    metadata([keyed((index) => String(shuffled(index)), '\0')]),
  '10 000 wide free objects': () =>
    metadata(list(() => Object.fromEntries(times(40, (at) => [`f${at}`, 1])))),
  'free objects of nothing': () => freely(() => ({})),
  'free lists of nothing': () => freely(() => []),
  'free objects of nothing at the deepest level': () =>
    metadata(lists(() => ({})).map((items) => ({ items: deep(25, items) }))),
  'free lists that are deep': () => freely(() => deep(26, 1)),
  'free objects that are deep': () =>
    freely(() => times(26, () => 0).reduce<unknown>((inner) => ({ a: inner }), '\0')),
  'free lists of lone surrogates': () => freely(() => '\ud800'),
  'special keys': () => ({
    metadata: list(
      special('{"key":"k","value":{"__proto__":{"a":1},"constructor":{"b":"\\u0000"},"toString":1}}'),
      0.5,
    ),
    references: list(special('{"__proto__":{"namespace":"n","value":"v"},"hasOwnProperty":1}'), 0.4),
  }),
  'customers that are lists': () => ({ customers: list(() => times(200, () => 1)) }),
  '100 lists of items that are wrong': () => ledgers(lists(() => null)),
  'empty transactions': () => ledgers(lists(() => ({}))),
  'empty supply points': () => inAddresses(() => ({})),
  'empty line items': () => inTransactions('line_items', () => ({})),
  'empty tax items': () => inTransactions('tax_items', () => ({})),
  'empty agreements': () => supply(lists(() => ({})).map((agreements) => ({ agreements }))),
  'empty document references': () => ({
    notes: lists(() => ({})).map((document_paths) => ({ document_paths })),
  }),
  'short documents': () => documents(() => 'a'),
  'credits without reason': () => ledgers(lists(() => ({ type: 'CREDIT' }))),
  'unknown fields in every item': () => ledgers(lists(() => ({ a: 1, b: 2 }))),
  'integers of contracted power': () =>
    supply([{ agreements: lists(() => 1).map((contractual_max_power) => ({ contractual_max_power })) }]),
  roles: () => inCustomers('account_roles', () => 'r'),
}
