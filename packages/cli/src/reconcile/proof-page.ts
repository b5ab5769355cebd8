import {
  accountCounts,
  type Controls,
  controlTotals,
  equalText,
  numberText,
  type Proof,
  proofLists,
  verdictText,
} from '@account-import/account-files'
import { E, type Either } from '@account-import/core/fp'
import { dataTable, html, type Html, noHtml } from '@account-import/core/html'
import * as t from 'io-ts'
import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { fileText, unreadable } from '../account-files/input/source.js'
import { factList, type Section, wholePage } from '../account-files/report/page.js'

const form =
  'is no file of control totals: {"accounts": 2, "statements": 4, "notes": 0, "supply_points": 3, ' +
  '"balances": {"LEDGER": {"count": 2, "sum": "12.30"}}, "transactions": {"PAYMENT": {"count": 5, "sum": "61.00"}}}. ' +
  'Every part may be left out.'

/** Left: the fault of the file, for people. */
export const readControls = async (path: string): Promise<Either<string, Controls>> => {
  let value: unknown
  try {
    value = JSON.parse(await fileText(path, Readable.from([])))
  } catch (cause) {
    return E.left(cause instanceof SyntaxError ? `${path} ${form}` : unreadable(path, cause).message)
  }
  const read = controlTotals.decode(value)
  // Decoding drops unknown names, so a misspelt one would check nothing.
  return E.isRight(read) && isDeepStrictEqual(read.right, value) ? read : E.left(`${path} ${form}`)
}

const exclusion = t.record(
  t.string,
  t.refinement(t.string, (reason) => reason.trim() !== '', 'reason'),
)

/** Reads the accounts that are not to be created. Left: the fault of the file, for people. */
export const readExcluded = async (
  path: string,
): Promise<Either<string, Readonly<Record<string, string>>>> => {
  const needed = `${path} is no exclusion: an object of account numbers with reasons, {"LEV-E-000456": "Closed"}.`
  try {
    return E.mapLeft(() => needed)(exclusion.decode(JSON.parse(await fileText(path, Readable.from([])))))
  } catch (cause) {
    return E.left(cause instanceof SyntaxError ? needed : unreadable(path, cause).message)
  }
}

const mark = (isEqual: boolean): Html =>
  isEqual ? html`<span class="good">equal</span>` : html`<strong class="bad">differs</strong>`

/** The section of a list with its first accounts; empty without any. */
const listed = (
  id: string,
  title: string,
  { count, named }: Readonly<{ count: number; named: readonly unknown[] }>,
  body: Html,
): readonly Section[] => {
  const more = count - named.length
  const rest = more > 0 ? html`<p class="soft">and ${numberText(more)} more</p>` : noHtml
  return count === 0 ? [] : [{ id, title: `${title}: ${numberText(count)}`, body: html`${body}${rest}` }]
}

/** A table of counts, in which those of 0 are folded away. */
const countsTable = (proof: Proof): Html => {
  const rowsOf = (counts: ReturnType<typeof accountCounts>): Html =>
    dataTable(
      [['Accounts or lines'], ['', 'num']],
      counts.map(({ name, count, isFault }) => [
        name,
        isFault && count > 0 ? html`<strong class="bad">${numberText(count)}</strong>` : numberText(count),
      ]),
    )
  const counts = accountCounts(proof)
  const [some, none] = [counts.filter(({ count }) => count > 0), counts.filter(({ count }) => count === 0)]
  return html`${some.length === 0 ? noHtml : rowsOf(some)}
  ${none.length === 0 ? noHtml : html`<details><summary>0: ${none.map(({ name }) => name).join(', ')}</summary>${rowsOf(none)}</details>`}`
}

const zero = /^-?0(?:\.0+)?$/

/** Sums of files, staged and created accounts; equal rows of zeros are folded away. */
const sumsTable = ({ figures }: Proof): Html => {
  const rowsOf = (rows: Proof['figures']): Html =>
    dataTable(
      [['figure'], ['files', 'num'], ['staged', 'num'], ['created', 'num'], ['']],
      rows.map((each) => [each.name, each.file, each.staged, each.created, mark(each.equal)]),
    )
  const isEmpty = ({ file, staged, created }: Proof['figures'][number]): boolean =>
    [file, staged, created].every((text) => zero.test(text))
  const [some, none] = [figures.filter((each) => !isEmpty(each)), figures.filter(isEmpty)]
  return html`${some.length === 0 ? noHtml : rowsOf(some)}
  ${none.length === 0 ? noHtml : html`<details><summary>0: ${none.map(({ name }) => name).join(', ')}</summary>${rowsOf(none)}</details>`}`
}

/** Money first, because an auditor looks for it first. */
const sections = (proof: Proof): readonly Section[] => [
  { id: 'sums', title: 'Sums', body: sumsTable(proof) },
  ...(proof.controls.length === 0
    ? []
    : [
        {
          id: 'controls',
          title: 'Control totals of the old system',
          body: dataTable(
            [['total'], ['expected', 'num'], ['created', 'num'], ['']],
            proof.controls.map((each) => [each.name, each.expected, each.found, mark(each.equal)]),
          ),
        },
      ]),
  { id: 'accounts', title: 'Accounts', body: countsTable(proof) },
  ...listed(
    'different',
    'Different accounts',
    proof.different,
    dataTable(
      [['account'], ['where']],
      proof.different.named.map(({ number, paths }) => [number, paths?.join(', ') ?? 'not examined']),
    ),
  ),
  ...proofLists(proof).flatMap(({ id, title, list }) =>
    listed(id, title, list, html`<p>${list.named.map((number) => html`<code>${number}</code> `)}</p>`),
  ),
  {
    id: 'run',
    title: 'Run',
    body: html`${factList([
      ['supplier', proof.import_supplier],
      ['service', proof.run.url],
      ['run by', proof.run.by],
      ['at', proof.run.at],
      ['version of the rules', proof.run.version],
    ])}
    ${dataTable(
      [['file'], ['bytes', 'num'], ['accounts', 'num'], ['SHA-256']],
      proof.files.map(({ name, bytes, accounts, sha256 }) => [
        name,
        numberText(bytes),
        numberText(accounts),
        html`<code>${sha256}</code>`,
      ]),
    )}`,
  },
]

/** The proof as one HTML page. It contains account numbers, paths and sums, and no other value of an account. */
export const proofPage = (proof: Proof): string =>
  wholePage(
    `Reconciliation of ${proof.import_supplier}`,
    `The accounts of the files beside those of the service, ${proof.run.at}.`,
    proof.proved
      ? {
          tone: 'good',
          words: `${equalText(proof)} There is no other account of this supplier. All sums agree.`,
        }
      : { tone: 'bad', words: `${equalText(proof)} ${verdictText(proof)}` },
    sections(proof),
  )
