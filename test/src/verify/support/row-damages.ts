import { answer } from '../../support/answers.js'
import { keyRing } from './breaks-of.js'
import { copied, gone, inTable, keyless, type Damage } from './damage.js'

/** Tables whose rows are all staged: one is lost, one is there that was not staged. */
const stagedTables: readonly (readonly [table: string, where: Readonly<Record<string, unknown>>])[] = [
  ['customers', {}],
  ['supply_addresses', {}],
  ['supply_points', {}],
  ['agreements', { ordinal: 1 }],
  ['ledgers', {}],
  ['payment_schedules', { ordinal: 1 }],
  ['account_references', {}],
  ['account_metadata', {}],
]

const lost = (table: string, where: Readonly<Record<string, unknown>>): Damage => ({
  title: `a row of ${table} that is lost`,
  kinds: ['row_missing'],
  about: 'A-1',
  do: gone(table, where),
})

const orphans = [
  ...stagedTables.map(([table, where]) => [table, where] as const),
  ['transactions', { ordinal: 0, period: 'current' }] as const,
  ['statements', { ordinal: 0 }] as const,
  ['notes', { ordinal: 0 }] as const,
  ['payment_instructions', {}] as const,
]

/** As the row of an account holds it. */
const aDataKey = async (): Promise<string> => {
  const { keyId, wrapped } = await answer(keyRing.wrap(new Uint8Array(32)))
  return `${keyId}:${wrapped}`
}

/** Where something was encrypted that cannot be read any more. */
const encrypted: readonly Damage[] = [
  {
    title: 'what a row hides is not there',
    kinds: ['details_unreadable'],
    about: 'A-1',
    do: async (site) => {
      await inTable('accounts', {}, { data_key: await aDataKey() })(site)
      await inTable('customers', { ordinal: 0 }, { given_name: 'enc:' })(site)
    },
  },
  {
    title: 'a text in place of what rows hide',
    kinds: ['details_unreadable'],
    about: 'A-1',
    do: async (site) => {
      const { organisation, supplier, knex, numberOf } = site
      await inTable('accounts', {}, { data_key: await aDataKey() })(site)
      await knex('encrypted_details').insert({
        organisation,
        import_supplier: supplier,
        platform_account_number: numberOf('A-1'),
        ordinal: 0,
        content: 'enc:AQ==',
      })
    },
  },
]

/** In the rows of accounts. */
export const rowDamages: readonly Damage[] = [
  ...encrypted,
  ...stagedTables.map(([table, where]) => lost(table, where)),
  lost('transactions', { period: 'historical', ordinal: 0 }),
  lost('statements', { ordinal: 0 }),
  lost('notes', { ordinal: 0 }),
  ...stagedTables.map(([table, where]): Damage => ({
    title: `a row of ${table} that was not staged`,
    kinds: ['row_unexpected'],
    about: 'A-1',
    do: copied(table, where, { ordinal: 7 }),
  })),
  ...orphans.map(([table, where]): Damage => ({
    title: `a row of ${table} without its account`,
    kinds: ['row_without_account'],
    do: copied(table, where, { platform_account_number: 'NONE' }),
  })),
  {
    title: 'another family name than was staged',
    kinds: ['row_differs'],
    about: 'A-1',
    do: inTable('customers', {}, { family_name: 'Other' }),
  },
  {
    title: 'another sales channel than was staged',
    kinds: ['row_differs'],
    about: 'A-1',
    do: inTable('accounts', {}, { sales_channel: 'OTHER' }),
  },
  {
    title: 'another amount than was staged',
    kinds: ['amount_differs', 'sum_differs'],
    about: 'A-1',
    do: inTable('transactions', { period: 'historical', ordinal: 0 }, { amount: 39.64 }),
  },
  {
    title: 'another balance than was staged',
    kinds: ['amount_differs'],
    about: 'A-1',
    do: inTable('ledgers', {}, { ledger_balance: 6.51 }),
  },
  {
    title: 'a transaction that was staged and is lost',
    kinds: ['sum_differs', 'row_missing', 'ordinal_gap'],
    about: 'A-1',
    do: gone('transactions', { period: 'current', ordinal: 1 }),
  },
  {
    title: 'an added note that is lost',
    kinds: ['ordinal_gap'],
    about: 'A-1',
    do: gone('notes', { ordinal: 3 }),
  },
  {
    title: 'an added transaction that is lost',
    kinds: ['ordinal_gap'],
    about: 'A-1',
    do: gone('transactions', { period: 'current', ordinal: 3 }),
  },
  {
    title: 'a supply point without its address',
    kinds: ['row_without_parent'],
    about: 'A-1',
    do: gone('supply_addresses', {}),
  },
  {
    title: 'agreements without their supply point',
    kinds: ['row_without_parent'],
    about: 'A-1',
    do: gone('supply_points', {}),
  },
  {
    title: 'transactions without their ledger',
    kinds: ['row_without_parent'],
    about: 'A-1',
    do: gone('ledgers', {}),
  },
  {
    title: 'the second copy of a transaction without the first',
    kinds: ['copies_wrong'],
    about: 'A-1',
    do: inTable('transactions', { period: 'current', ordinal: 3 }, { copy: 1 }),
  },
  {
    title: 'an added note whose digest is that of another',
    kinds: ['note_digest_differs'],
    about: 'A-1',
    do: inTable('notes', { ordinal: 3 }, { body: 'Other.' }),
  },
  {
    title: 'an added transaction whose items are no JSON',
    kinds: ['row_unreadable'],
    about: 'A-1',
    do: inTable('transactions', { period: 'current', ordinal: 3 }, { line_items: '[{' }),
  },
  {
    title: 'two rows at one place, where a table has lost its keys',
    kinds: ['ordinal_twice', 'unique_key_missing'],
    about: 'A-1',
    do: async (site) => {
      await keyless(site.knex, 'notes')
      await copied('notes', { ordinal: 1 }, {})(site)
    },
  },
]
