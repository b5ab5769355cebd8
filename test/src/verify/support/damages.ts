import type { BreakKind } from '@account-import/adapter-sql'
import { answer } from '../../support/answers.js'
import { keyRing } from './breaks-of.js'
import { copied, gone, inImport, inTable, keyless, notUnique, type Damage, type Site } from './damage.js'

const longAgo = '2020-01-01 00:00:00.000'
const farAway = '2099-01-01 00:00:00.000'

/** The damage, the expected kinds of break, and the place that they name: an external number, or nothing where there is none. */
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
      await keyless(site.knex, 'accounts')
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

/** Changes the details of A-1 by an expression of SQL. */
const inDetails =
  (expression: string): Damage['do'] =>
  (site) =>
    inTable('accounts', {}, { details: site.knex.raw(expression) })(site)

const lists = ['customers', 'supply_addresses', 'ledgers', 'payment_schedules', 'references', 'metadata']

/** Items of A-1. */
const ofKind = (kind: string, ordinal: number) => ({ kind, ordinal })
const currentTransaction = ofKind('transaction', 1)
const historicalTransaction = ofKind('transaction', 3)
const addedNote = ofKind('note', 3)

/** The item of A-1 that was added last. */
const lastTransaction = async ({ knex }: Site) => {
  const last = (await knex('account_items')
    .where({ external_account_number: 'A-1', kind: 'transaction' })
    .max({ ordinal: 'ordinal' })
    .first()) as Readonly<{ ordinal: number }>
  return ofKind('transaction', Number(last.ordinal))
}

/** Changes the content of an item of A-1 by an expression of SQL. */
const inContent =
  (where: Readonly<Record<string, unknown>>, expression: string): Damage['do'] =>
  (site) =>
    inTable('account_items', where, { content: site.knex.raw(expression) })(site)

/** Gives the account A-1 a data key, as its row holds it. */
const encrypt = async (site: Site): Promise<void> => {
  const { keyId, wrapped } = await answer(keyRing.wrap(new Uint8Array(32)))
  await inTable('accounts', {}, { data_key: `${keyId}:${wrapped}` })(site)
}

const inRows: readonly Row[] = [
  [
    'a text in place of encrypted details',
    'details_unreadable',
    'A-1',
    async (site) => {
      await encrypt(site)
      await inTable('accounts', {}, { details: 'enc:AQ==' })(site)
    },
  ],
  [
    'encrypted details without a data key',
    'details_unreadable',
    'A-1',
    inTable('accounts', {}, { details: 'enc:AQ==' }),
  ],
  ['details that are cut off', 'details_unreadable', 'A-1', inDetails('SUBSTR(details, 1, 100)')],
  ...lists.map((list): Row => [
    `a member of ${list} that is lost`,
    'document_differs',
    'A-1',
    inDetails(`JSON_REMOVE(details, '$.${list}[0]')`),
  ]),
  [
    'another family name',
    'document_differs',
    'A-1',
    inDetails("JSON_SET(details, '$.customers[0].family_name', 'Other')"),
  ],
  [
    'another sales channel',
    'document_differs',
    'A-1',
    inDetails("JSON_SET(details, '$.sales_channel', 'OTHER')"),
  ],
  [
    'another balance',
    'document_differs',
    'A-1',
    inDetails("JSON_SET(details, '$.ledgers[0].ledger_balance', '6.51')"),
  ],
  [
    'an amount that became a number',
    'document_differs',
    'A-1',
    inDetails("JSON_SET(details, '$.ledgers[0].ledger_balance', 6.5)"),
  ],
  ...(['statement', 'note', 'transaction'] as const).map((kind): Row => [
    `a ${kind} that was staged and is lost`,
    ['item_missing', 'ordinal_gap'],
    'A-1',
    gone('account_items', ofKind(kind, 0)),
  ]),
  [
    'a transaction that was staged and is lost',
    ['sum_differs', 'item_missing', 'ordinal_gap'],
    'A-1',
    gone('account_items', currentTransaction),
  ],
  [
    'all transactions are lost',
    ['sum_differs', 'item_missing'],
    'A-1',
    gone('account_items', { kind: 'transaction' }),
  ],
  ...(['statement', 'note', 'transaction', 'payment_instruction'] as const).map((kind): Row => [
    `a ${kind} without its account`,
    'item_without_account',
    undefined,
    copied('account_items', ofKind(kind, 0), { external_account_number: 'NONE' }),
  ]),
  [
    'another amount than was staged',
    ['item_differs', 'sum_differs'],
    'A-1',
    inContent(historicalTransaction, "JSON_SET(content, '$.transaction.amount', '39.64')"),
  ],
  [
    'another body than was staged',
    'item_differs',
    'A-1',
    inContent(ofKind('note', 0), "JSON_SET(content, '$.body', 'Other.')"),
  ],
  [
    'content that was staged and is cut off',
    'item_unreadable',
    'A-1',
    inContent(ofKind('statement', 0), 'SUBSTR(content, 1, 20)'),
  ],
  [
    'an added transaction among those that were billed',
    'item_unexpected',
    'A-1',
    async (site) =>
      inContent(await lastTransaction(site), "JSON_SET(content, '$.period', 'historical')")(site),
  ],
  [
    'an added transaction of a ledger that there is not',
    'item_unexpected',
    'A-1',
    async (site) => inContent(await lastTransaction(site), "JSON_SET(content, '$.ledger', 7)")(site),
  ],
  ['an added note that is lost', 'ordinal_gap', 'A-1', gone('account_items', addedNote)],
  [
    'the second copy of a transaction without the first',
    'copies_wrong',
    'A-1',
    async (site) => inTable('account_items', await lastTransaction(site), { copy: 1 })(site),
  ],
  [
    'an added note whose identity is that of another',
    'identity_differs',
    'A-1',
    inContent(addedNote, "JSON_SET(content, '$.body', 'Other.')"),
  ],
  [
    'a note that was staged under another identity',
    'identity_differs',
    'A-1',
    inTable('account_items', ofKind('note', 0), { identity: 'other' }),
  ],
  [
    'an added transaction that is no JSON',
    'item_unreadable',
    'A-1',
    async (site) => inContent(await lastTransaction(site), 'SUBSTR(content, 1, 20)')(site),
  ],
  [
    'an amount that is no number',
    ['item_unreadable', 'sum_differs'],
    'A-1',
    inContent(currentTransaction, "JSON_SET(content, '$.transaction.amount', 'much')"),
  ],
  [
    'two rows at one place, where a table has lost its keys',
    ['ordinal_twice', 'unique_key_missing'],
    'A-1',
    async (site) => {
      await keyless(site.knex, 'account_items')
      await copied('account_items', ofKind('note', 1), {})(site)
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
    ['supplier_unknown', 'item_without_account'],
    undefined,
    copied('account_items', ofKind('note', 0), { import_supplier: 'NOBODY' }),
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
