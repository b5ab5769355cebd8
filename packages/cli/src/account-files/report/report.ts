import {
  oneCell,
  printable,
  accountsASecond,
  type CodeCount,
  comparedText,
  counted,
  decimalText,
  type FieldCount,
  type FileTotals,
  type FindingSeverity,
  meaningText,
  lineText,
  numberText,
  type Place,
  repeatText,
  type RunFacts,
  sharedText,
  shareText,
  sizeText,
  spreadNames,
  type Verdict,
  warningText,
} from '@account-import/account-files'
import { bundledMarkets, catalogueOf } from '@account-import/core'
import { dataTable, html, type Html, noHtml } from '@account-import/core/html'
import { basename } from 'node:path'
import { documentation, packageVersion } from '../../program-name.js'
import type { OutputPaths } from '../output/outputs.js'
import { breakable, fieldText } from './fields.js'
import { bar, type Fact, factList, type Section, wholePage } from './page.js'
import { rowsText, type SourceRows, sumText } from './source-rows.js'

/** The content of the report of a run over a file. */
type ReportContent = Readonly<{
  /** Begins the title of the page, such as `Validation`. */
  title: string
  lead: string
  /** Path of the file, `-` for standard input. */
  file: string
  /** The rows of the files that the accounts were converted from. */
  sourceRows: readonly SourceRows[] | undefined
  /** The source rows of lines, if the accounts were converted. */
  place: Place | undefined
  outputs: OutputPaths
  totals: FileTotals
  verdict: Verdict
  /** The number of accounts with each outcome. */
  outcomes: readonly (readonly [name: string, accounts: number])[]
  /** The settings of the check, or the target of the import. */
  ground: Readonly<{ title: string; facts: readonly Fact[] }>
  facts: RunFacts
  workersName: string
}>

/** The name of the file without its folders, which may name a user. */
const fileTitle = (file: string): string => (file === '-' ? 'standard input' : oneCell(basename(file)))

const outcome = ({ outcomes, place, totals: { accounts, lines } }: ReportContent): Html =>
  dataTable(
    [['Outcome'], ['', 'share'], ['Accounts', 'num'], ['Share', 'num']],
    outcomes.map(([name, count]) => [
      name,
      bar(count, accounts),
      numberText(count),
      shareText(count, accounts),
    ]),
    place === undefined
      ? `${counted(accounts, 'account')} on ${counted(lines, 'line')} in the file`
      : counted(accounts, 'converted account'),
  )

const exampleText = ({ examples, accounts }: FieldCount, place = lineText): Html => {
  const [first, ...others] = examples
  if (first === undefined) return noHtml
  const column = first.column === undefined ? noHtml : html`, column ${first.column}`
  const attr = first.attr === '' ? noHtml : html` <code>${breakable(first.attr)}</code>`
  const also = others.map(({ line }) => place(line)).join(', ')
  const rest = accounts - examples.length
  const more = rest > 0 ? html` <a href="#every-line">and ${numberText(rest)} more</a>` : noHtml
  return html`${place(first.line)}${column}${attr}${others.length > 0 ? html`<br /><span class="soft">also ${also}${more}</span>` : noHtml}`
}

const noteText = (text: string): Html =>
  text === '' ? noHtml : html`<br /><span class="soft">${text}</span>`

/** The most fields that are listed for each code. */
const fieldLimit = 15

/** The most frequent fields of a code, each with its first lines. `withDetail`: each field has a text of its own. */
const places = ({ fields }: CodeCount, withDetail: boolean, place: Place | undefined): Html =>
  html`${dataTable(
    [['Field'], ['Accounts', 'num'], ['Times', 'num'], ['Where, for example']],
    fields
      .slice(0, fieldLimit)
      .map((field) => [
        html`${fieldText(field.field)}${noteText(withDetail ? field.detail : '')}${noteText(meaningText(field.field))}`,
        numberText(field.accounts),
        numberText(field.findings),
        exampleText(field, place),
      ]),
  )}${furtherText(fields.length - fieldLimit, 'more field')}`

const furtherText = (count: number, name: string): Html =>
  count > 0 ? html`<p class="soft">and ${counted(count, name)}</p>` : noHtml

const remedies = {
  data: 'Fix the data',
  'set-up': 'Change the set-up',
  retry: 'Send it again later',
} as const

/** Files are validated by the bundled markets. */
const published = catalogueOf(bundledMarkets)

