import type { BreakKind } from '@account-import/adapter-sql'
import { createHash } from 'node:crypto'
import type { Opened } from '../../sql/support/databases.js'
import type { SetUp } from '../../support/set-up.js'
import { answer } from '../../support/answers.js'
import { keyRing } from './breaks-of.js'

/** The database that is damaged. */
type Site = SetUp & Readonly<{ knex: Opened['knex'] }>

type Values = Readonly<Record<string, unknown>>
type Work = (site: Site) => PromiseLike<unknown>

/** Changes rows of an account, of a table that has its key; the values may depend on the first row. */
const set =
  (table: string, where: Values, values: Values | ((row: Values) => Values)): Work =>
  async ({ knex }) => {
    const rows = knex(table).where(where)
    const row = (await rows.clone().first()) as Values
    return rows.update(typeof values === 'function' ? values(row) : values)
  }

const of = (external_account_number: string): Values => ({ external_account_number })

const inImport = (number: string, values: Values | ((row: Values) => Values)): Work =>
  set('account_imports', of(number), values)

/** Changes the text in a column of texts, or of bytes. */
const text =
  (column: string, change: (text: string) => string) =>
  ({ [column]: stored }: Values): Values => {
    const changed = change(String(stored))
    return { [column]: Buffer.isBuffer(stored) ? Buffer.from(changed) : changed }
  }

const replaced = (column: string, from: string, to: string) => text(column, (each) => each.replace(from, to))

/** Deletes rows of an account. */
const gone =
  (table: string, number: string, where: Values = {}): Work =>
  ({ knex }) =>
    knex(table)
      .where({ ...of(number), ...where })
      .delete()

/** Inserts a changed copy of a row of A-1. */
const copied =
  (table: string, where: Values, changes: Values): Work =>
  async ({ knex }) => {
    const row = (await knex(table)
      .where({ ...of('A-1'), ...where })
      .first()) as Values
    return knex(table).insert({ ...row, ...changes })
  }

const all =
  (...works: readonly Work[]): Work =>
  async (site) => {
    for (const work of works) await work(site)
  }

/** The first addition of a kind to A-1. */
const first = (kind: string): Values => ({ kind, ordinal: 0 })

const inItem = (kind: string, values: Values | ((row: Values) => Values)): Work =>
  set('account_items', { ...of('A-1'), ...first(kind) }, values)

type Content = { ledger: unknown; body: unknown; statement_id: unknown; transaction: Record<string, unknown> }

/** Changes the content of an addition, which is JSON. */
const content = (change: (parsed: Content) => void) =>
  text('content', (stored) => {
    const parsed = JSON.parse(stored) as Content
    change(parsed)
    return JSON.stringify(parsed)
  })

const kinds = ['statement', 'note', 'transaction', 'payment_instruction'] as const

const longAgo = '2020-01-01 00:00:00.000'
const farAway = '2999-01-01 00:00:00.000'

/** The columns of an import whose account was erased. */
const erased = { payload: null, payload_removed_at: longAgo, erased_at: longAgo, account_created_at: longAgo }

/** The data key of a row, as its column holds it. */
const dataKey = async (): Promise<string> => {
  const { keyId, wrapped } = await answer(keyRing.wrap(new Uint8Array(32)))
  return `${keyId}:${wrapped}`
}

/** A damage: its title, the kinds of break that are expected and no others, their account, and the work that does it. */
export type Damage = readonly [
  title: string,
  kinds: readonly BreakKind[] | BreakKind,
  about: string | undefined,
  work: Work,
]

