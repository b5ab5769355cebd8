import type { BreakKind } from '@account-import/adapter-sql'
import { answer } from '../../support/answers.js'
import { keyRing } from './breaks-of.js'
import { copied, gone, inImport, inTable, keyless, notUnique, type Damage, type Site } from './damage.js'

const importKey = ['organisation', 'import_supplier', 'external_account_number']
const longAgo = '2020-01-01 00:00:00.000'
const farAway = '2099-01-01 00:00:00.000'

/** What is done, the kinds of break that have to be told, and what they name: an external number, or nothing where there is none. */
type Row = readonly [
  title: string,
  kinds: BreakKind | readonly BreakKind[],
  about: string | undefined,
  work: Damage['do'],
]

/** Changes the staged data of an import by an expression of SQL. */
const inPayload =
  (external: string, expression: string): Damage['do'] =>
  (site) =>
    inImport(external, { payload: site.knex.raw(expression) })(site)

const inImports: readonly Row[] = [
  [
    'two accounts for one import',
    ['several_accounts', 'unique_key_missing'],
    'A-1',
    async (site) => {
      await notUnique(site.knex, 'accounts', 'accounts_by_import', importKey)
      await copied('accounts', {}, { platform_account_number: 'TWICE' })(site)
    },
  ],
  [
    'one number for two accounts',
    ['platform_number_twice', 'unique_key_missing'],
    undefined,
    async (site) => {
      await notUnique(site.knex, 'accounts', 'accounts_by_number', ['platform_account_number'])
      await copied('accounts', {}, { organisation: 'OTHER' })(site)
    },
  ],
  ['a completed import without its account', 'completed_without_account', 'A-1', gone('accounts', {})],
  [
    'an account without its import',
    'account_without_import',
    'A-1',
    ({ knex }) => knex('account_imports').where('external_account_number', 'A-1').delete(),
  ],
  [
    'an account whose import is not completed',
    'account_of_unfinished_import',
    'A-1',
    inImport('A-1', {
      state: 'staged',
      platform_account_number: null,
      account_created_at: null,
      created_version: null,
    }),
  ],
  [
    'an import that names another number than its account has',
    'account_number_differs',
    'A-1',
    inImport('A-1', { platform_account_number: 'OTHER' }),
  ],
  [
    'an import that was created at another time than its account',
    'creation_differs',
    'A-1',
    inImport('A-1', { account_created_at: longAgo }),
  ],
  [
    'an account created from another version than was staged last',
    'creation_differs',
    'A-2',
    inImport('A-2', { created_version: 1 }),
  ],
  ['half of a creation', 'creation_incomplete', 'A-1', inImport('A-1', { created_version: null })],
  ['a created import counted as staged', 'import_state_wrong', 'A-1', inImport('A-1', { state: 'staged' })],
  ['a skipped import counted as staged', 'import_state_wrong', 'K-1', inImport('K-1', { state: 'staged' })],
  ['a created import marked to be skipped', 'import_state_wrong', 'A-1', inImport('A-1', { skipped: 1 })],
  ['staged data that is gone', 'staged_data_missing', 'S-1', inImport('S-1', { payload: null })],
  [
    'data of a created account that is gone',
    'staged_data_missing',
    'A-1',
    inImport('A-1', { payload: null }),
  ],
  ['data that was never staged', 'staged_data_unexpected', 'S-1', inImport('S-1', { staged_version: 0 })],
  ...['S-1', 'A-1'].map((external): Row => [
    `staged data of ${external} that was cut off`,
    'staged_data_unreadable',
    external,
    inPayload(external, 'SUBSTR(payload, 1, 200)'),
  ]),
  [
    'staged data that is JSON and no account',
    'staged_data_unreadable',
    'S-1',
    (site) => {
      const named = { import_supplier: site.supplier, external_account_number: 'S-1' }
      return inImport('S-1', { payload: JSON.stringify({ ...named, supply_addresses: 'none' }) })(site)
    },
  ],
  [
    'staged data of another account',
    'staged_data_of_another',
    'S-1',
    inPayload('S-1', "REPLACE(payload, 'S-1', 'S-2')"),
  ],
  ['a claim that ended long ago', 'claim_abandoned', 'C-1', inImport('C-1', { claim_expires_at: longAgo })],
  ['a claim that never ends', 'claim_never_ends', 'C-1', inImport('C-1', { claim_expires_at: farAway })],
  ['a claim without an end', 'claim_incomplete', 'C-1', inImport('C-1', { claim_expires_at: null })],
  [
    'a claim on an account that exists',
    'claim_misplaced',
    'A-1',
    inImport('A-1', { claim_token: 'x', claim_expires_at: longAgo }),
  ],
  ['a failure without its time', 'failure_incomplete', 'F-1', inImport('F-1', { latest_failure_at: null })],
  [
    'a slot that is taken without end',
    'slot_never_ends',
    undefined,
    ({ knex }) => knex('processing_slots').where('slot', 0).update({ expires_at: farAway }),
  ],
]

const inEmail = (values: Readonly<Record<string, unknown>>) => inTable('customer_emails', {}, values)

const inEmails: readonly Row[] = [
  [
    'an e-mail without its account',
    ['email_without_account', 'completed_without_account'],
    'A-1',
    gone('accounts', {}),
  ],
  [
    'an e-mail of an account that was never there',
    'email_without_account',
    'NONE',
    copied('customer_emails', {}, { external_account_number: 'NONE', id: 'none' }),
  ],
  [
    'an e-mail about another number',
    'email_number_differs',
    'A-1',
    inEmail({ platform_account_number: 'OTHER' }),
  ],
  ['an e-mail that waits and is never due', 'email_state_wrong', 'A-1', inEmail({ due_at: null })],
  ['an e-mail in a state that there is not', 'email_state_wrong', 'A-1', inEmail({ state: 'lost' })],
]