/** A code with its text, remedy and places. The anchor is inside of `details`, so that a link to it unfolds the code. */
const codeEntry = (code: CodeCount, at: number, place: Place | undefined): Html => {
  const { detail = '', class: remedy = 'data' } = published[code.code] ?? {}
  // A text with a limit differs from field to field.
  const hasLimit = /\{\w+\}/.test(detail)
  return html`<details${at === 0 ? html` open` : noHtml}>
    <summary>
      <h3><code>${breakable(code.code)}</code></h3>
      <span class="soft">${counted(code.accounts, 'account')}, ${counted(code.findings, 'time')}</span>
    </summary>
    <p id="${code.severity}-${code.code}">
      ${hasLimit ? noHtml : html`${detail} `}<strong>${remedies[remedy]}.</strong> <a
        href="${documentation}/errors/${code.code}.md"
        >Meaning and remedy of ${code.code}</a
      >
    </p>
    ${places(code, hasLimit, place)}
  </details> `
}

const barsLimit = 8

/** The fields with the most findings of all codes together. */
const fieldTable = (codes: readonly CodeCount[]): Html => {
  const byField = new Map<string, number>()
  for (const { field, findings } of codes.flatMap(({ fields }) => fields))
    byField.set(field, (byField.get(field) ?? 0) + findings)
  const rows = [...byField].toSorted(([one, many], [other, fewer]) => fewer - many || (one < other ? -1 : 1))
  return html`${dataTable(
    [['Field'], ['', 'share'], ['Times', 'num']],
    rows
      .slice(0, barsLimit)
      .map(([field, times]) => [fieldText(field), bar(times, rows[0]?.[1] ?? 0), numberText(times)]),
    'How often; [] is any item of a list',
  )}${furtherText(rows.length - barsLimit, 'more row')}`
}

const titles = {
  error: { codes: 'Errors to correct', fields: 'Errors by field' },
  warning: { codes: 'Warnings to check', fields: 'Warnings by field' },
} as const

/** The errors, or the warnings, by code and by field; empty without any. */
const findings = ({ totals, place }: ReportContent, severity: FindingSeverity): readonly Section[] => {
  const codes = totals.codes.filter((code) => code.severity === severity)
  if (codes.length === 0) return []
  return [
    {
      id: `${severity}s`,
      title: titles[severity].codes,
      body: html`${codes.map((code, at) => codeEntry(code, at, place))}`,
    },
    { id: `${severity}s-by-field`, title: titles[severity].fields, body: fieldTable(codes) },
  ]
}

/** The distribution of errors over accounts, and the lines with the most errors. */
const spread = ({
  totals: { failed, spread: counts, heaviest },
  place = lineText,
}: ReportContent): readonly Section[] =>
  failed === 0
    ? []
    : [
        {
          id: 'spread',
          title: 'Errors per account',
          body: html`${dataTable(
            [['Errors'], ['', 'share'], ['Accounts', 'num']],
            counts.map((count, at) => [
              spreadNames[at] ?? '',
              bar(count, Math.max(...counts)),
              numberText(count),
            ]),
            'Failed accounts by their number of errors',
          )}${dataTable(
            [['Where'], ['Errors', 'num'], ['Warnings', 'num']],
            heaviest
              .slice(0, barsLimit)
              .map(({ line, errors, warnings }) => [place(line), numberText(errors), numberText(warnings)]),
            'The accounts with the most errors',
          )}`,
        },
      ]

const exampleLimit = 10

/** The section of accounts of a file that share a key; empty without any. */
const sharedKeys = (
  id: string,
  title: string,
  name: string,
  { count, examples }: Readonly<{ count: number; examples: readonly string[] }>,
  about: string,
): readonly Section[] =>
  count === 0
    ? []
    : [
        {
          id,
          title,
          body: html`<p>${about} This does not count as an error.</p>
            <ul class="soft">
              ${examples.slice(0, exampleLimit).map((text) => html`<li>${text}</li> `)}
            </ul>
            ${furtherText(count - exampleLimit, `more ${name}`)}`,
        },
      ]