export const damages: readonly Damage[] = [
  ['an account without its import', 'reference_missing', 'A-1', gone('account_imports', 'A-1')],
  [
    'an account that is only staged again',
    ['columns_contradict', 'reference_missing'],
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
  ['an account of an earlier staging', 'columns_contradict', 'A-2', inImport('A-2', { created_version: 1 })],
  ...['created_version', 'created_format', 'operations_team', 'account_created_at'].map((column): Damage => [
    `a creation without its ${column}`,
    'columns_contradict',
    'A-2',
    inImport('A-2', { [column]: null }),
  ]),
  ['a format of a later release', 'columns_contradict', 'A-1', inImport('A-1', { created_format: 99 })],
  ['additions of no account', 'columns_contradict', 'S-1', inImport('S-1', { additions: 1 })],
  [
    'the run of no account',
    ['columns_contradict', 'reference_missing'],
    'S-1',
    inImport('S-1', { created_in_run: 'r-none' }),
  ],
  ['an unknown run', 'reference_missing', 'S-1', inImport('S-1', { import_run: 'r-none' })],
  ['additions without a count', 'count_differs', 'A-1', inImport('A-1', { additions: 0 })],
  ['more additions than items', 'count_differs', 'A-2', inImport('A-2', { additions: 1 })],
  ['the rest of a whole account', 'columns_contradict', 'A-2', inImport('A-2', { remains: '{}' })],
  ['an erased account without a rest', 'columns_contradict', 'A-2', inImport('A-2', erased)],
  ['a rest that is not JSON', 'columns_contradict', 'A-2', inImport('A-2', { ...erased, remains: '{"cut' })],
  ['items of an erased account', 'count_differs', 'A-1', inImport('A-1', { ...erased, remains: '{}' })],
  [
    'a judgement of nothing',
    'columns_contradict',
    'K-1',
    inImport('K-1', { staged_version: 0, first_staged_at: null, staged_at: null, payload: null }),
  ],
  ['a created import counted as staged', 'columns_contradict', 'A-1', inImport('A-1', { state: 'staged' })],
  ['a skipped import counted as staged', 'columns_contradict', 'K-1', inImport('K-1', { state: 'staged' })],
  ['a created import that is skipped', 'columns_contradict', 'A-1', inImport('A-1', { skipped: 1 })],
  ...['S-1', 'A-1'].flatMap((number): readonly Damage[] => [
    [`no data of ${number}`, 'columns_contradict', number, inImport(number, { payload: null })],
    [
      `another family name in ${number}`,
      'payload_differs',
      number,
      inImport(number, replaced('payload', 'family_name":"', 'family_name":"Other')),
    ],
    [
      `data of ${number} that was cut off`,
      'payload_differs',
      number,
      inImport(
        number,
        text('payload', (each) => each.slice(0, 200)),
      ),
    ],
  ]),
  ['data that was never staged', 'columns_contradict', 'S-1', inImport('S-1', { staged_version: 0 })],
  ['data without its hash', 'payload_differs', 'S-1', inImport('S-1', { payload_hash: null })],
  [
    'data of another account, with its hash',
    'payload_differs',
    'S-1',
    inImport('S-1', ({ payload }) => {
      const other = String(payload).replace('"S-1"', '"S-2"')
      const payload_hash = createHash('sha256').update(other).digest('hex')
      return { payload: Buffer.isBuffer(payload) ? Buffer.from(other) : other, payload_hash }
    }),
  ],
  [
    'a text in place of encrypted data',
    'payload_differs',
    'A-1',
    async (site) => inImport('A-1', { payload: 'enc:AQ==', data_key: await dataKey() })(site),
  ],
  ['encrypted data without a data key', 'payload_differs', 'A-1', inImport('A-1', { payload: 'enc:AQ==' })],
  [
    'a data key that its key did not wrap',
    'payload_differs',
    'A-1',
    async (site) => inImport('A-1', { data_key: (await dataKey()).replace(/:.*/, ':AQ==') })(site),
  ],
  ['a claim that never ends', 'columns_contradict', 'C-1', inImport('C-1', { claim_expires_at: farAway })],
  ['a claim without an end', 'columns_contradict', 'C-1', inImport('C-1', { claim_expires_at: null })],
  [
    'a claim on an account that exists',
    'columns_contradict',
    'A-1',
    inImport('A-1', { claim_token: 'x', claim_expires_at: longAgo }),
  ],
  ['a failure without its time', 'columns_contradict', 'F-1', inImport('F-1', { latest_failure_at: null })],
  [
    'a slot that is taken without end',
    'columns_contradict',
    undefined,
    ({ knex }) => knex('processing_slots').where('slot', 0).update({ expires_at: farAway }),
  ],
  [
    'an e-mail that waits and is never due',
    'columns_contradict',
    'A-1',
    set('customer_emails', of('A-1'), { due_at: null }),
  ],
  [
    'an e-mail in an unknown state',
    'columns_contradict',
    'A-1',
    set('customer_emails', of('A-1'), { state: 'lost' }),
  ],
  [
    'an e-mail of no account',
    'reference_missing',
    'NONE',
    copied('customer_emails', {}, { external_account_number: 'NONE', id: 'none' }),
  ],
  [
    'an e-mail about another number',
    'reference_missing',
    'A-1',
    set('customer_emails', of('A-1'), { platform_account_number: 'OTHER' }),
  ],
  ...kinds.flatMap((kind): readonly Damage[] => [
    [
      `a ${kind} of no account`,
      'reference_missing',
      'NONE',
      copied('account_items', first(kind), { external_account_number: 'NONE' }),
    ],
    [
      `a ${kind} that is no JSON`,
      'addition_differs',
      'A-1',
      inItem(
        kind,
        text('content', (each) => each.slice(0, 20)),
      ),
    ],
  ]),
  // The payment instruction is the only one of its kind: the last of a kind is found by the count, if it was the last of all.
  ...(['statement', 'note', 'transaction'] as const).map((kind): Damage => [
    `a lost ${kind}`,
    'addition_differs',
    'A-1',
    gone('account_items', 'A-1', first(kind)),
  ]),
  ['all additions are lost', 'count_differs', 'A-1', gone('account_items', 'A-1')],
  ...[7, 'none'].map((ledger): Damage => [
    `a transaction of the ledger ${ledger}`,
    'addition_differs',
    'A-1',
    inItem(
      'transaction',
      content((each) => (each.ledger = ledger)),
    ),
  ]),
  ['a second copy without the first', 'addition_differs', 'A-1', inItem('transaction', { copy: 1 })],
  [
    'a transaction that the payload has',
    'addition_differs',
    'A-1',
    all(
      inItem('transaction', { identity: 'LEV-G-T-0004' }),
      inItem(
        'transaction',
        content((each) => (each.transaction['transaction_id'] = 'LEV-G-T-0004')),
      ),
    ),
  ],
  [
    'a statement that the payload has',
    'addition_differs',
    'A-1',
    all(
      inItem('statement', { identity: 'LEV-G-F-2025-02' }),
      inItem(
        'statement',
        content((each) => (each.statement_id = 'LEV-G-F-2025-02')),
      ),
    ),
  ],
  [
    'another note',
    'addition_differs',
    'A-1',
    inItem(
      'note',
      content((each) => (each.body = 'Other.')),
    ),
  ],
  ['a note under another identity', 'addition_differs', 'A-1', inItem('note', { identity: 'other' })],
  ...['much', 7.5].map((amount): Damage => [
    `an amount that is ${amount}`,
    'addition_differs',
    'A-1',
    inItem(
      'transaction',
      content((each) => (each.transaction['amount'] = amount)),
    ),
  ]),
  [
    'a supplier that is no longer registered',
    'reference_missing',
    undefined,
    ({ knex }) => knex('import_suppliers').delete(),
  ],
  [
    'an organisation that is no longer registered',
    'reference_missing',
    undefined,
    ({ knex }) => knex('organisations').delete(),
  ],
  [
    'a team that is no longer registered',
    'reference_missing',
    'A-2',
    inImport('A-2', { operations_team: 'nobody' }),
  ],
  [
    'a note of an unknown supplier',
    'reference_missing',
    'A-1',
    copied('account_items', first('note'), { import_supplier: 'NOBODY' }),
  ],
  [
    'a finished run whose account is lost with all its rows',
    'count_differs',
    undefined,
    ({ knex, organisation, supplier }) =>
      knex('import_runs').insert({
        id: 'r-1',
        organisation,
        import_supplier: supplier,
        started_by: 'key 1',
        started_at: longAgo,
        latest_request_at: longAgo,
        latest_progress_at: longAgo,
        finished_at: longAgo,
        created_accounts: 2,
        undone_accounts: 1,
      }),
  ],
]