type Where = Readonly<Record<string, unknown>>

/** Tables whose rows are all staged: one is lost, one is there that was not staged. */
const stagedTables: readonly (readonly [table: string, where: Where])[] = [
  ['customers', {}],
  ['supply_addresses', {}],
  ['supply_points', {}],
  ['agreements', { ordinal: 1 }],
  ['ledgers', {}],
  ['payment_schedules', { ordinal: 1 }],
  ['account_references', {}],
  ['account_metadata', {}],
]

const lost = ([table, where]: readonly [table: string, where: Where]): Row => [
  `a row of ${table} that is lost`,
  'row_missing',
  'A-1',
  gone(table, where),
]

const orphans: typeof stagedTables = [
  ...stagedTables,
  ['transactions', { ordinal: 0, period: 'current' }],
  ['statements', { ordinal: 0 }],
  ['notes', { ordinal: 0 }],
  ['payment_instructions', {}],
]

/** Gives the account A-1 a data key, as its row holds it. */
const encrypt = async (site: Site): Promise<void> => {
  const { keyId, wrapped } = await answer(keyRing.wrap(new Uint8Array(32)))
  await inTable('accounts', {}, { data_key: `${keyId}:${wrapped}` })(site)
}

const historical = { period: 'historical', ordinal: 0 }
const addedTransaction = { period: 'current', ordinal: 3 }

const inRows: readonly Row[] = [
  [
    'what a row hides is not there',
    'details_unreadable',
    'A-1',
    async (site) => {
      await encrypt(site)
      await inTable('customers', { ordinal: 0 }, { given_name: 'enc:' })(site)
    },
  ],
  [
    'a text in place of what rows hide',
    'details_unreadable',
    'A-1',
    async (site) => {
      await encrypt(site)
      await site.knex('encrypted_details').insert({
        organisation: site.organisation,
        import_supplier: site.supplier,
        platform_account_number: site.numberOf('A-1'),
        ordinal: 0,
        content: 'enc:AQ==',
      })
    },
  ],
  ...stagedTables.map(lost),
  lost(['transactions', historical]),
  lost(['statements', { ordinal: 0 }]),
  lost(['notes', { ordinal: 0 }]),
  ...stagedTables.map(([table, where]): Row => [
    `a row of ${table} that was not staged`,
    'row_unexpected',
    'A-1',
    copied(table, where, { ordinal: 7 }),
  ]),
  ...orphans.map(([table, where]): Row => [
    `a row of ${table} without its account`,
    'row_without_account',
    undefined,
    copied(table, where, { platform_account_number: 'NONE' }),
  ]),
  ['another family name', 'row_differs', 'A-1', inTable('customers', {}, { family_name: 'Other' })],
  ['another sales channel', 'row_differs', 'A-1', inTable('accounts', {}, { sales_channel: 'OTHER' })],
  [
    'another amount than was staged',
    ['amount_differs', 'sum_differs'],
    'A-1',
    inTable('transactions', historical, { amount: 39.64 }),
  ],
  ['another balance', 'amount_differs', 'A-1', inTable('ledgers', {}, { ledger_balance: 6.51 })],
  [
    'a transaction that was staged and is lost',
    ['sum_differs', 'row_missing', 'ordinal_gap'],
    'A-1',
    gone('transactions', { period: 'current', ordinal: 1 }),
  ],
  ['an added note that is lost', 'ordinal_gap', 'A-1', gone('notes', { ordinal: 3 })],
  ['an added transaction that is lost', 'ordinal_gap', 'A-1', gone('transactions', addedTransaction)],
  ['a supply point without its address', 'row_without_parent', 'A-1', gone('supply_addresses', {})],
  ['agreements without their supply point', 'row_without_parent', 'A-1', gone('supply_points', {})],
  ['transactions without their ledger', 'row_without_parent', 'A-1', gone('ledgers', {})],
  [
    'the second copy of a transaction without the first',
    'copies_wrong',
    'A-1',
    inTable('transactions', addedTransaction, { copy: 1 }),
  ],
  [
    'an added note whose digest is that of another',
    'note_digest_differs',
    'A-1',
    inTable('notes', { ordinal: 3 }, { body: 'Other.' }),
  ],
  [
    'an added transaction whose items are no JSON',
    'row_unreadable',
    'A-1',
    inTable('transactions', addedTransaction, { line_items: '[{' }),
  ],
  [
    'two rows at one place, where a table has lost its keys',
    ['ordinal_twice', 'unique_key_missing'],
    'A-1',
    async (site) => {
      await keyless(site.knex, 'notes')
      await copied('notes', { ordinal: 1 }, {})(site)
    },
  ],
]

const inRegisters: readonly Row[] = [
  [
    'a supplier that is not registered any more',
    'supplier_unknown',
    undefined,
    ({ knex }) => knex('import_suppliers').delete(),
  ],
  [
    'an organisation that is not registered any more',
    'organisation_unknown',
    undefined,
    ({ knex }) => knex('organisations').delete(),
  ],
  [
    'an operations team that is not registered any more',
    'team_unknown',
    'A-1',
    ({ knex }) => knex('operations_teams').delete(),
  ],
  [
    'rows of a supplier that nobody knows',
    ['supplier_unknown', 'row_without_account'],
    undefined,
    copied('notes', { ordinal: 0 }, { import_supplier: 'NOBODY' }),
  ],
]

/** Each kind of break at least once. */
export const damages: readonly Damage[] = [...inImports, ...inEmails, ...inRows, ...inRegisters].map(
  ([title, kinds, about, work]) => ({
    title,
    kinds: typeof kinds === 'string' ? [kinds] : kinds,
    about,
    do: work,
  }),
)