/** The findings of the comparison of all accounts of a file. */
const wholeFile = ({ totals, place }: ReportContent): readonly Section[] => {
  const { warnings, repeats, sharedPoints } = totals
  const compared = comparedText(totals)
  const whole: Section = {
    id: 'whole-file',
    title: 'The file as a whole',
    body: html`<p>Each account may be valid, and all together show signs of a wrong conversion.</p>
      <ul>
        ${warnings.map((warning) => html`<li>${fieldText(warning.field)}: ${warningText(warning, place)}</li> `)}
      </ul>`,
  }
  return [
    ...(warnings.length === 0 ? [] : [whole]),
    ...sharedKeys(
      'repeats',
      'Accounts that come more than once',
      'line',
      {
        ...repeats,
        examples: repeats.examples.map((each) => repeatText(each, place)),
      },
      `${counted(repeats.count, 'line')} ${repeats.count === 1 ? 'names' : 'name'} a supplier and an account number that an earlier line has already. When both are staged, the later one replaces the earlier.`,
    ),
    ...sharedKeys(
      'shared-supply-points',
      'Supply points in several accounts',
      'supply point',
      { ...sharedPoints, examples: sharedPoints.examples.map((each) => sharedText(each, place)) },
      `${counted(sharedPoints.count, 'supply point')} ${sharedPoints.count === 1 ? 'is' : 'are'} in an account although an account of the same supplier on an earlier line has the same one. Both would be billed for it.`,
    ),
    ...(compared === undefined
      ? []
      : [{ id: 'compared', title: 'Compared accounts', body: html`<p>${compared}</p>` }]),
  ]
}

/** The hint at the table of all errors, as the report has only examples. */
const everyLine = ({ outputs: { errors } }: ReportContent): Html =>
  html`<p>
    Below each code are the fields and the first lines that have it. A table of all lines, with account number, code
    and field, ${
      errors === undefined
        ? html`is written with the option <code>--errors FILE</code>`
        : html`was written to <code>${errors === '-' ? 'the standard output' : fileTitle(errors)}</code>`
    }.
  </p>`

/** The rows of the converted files, without their keys; empty for a file of accounts. */
const sourceRowsOf = ({ sourceRows = [] }: ReportContent): readonly Section[] =>
  sourceRows.length === 0
    ? []
    : [
        {
          id: 'source-rows',
          title: 'Rows of the source files',
          body: dataTable(
            [['File'], ['Rows'], ['Sums']],
            sourceRows.map((rows) => [
              fileTitle(rows.file),
              rowsText(rows, false),
              html`${rows.sums.map((sum) => html`${printable(oneCell(sumText(sum)))}<br />`)}`,
            ]),
            'Key found: an account has the key of the row. The values of the row need not be in the account; equal sums show that',
          ),
        },
      ]

/** Name, size and hash of the file; of a mapping, those of the accounts that were converted by it. */
const fileFacts = ({ file, place, totals: { bytes, sha256 } }: ReportContent): Html =>
  factList([
    [place === undefined ? 'Name' : 'Converted by', fileTitle(file)],
    ['Size', bytes < 1024 ? sizeText(bytes) : `${sizeText(bytes)} (${numberText(bytes)} bytes)`],
    ['SHA-256', html`<code>${sha256}</code>`],
  ])

/** Date and speed: the only part that differs between two runs over the same file. */
const runFacts = ({ facts, totals: { accounts }, workersName }: ReportContent): Html =>
  factList([
    ['Date', `${facts.startedAt.toISOString().slice(0, 19).replace('T', ' ')} UTC`],
    ['Duration', `${decimalText(facts.seconds)} s`],
    ['Rate', `${numberText(accountsASecond(accounts, facts))} accounts a second`],
    [workersName, numberText(facts.workers)],
    ['Version', `account-import ${packageVersion()}`],
  ])

/** The report of a file, without any value of an account; of converted accounts it has the keys of rows. */
export const reportPage = (content: ReportContent): string => {
  const { title, lead, file, totals, verdict, ground } = content
  return wholePage(`${title} of ${fileTitle(file)}`, lead, verdict, [
    { id: 'outcome', title: 'Outcome', body: outcome(content) },
    ...sourceRowsOf(content),
    ...findings(content, 'error'),
    ...spread(content),
    ...wholeFile(content),
    ...findings(content, 'warning'),
    ...(totals.codes.length === 0
      ? []
      : [{ id: 'every-line', title: 'Every line', body: everyLine(content) }]),
    { id: 'ground', title: ground.title, body: factList(ground.facts) },
    {
      id: 'file',
      title: content.place === undefined ? 'File' : 'Converted accounts',
      body: fileFacts(content),
    },
    { id: 'run', title: 'This run', body: runFacts(content) },
  ])
}
