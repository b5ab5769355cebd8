import type { BreakKind } from '@account-import/adapter-sql'
import { answer } from '../../support/answers.js'
import { keyRing } from './breaks-of.js'
import { copied, gone, inImport, inTable, keyless, notUnique, type Damage } from './damage.js'

const longAgo = '2020-01-01 00:00:00.000'
const farAway = '2099-01-01 00:00:00.000'

/** The damage, the expected kinds of break, and their place: an external number, or absent if there is none. */
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

/** The columns of an import whose account was erased. */
const erased = { payload: null, payload_removed_at: longAgo, erased_at: longAgo, account_created_at: longAgo }

const inImports: readonly Row[] = [
  [
    'two imports of one number',
    ['several_imports', 'unique_key_missing'],
    'A-1',
    async (site) => {
      await keyless(site.knex, 'account_imports')
      await copied('account_imports', {}, {})(site)
    },
  ],
  [
    'one number for two accounts',
    ['platform_number_twice', 'unique_key_missing'],
    undefined,
    async (site) => {
      await notUnique(site.knex, 'account_imports', 'account_imports_by_number', ['platform_account_number'])
      await copied('account_imports', {}, { organisation: 'OTHER' })(site)
    },
  ],
  [
    'an account without its import',
    ['item_without_account', 'email_without_account'],
    'A-1',
    gone('account_imports', {}),
  ],
  [
    'an account whose import counts a later staging',
    ['creation_incomplete', 'item_without_account', 'email_without_account'],
    'A-1',
    inImport('A-1', {
      state: 'staged',
      platform_account_number: null,
      account_created_at: null,
      created_version: null,
      created_format: null,
      operations_team: null,
    }),
  ],
  [
    'an account created from another version than the last staged one',
    'creation_differs',
    'A-2',
    inImport('A-2', { created_version: 1 }),
  ],
  ...['created_version', 'created_format', 'operations_team', 'account_created_at'].map((column): Row => [
    `a creation without its ${column}`,
    'creation_incomplete',
    'A-2',
    inImport('A-2', { [column]: null }),
  ]),
  [
    'additions of an account that does not exist',
    'creation_incomplete',
    'S-1',
    inImport('S-1', { additions: 1 }),
  ],
  [
    'the run of an account that does not exist',
    ['creation_incomplete', 'run_unknown'],
    'S-1',
    inImport('S-1', { created_in_run: 'r-none' }),
  ],
  ['an unknown run', 'run_unknown', 'S-1', inImport('S-1', { import_run: 'r-none' })],
  ['a format of a later release', 'format_unknown', 'A-1', inImport('A-1', { created_format: 99 })],
  ['additions without a count', 'additions_differ', 'A-1', inImport('A-1', { additions: 0 })],
  ['more additions than items', 'additions_differ', 'A-2', inImport('A-2', { additions: 1 })],
  [
    'the rest of an account that was not erased',
    'remains_unexpected',
    'A-2',
    inImport('A-2', { remains: '{}' }),
  ],
  ['an erased account without a rest', 'remains_missing', 'A-2', inImport('A-2', erased)],
  [
    'the rest of an account that is not JSON',
    'remains_unreadable',
    'A-2',
    inImport('A-2', { ...erased, remains: '{"cut' }),
  ],
  [
    'items of an account that was erased',
    'item_unexpected',
    'A-1',
    inImport('A-1', { ...erased, remains: '{}' }),
  ],
  [
    'a judgement of unknown rules',
    'judgement_unexpected',
    'K-1',
    inImport('K-1', { staged_version: 0, first_staged_at: null, staged_at: null, payload: null }),
  ],
  ['a created import counted as staged', 'import_state_wrong', 'A-1', inImport('A-1', { state: 'staged' })],
  ['a skipped import counted as staged', 'import_state_wrong', 'K-1', inImport('K-1', { state: 'staged' })],
  ['a created import marked to be skipped', 'import_state_wrong', 'A-1', inImport('A-1', { skipped: 1 })],
  ['missing staged data', 'staged_data_missing', 'S-1', inImport('S-1', { payload: null })],
  ['missing data of a created account', 'staged_data_missing', 'A-1', inImport('A-1', { payload: null })],
  ['data that was never staged', 'staged_data_unexpected', 'S-1', inImport('S-1', { staged_version: 0 })],
  ...['S-1', 'A-1'].map((external): Row => [
    `staged data of ${external} with another family name`,
    'staged_data_differs',
    external,
    inPayload(external, 'REPLACE(payload, \'family_name":"\', \'family_name":"Other\')'),
  ]),
  ['staged data without its hash', 'staged_data_differs', 'S-1', inImport('S-1', { payload_hash: null })],
  ...['S-1', 'A-1'].map((external): Row => [
    `staged data of ${external} that was cut off`,
    ['staged_data_unreadable', 'staged_data_differs'],
    external,
    inPayload(external, 'SUBSTR(payload, 1, 200)'),
  ]),
  [
    'staged data that is JSON and not an account',
    'staged_data_differs',
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
    'an e-mail of an account that never existed',
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
  ['an e-mail in an unknown state', 'email_state_wrong', 'A-1', inEmail({ state: 'lost' })],
]

/** Items of A-1. */
const ofKind = (kind: string, ordinal: number) => ({ kind, ordinal })
const firstNote = ofKind('note', 0)

const kinds = ['statement', 'note', 'transaction', 'payment_instruction'] as const

/** Changes the content of an item of A-1 by an expression of SQL. */
const inContent =
  (where: Readonly<Record<string, unknown>>, expression: string): Damage['do'] =>
  (site) =>
    inTable('account_items', where, { content: site.knex.raw(expression) })(site)

/** The data key of a row, as its column holds it. */
const dataKey = async (): Promise<string> => {
  const { keyId, wrapped } = await answer(keyRing.wrap(new Uint8Array(32)))
  return `${keyId}:${wrapped}`
}

const inRows: readonly Row[] = [
  [
    'a text in place of encrypted data',
    'staged_data_unreadable',
    'A-1',
    async (site) => inImport('A-1', { payload: 'enc:AQ==', data_key: await dataKey() })(site),
  ],
  [
    'encrypted data without a data key',
    'staged_data_unreadable',
    'A-1',
    inImport('A-1', { payload: 'enc:AQ==' }),
  ],
  [
    'a data key that its key did not wrap',
    'staged_data_unreadable',
    'A-1',
    async (site) => inImport('A-1', { data_key: (await dataKey()).replace(/:.*/, ':AQ==') })(site),
  ],
  ...kinds.map((kind): Row => [
    `a ${kind} without its account`,
    'item_without_account',
    undefined,
    copied('account_items', ofKind(kind, 0), { external_account_number: 'NONE' }),
  ]),
  ...(['statement', 'note', 'transaction'] as const).map((kind): Row => [
    `a ${kind} that was added and is lost`,
    'ordinal_gap',
    'A-1',
    gone('account_items', ofKind(kind, 0)),
  ]),
  ['all additions are missing', 'additions_differ', 'A-1', gone('account_items', {})],
  [
    'an added transaction of an unknown ledger',
    'item_unexpected',
    'A-1',
    inContent(ofKind('transaction', 0), "JSON_SET(content, '$.ledger', 7)"),
  ],
  [
    'the second copy of a transaction without the first',
    'copies_wrong',
    'A-1',
    inTable('account_items', ofKind('transaction', 0), { copy: 1 }),
  ],
  [
    'an added transaction that is a copy of one of the payload',
    'copies_wrong',
    'A-1',
    async (site) => {
      const identity = 'LEV-G-T-0004'
      await inTable('account_items', ofKind('transaction', 0), { identity })(site)
      await inContent(
        ofKind('transaction', 0),
        `JSON_SET(content, '$.transaction.transaction_id', '${identity}')`,
      )(site)
    },
  ],
  [
    'an added statement that the payload has',
    'item_repeated',
    'A-1',
    async (site) => {
      const identity = 'LEV-G-F-2025-02'
      await inTable('account_items', ofKind('statement', 0), { identity })(site)
      await inContent(ofKind('statement', 0), `JSON_SET(content, '$.statement_id', '${identity}')`)(site)
    },
  ],
  [
    'an added note whose identity is that of another',
    'identity_differs',
    'A-1',
    inContent(firstNote, "JSON_SET(content, '$.body', 'Other.')"),
  ],
  [
    'an added note under another identity',
    'identity_differs',
    'A-1',
    inTable('account_items', firstNote, { identity: 'other' }),
  ],
  ...kinds.map((kind): Row => [
    `an added ${kind} that is no JSON`,
    'item_unreadable',
    'A-1',
    inContent(ofKind(kind, 0), 'SUBSTR(content, 1, 20)'),
  ]),
  ...["'much'", '7.5'].map((amount): Row => [
    `an amount that is ${amount}`,
    'item_unreadable',
    'A-1',
    inContent(ofKind('transaction', 0), `JSON_SET(content, '$.transaction.amount', ${amount})`),
  ]),
  [
    'two rows at one place, in a table without its keys',
    ['ordinal_twice', 'unique_key_missing'],
    'A-1',
    async (site) => {
      await keyless(site.knex, 'account_items')
      await copied('account_items', firstNote, {})(site)
    },
  ],
]

const inRegisters: readonly Row[] = [
  [
    'a supplier that is no longer registered',
    'supplier_unknown',
    undefined,
    ({ knex }) => knex('import_suppliers').delete(),
  ],
  [
    'an organisation that is no longer registered',
    'organisation_unknown',
    undefined,
    ({ knex }) => knex('organisations').delete(),
  ],
  [
    'an operations team that is no longer registered',
    'team_unknown',
    'A-1',
    ({ knex }) => knex('operations_teams').delete(),
  ],
  [
    'rows of an unknown supplier',
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
