import * as t from 'io-ts'
import type { AccountFigures } from '@account-import/core'
import { numberText } from '../totals/numbers.js'
import type { Compared, Comparison, NumberList, ReadFile } from './compare.js'

const count = t.refinement(t.number, (value) => Number.isSafeInteger(value) && value >= 0, 'count')
const money = t.refinement(
  t.string,
  (text) => /^-?(?:0|[1-9]\d*)\.\d\d$/.test(text) && text !== '-0.00',
  'money',
)

const summed = t.exact(t.partial({ count, sum: money }))

/** Control totals of the old system, all optional. Money is a text with two decimals. */
export const controlTotals = t.exact(
  t.partial({
    accounts: count,
    statements: count,
    notes: count,
    supply_points: count,
    balances: t.record(t.string, summed),
    transactions: t.record(t.string, summed),
  }),
)
export type Controls = t.TypeOf<typeof controlTotals>

const named = (kind: string, wanted: Controls['balances'] = {}) =>
  Object.entries(wanted).flatMap(([name, { count: many, sum }]) => [
    ...(many === undefined ? [] : [[`${kind} ${name}, count`, String(many)] as const]),
    ...(sum === undefined ? [] : [[`${kind} ${name}, sum`, sum] as const]),
  ])

/** Every control total with the total of the created accounts; 0 where there are none. */
const checkedControls = (wanted: Controls, found: ReadonlyMap<string, string>) => {
  const expected = [
    ...(['accounts', 'statements', 'notes', 'supply_points'] as const).flatMap((name) =>
      wanted[name] === undefined ? [] : [[name.replace('_', ' '), String(wanted[name])] as const],
    ),
    ...named('balances', wanted.balances),
    ...named('transactions', wanted.transactions),
  ]
  return expected.map(([name, value]) => {
    const there = found.get(name) ?? (name.endsWith('sum') ? '0.00' : '0')
    return { name, expected: value, found: there, equal: there === value }
  })
}

/** A differing account with its differing paths; `paths` is absent beyond the limit of examined accounts. */
export type DifferentAccount = Readonly<{ number: string; paths?: readonly string[] }>

/** The supplier, files, user, time, version of the rules and service of a reconciliation. */
export type ProofRun = Readonly<{
  supplier: string
  files: readonly ReadFile[]
  by: string
  at: string
  version: string
  url: string
}>

type Three = Readonly<Record<'file' | 'staged' | 'created', AccountFigures>>

/** One figure of files, staged accounts and created accounts. `equal`: those of files and created accounts agree. */
const figure = (name: string, of: (figures: AccountFigures) => string, all: Three) => {
  const [file, staged, created] = [of(all.file), of(all.staged), of(all.created)]
  return { name, file, staged, created, equal: file === created }
}

const summedFigures = (kind: 'balances' | 'transactions', all: Three) => {
  const names = new Set(Object.values(all).flatMap((figures) => Object.keys(figures[kind])))
  return [...names]
    .sort()
    .flatMap((name) => [
      figure(`${kind} ${name}, count`, (figures) => String(figures[kind][name]?.count ?? 0), all),
      figure(`${kind} ${name}, sum`, (figures) => figures[kind][name]?.sum ?? '0.00', all),
    ])
}

/** The kinds of differences, with their sentence for one and for several. */
const differences = {
  different: ['1 account differs', 'accounts differ'],
  missing: ['1 account is missing', 'accounts are missing'],
  only_staged: ['1 account is only staged', 'accounts are only staged'],
  extra: ['1 account is in no file', 'accounts are in no file'],
  repeated: ['1 account is on several lines', 'accounts are on several lines'],
  invalid: ['1 line is invalid', 'lines are invalid'],
  excluded_created: ['1 excluded account is created', 'excluded accounts are created'],
  excluded_unknown: ['1 excluded account is in no file', 'excluded accounts are in no file'],
} as const satisfies Readonly<Record<string, readonly [one: string, many: string]>>

type Difference = keyof typeof differences

const reasonsOf = (faults: Readonly<Record<Difference, Readonly<{ count: number }>>>): readonly string[] =>
  Object.entries(differences).flatMap(([name, [one, many]]) => {
    const { count } = faults[name as Difference]
    return count === 0 ? [] : [count === 1 ? one : `${numberText(count)} ${many}`]
  })

const unequal = (
  rows: readonly Readonly<{ equal: boolean }>[],
  one: string,
  many: string,
): readonly string[] => {
  const count = rows.filter(({ equal }) => !equal).length
  return count === 0 ? [] : [count === 1 ? `1 ${one} differs` : `${numberText(count)} ${many} differ`]
}

/**
 * The proof: the outcome of a reconciliation in its JSON form. `proved`: there is no difference. `reasons`: the differences in
 * words; empty where it is proved.
 */
