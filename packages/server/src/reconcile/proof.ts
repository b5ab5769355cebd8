import type { AccountFigures } from '@account-import/core'
import type { Compared, Comparison, Numbers } from './compare.js'
import type { ReadFile } from './file-accounts.js'

/** One figure, as it is in the files, among staged accounts and among created ones. Equal: files and created agree. */
export type Figure = Readonly<{
  name: string
  file: string
  staged: string
  created: string
  isEqual: boolean
}>

/** A total of the old system beside that of the created accounts. */
export type CheckedControl = Readonly<{ name: string; expected: string; found: string; isEqual: boolean }>

/** An account that differs, and where. `paths` is absent of those that were not looked into, as there are too many. */
export type Different = Readonly<{ number: string; paths?: readonly string[] }>

/** Account numbers: how many, and the first of them. */
export type Listed = Readonly<{ count: number; named: readonly string[] }>

/** The outcome of a reconciliation, to be kept as proof. */
export type Proof = Readonly<{
  supplier: string
  files: readonly ReadFile[]
  /** The person who ran it, the time, and the version of the rules. */
  by: string
  at: string
  version: string
  url: string
  accounts: Readonly<{
    inFiles: number
    invalid: number
    otherSuppliers: number
    created: number
    equal: number
    withAdditions: number
  }>
  missing: Listed
  extra: Listed
  stagedOnly: Listed
  repeated: Listed
  different: Readonly<{ count: number; named: readonly Different[] }>
  figures: readonly Figure[]
  controls: readonly CheckedControl[]
}>

const listed = ({ count, named }: Numbers): Listed => ({ count, named })

type Three = Readonly<Record<'file' | 'staged' | 'created', AccountFigures>>

const figure = (name: string, of: (figures: AccountFigures) => string, all: Three): Figure => {
  const [file, staged, created] = [of(all.file), of(all.staged), of(all.created)]
  return { name, file, staged, created, isEqual: file === created }
}

const summedFigures = (kind: 'balances' | 'transactions', all: Three): readonly Figure[] => {
  const names = new Set(Object.values(all).flatMap((figures) => Object.keys(figures[kind])))
  return [...names]
    .sort()
    .flatMap((name) => [
      figure(`${kind} ${name}, count`, (figures) => String(figures[kind][name]?.count ?? 0), all),
      figure(`${kind} ${name}, sum`, (figures) => figures[kind][name]?.sum ?? '0.00', all),
    ])
}

/** The proof of a comparison, without control totals. */
export const proofOf = (
  comparison: Comparison,
  compared: Compared,
  run: Pick<Proof, 'supplier' | 'files' | 'by' | 'at' | 'version' | 'url'>,
  different: Proof['different'],
): Proof => {
  const all = comparison.figures()
  const { inFiles, created, equal, differing, withAdditions } = compared
  return {
    ...run,
    accounts: {
      inFiles,
      invalid: run.files.reduce((sum, { invalid }) => sum + invalid, 0),
      otherSuppliers: comparison.otherSuppliers,
      created,
      equal: equal + differing.count - different.count,
      withAdditions,
    },
    missing: listed(compared.missing),
    extra: listed(compared.extra),
    stagedOnly: listed(compared.stagedOnly),
    repeated: listed(compared.repeated),
    different,
    figures: [
      ...summedFigures('balances', all),
      ...summedFigures('transactions', all),
      figure('statements', ({ statements }) => String(statements), all),
      figure('notes', ({ notes }) => String(notes), all),
      figure('supply points', ({ supplyPoints }) => String(supplyPoints), all),
    ],
    controls: [],
  }
}

/** Whether nothing at all differs. */
export const isProved = ({
  accounts,
  missing,
  extra,
  stagedOnly,
  repeated,
  different,
  figures,
  controls,
}: Proof): boolean =>
  accounts.inFiles > 0 &&
  accounts.invalid === 0 &&
  [missing, extra, stagedOnly, repeated, different].every(({ count }) => count === 0) &&
  figures.every(({ isEqual }) => isEqual) &&
  controls.every(({ isEqual }) => isEqual)