export const proofOf = (
  comparison: Comparison,
  compared: Compared,
  { supplier, files, ...run }: ProofRun,
  different: Readonly<{ count: number; named: readonly DifferentAccount[] }>,
  wanted: Controls,
) => {
  const all = comparison.figures()
  const {
    inFiles,
    inAnyLine,
    neverImported,
    created,
    equal,
    differing,
    withAdditions,
    grown: _,
    stagedOnly,
    corrected,
    excluded,
    excludedCreated,
    excludedUnknown,
    ...lists
  } = compared
  const figures = [
    ...summedFigures('balances', all),
    ...summedFigures('transactions', all),
    figure('statements', ({ statements }) => String(statements), all),
    figure('notes', ({ notes }) => String(notes), all),
    figure('supply points', ({ supplyPoints }) => String(supplyPoints), all),
  ]
  const controls = checkedControls(
    wanted,
    new Map([['accounts', String(created)], ...figures.map((each) => [each.name, each.created] as const)]),
  )
  const faults = {
    ...lists,
    only_staged: stagedOnly,
    different,
    excluded_created: excludedCreated,
    excluded_unknown: excludedUnknown,
  }
  const reasons = [
    ...(inFiles > 0 ? [] : ['no file has a valid account of the supplier']),
    ...reasonsOf(faults),
    ...unequal(
      figures,
      'sum of the files and the created accounts',
      'sums of the files and the created accounts',
    ),
    ...unequal(controls, 'control total', 'control totals'),
  ]
  return {
    import_supplier: supplier,
    proved: reasons.length === 0,
    reasons,
    run,
    files,
    accounts: {
      in_files: inFiles,
      created,
      equal: equal + differing.count - different.count,
      in_any_line: inAnyLine,
      never_imported: neverImported,
      invalid: lists.invalid.count,
      corrected: corrected.count,
      other_suppliers: comparison.otherSuppliers,
      with_additions: withAdditions,
    },
    ...faults,
    corrected,
    excluded,
    figures,
    controls,
  }
}
export type Proof = ReturnType<typeof proofOf>

/**
 * How many accounts of the files are equal: `2,000 of 2,000 accounts are equal.`, or where the files have accounts, valid or not,
 * that were not created: `2,991 of 3,000 proved; 9 never imported.`
 */
export const equalText = ({ accounts, excluded }: Proof): string => {
  const { equal, in_files: valid, in_any_line: all, never_imported: never } = accounts
  if (never === 0 && all === valid)
    return `${numberText(equal)} of ${numberText(all)} ${all === 1 ? 'account is' : 'accounts are'} equal.`
  const rest =
    never === 0
      ? ''
      : `; ${numberText(never)} never imported${excluded.count === 0 ? '' : `, ${numberText(excluded.count)} of them excluded`}`
  return `${numberText(equal)} of ${numberText(all)} proved${rest}.`
}

/** The outcome in a sentence that names each kind of difference. */
export const verdictText = ({ proved, reasons }: Proof): string =>
  proved ? 'Nothing differs.' : `Not proved: ${reasons.join('; ')}.`

const listTitles = {
  missing: 'Missing accounts',
  only_staged: 'Only staged',
  extra: 'Accounts that are in no file',
  repeated: 'Accounts on several lines',
  invalid: 'Invalid lines',
  excluded: 'Excluded, with the reason',
  excluded_created: 'Excluded, but created',
  excluded_unknown: 'Excluded, but in no file',
  corrected: 'Lines corrected in another file',
} as const satisfies Partial<Readonly<Record<keyof Proof, string>>>

/** The accounts or lines of each kind that has any, under its title. */
export const proofLists = (
  proof: Proof,
): readonly Readonly<{ id: string; title: string; list: NumberList }>[] =>
  Object.entries(listTitles).flatMap(([name, title]) => {
    const list = proof[name as keyof typeof listTitles]
    return list.count === 0 ? [] : [{ id: name.replace('_', '-'), title, list }]
  })

/** The counts of accounts or lines of each kind. `isFault`: only 0 is good. */
export const accountCounts = (
  proof: Proof,
): readonly Readonly<{ name: string; count: number; isFault?: true }>[] => [
  { name: 'in the files', count: proof.accounts.in_files },
  { name: 'never imported', count: proof.accounts.never_imported },
  { name: 'created', count: proof.accounts.created },
  { name: 'equal', count: proof.accounts.equal },
  { name: 'different', count: proof.different.count, isFault: true },
  { name: 'missing', count: proof.missing.count, isFault: true },
  { name: 'only staged', count: proof.only_staged.count, isFault: true },
  { name: 'extra', count: proof.extra.count, isFault: true },
  { name: 'on several lines', count: proof.repeated.count, isFault: true },
  { name: 'invalid lines', count: proof.accounts.invalid, isFault: true },
  { name: 'corrected in another file', count: proof.accounts.corrected },
  { name: 'excluded', count: proof.excluded.count },
  { name: 'excluded but created', count: proof.excluded_created.count, isFault: true },
  { name: 'excluded but in no file', count: proof.excluded_unknown.count, isFault: true },
  { name: 'lines of other suppliers', count: proof.accounts.other_suppliers },
  { name: 'with additions', count: proof.accounts.with_additions },
]
