import {
  accountsASecond,
  type CodeCount,
  comparedText,
  counted,
  decimalText,
  type FieldCount,
  numberText,
  shareText,
  sharedText,
  sizeText,
  verdictOf,
  warningText,
} from '@account-import/account-files'
import { apiAddress, element, facts, find, onFiles, pageData, saveButton, table, Work } from './page/dom.js'
import type { CheckResult, ImportResult } from './page/protocol.js'

const data = pageData()
const work = new Work()
const input = find<HTMLInputElement>('file')
const results = find('results')

const codeLink = (code: string): HTMLElement =>
  element('a', { href: `${data.root}docs/errors/${code}/` }, element('code', {}, code))

const whereText = ({ examples, accounts }: FieldCount): string => {
  const [first, ...others] = examples
  if (first === undefined) return ''
  const column = first.column === undefined ? '' : `, column ${first.column}`
  const also = others.length === 0 ? '' : `; also ${others.map(({ line }) => line).join(', ')}`
  const rest = accounts - examples.length
  return `line ${first.line}${column}${also}${rest > 0 ? ` and ${numberText(rest)} more` : ''}`
}

const fieldName = (
  field: string,
  { anchor, meaning = '' }: Partial<CheckResult['places'][string]>,
): Node[] => {
  const name = field === '' ? 'the account itself' : field
  const code = element('code', {}, name)
  const link =
    anchor === undefined ? code : element('a', { href: `${data.root}docs/reference/fields/#${anchor}` }, code)
  return [link, element('br'), element('span', { class: 'soft' }, meaning)]
}

const mostFields = 15

const codeEntry = (
  { code, accounts, findings, fields }: CodeCount,
  places: CheckResult['places'],
  at: number,
) => {
  const rows = fields
    .slice(0, mostFields)
    .map((field) => [
      fieldName(field.field, places[field.field] ?? {}),
      numberText(field.accounts),
      numberText(field.findings),
      [field.detail, element('br'), whereText(field)],
    ])
  const more = fields.length - mostFields
  return element(
    'details',
    at === 0 ? { open: '' } : {},
    element(
      'summary',
      {},
      element('code', {}, code),
      ` ${counted(accounts, 'account')}, ${counted(findings, 'time')}`,
    ),
    element('p', {}, codeLink(code), ': meaning and remedy'),
    table('', [['Field'], ['Accounts', 'num'], ['Times', 'num'], ['Where']], rows),
    more > 0 ? element('p', { class: 'soft' }, `and ${counted(more, 'more field')}`) : undefined,
  )
}

const codesSection = (
  { totals, places }: CheckResult,
  severity: CodeCount['severity'],
  title: string,
): Node[] => {
  const codes = totals.codes.filter((code) => code.severity === severity)
  return codes.length === 0
    ? []
    : [element('h2', {}, title), ...codes.map((code, at) => codeEntry(code, places, at))]
}

const mostExamples = 10

const list = (count: number, texts: readonly string[]): HTMLElement =>
  element(
    'ul',
    {},
    texts.slice(0, mostExamples).map((text) => element('li', {}, element('bdi', {}, text))),
    count > mostExamples ? element('li', {}, `and ${numberText(count - mostExamples)} more`) : undefined,
  )

/** The findings that only the comparison of all accounts shows. */
const fileSection = ({ totals }: CheckResult): Node[] => {
  const { warnings, repeats, sharedPoints } = totals
  const compared = comparedText(totals)
  if (warnings.length + repeats.count + sharedPoints.count === 0 && compared === undefined) return []
  return [
    element('h2', {}, 'The file as a whole'),
    list(
      warnings.length,
      warnings.map((warning) => `${warning.field}: ${warningText(warning)}`),
    ),
    ...(repeats.count === 0
      ? []
      : [
          element('p', {}, `${counted(repeats.count, 'line')} with the account number of an earlier line:`),
          list(
            repeats.count,
            repeats.examples.map(({ line, firstLine }) => `line ${line} repeats line ${firstLine}`),
          ),
        ]),
    ...(sharedPoints.count === 0
      ? []
      : [
          element(
            'p',
            {},
            `${counted(sharedPoints.count, 'supply point')} in several accounts of a supplier:`,
          ),
          list(
            sharedPoints.count,
            sharedPoints.examples.map((each) => sharedText(each)),
          ),
        ]),
    ...(compared === undefined ? [] : [element('p', {}, compared)]),
  ]
}

const outcome = ({ totals }: CheckResult): HTMLElement => {
  const { accounts, failed, validWithWarnings, lines } = totals
  const rows: readonly (readonly [string, number])[] = [
    ['valid', accounts - failed],
    ['of these with warnings', validWithWarnings],
    ['failed', failed],
  ]
  return table(
    `${counted(accounts, 'account')} on ${counted(lines, 'line')}`,
    [['Outcome'], ['Accounts', 'num'], ['Share', 'num']],
    rows.map(([name, count]) => [name, numberText(count), shareText(count, accounts)]),
  )
}

const fileFacts = (name: string, { totals, seconds }: CheckResult): HTMLElement =>
  facts([
    ['File', element('bdi', {}, name)],
    ['Size', sizeText(totals.bytes)],
    ['SHA-256', element('code', {}, totals.sha256)],
    [
      'Checked',
      `in this browser in ${decimalText(seconds)} s, ${numberText(accountsASecond(totals.accounts, { seconds }))} accounts a second`,
    ],
    ['Not checked here', 'whether documents are there, and whether an account was imported already'],
  ])

const showImport = (result: ImportResult): void => {
  const { counts, codes, failed, failures, runs } = result
  const section = find('import')
  const heading = element('h2', { tabindex: '-1' }, failed === 0 ? 'Imported' : 'Imported, with failures')
  section.replaceChildren(
    heading,
    table(
      '',
      [['Outcome'], ['Accounts', 'num']],
      counts.map(([state, count]) => [state, numberText(count)]),
    ),
    codes.length === 0
      ? ''
      : table(
          'Why accounts failed',
          [['Code'], ['Accounts', 'num']],
          codes.map(({ code, accounts }) => [codeLink(code), numberText(accounts)]),
        ),
    ...(failed === 0
      ? []
      : [saveButton('Save the failures of the import (CSV)', 'import-failures.csv', () => failures)]),
    element(
      'ul',
      {},
      runs.map(({ supplier, id, finished }) =>
        element(
          'li',
          {},
          element(
            'a',
            { href: `${data.root}console/runs/${encodeURIComponent(id)}/` },
            `Import run of ${supplier}`,
          ),
          finished ? '' : ' (not yet finished at the service)',
        ),
      ),
    ),
  )
  heading.focus()
}

const startImport = (form: HTMLFormElement): void => {
  const team = form.querySelector('select')?.value ?? ''
  const fields = [...form.querySelectorAll<HTMLSelectElement | HTMLButtonElement>('select, button')]
  const setDisabled = (disabled: boolean): void => {
    for (const each of [...fields, input]) each.disabled = disabled
  }
  setDisabled(true)
  work.start(
    { kind: 'import', api: apiAddress(data), team },
    'Stopped. Choose the same file again to continue the import.',
    (report) => {
      input.disabled = false
      if (report.kind === 'imported') showImport(report.result)
    },
    () => {
      setDisabled(false)
      if (!work.isBegun) form.remove()
    },
  )
}

const importForm = ({ valid }: CheckResult): Node[] => {
  const may = (['stage', 'process'] as const).every((scope) => data.scopes.includes(scope))
  if (!may || valid === 0) return []
  if (data.teams.length === 0)
    return [
      element(
        'p',
        { class: 'callout warn' },
        'To import the file, an operations team is needed, and there is none.',
      ),
    ]
  const form = element(
    'form',
    {},
    element('h2', {}, 'Import the valid ones'),
    element(
      'p',
      {},
      'Sends the file to the service, which creates the valid accounts and records the others as refused. An import of this file that was interrupted continues.',
    ),
    element(
      'label',
      {},
      'Operations team ',
      element(
        'select',
        { name: 'team' },
        data.teams.map((team) => element('option', { value: team }, team)),
      ),
    ),
    ' ',
    element('button', { class: 'primary' }, `Import ${counted(valid, 'valid account')}`),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    startImport(form)
  })
  return [element('section', { id: 'import', class: 'card' }, form)]
}

const showResult = (name: string, result: CheckResult): void => {
  const { tone, words } = verdictOf(result.totals)
  const verdict = element('p', { class: `callout ${tone}`, tabindex: '-1' }, words)
  const { failed, codes } = result.totals
  results.replaceChildren(
    verdict,
    outcome(result),
    ...(failed === 0 ? [] : [saveButton('Save the failures (CSV)', 'failures.csv', () => result.failures)]),
    ' ',
    ...(codes.length === 0
      ? []
      : [saveButton('Save every finding (CSV)', 'findings.csv', () => result.findings)]),
    ...importForm(result),
    ...codesSection(result, 'error', 'Errors to correct'),
    ...fileSection(result),
    ...codesSection(result, 'warning', 'Warnings to check'),
    element('h2', {}, 'File'),
    fileFacts(name, result),
  )
  verdict.focus()
}

onFiles(input, ([file, ...others]) => {
  if (file === undefined) return
  work.end()
  results.replaceChildren()
  if (others.length > 0) {
    const words = `This page checks one file at a time, and got ${numberText(others.length + 1)}. Nothing was checked.`
    results.replaceChildren(element('p', { class: 'callout warn', role: 'alert' }, words))
    return
  }
  work.start(
    { kind: 'check', file, suppliers: data.suppliers },
    'Stopped. Nothing was sent.',
    (report) => {
      if (report.kind === 'checked') showResult(file.name, report.result)
    },
    () => work.end(),
  )
})
input.disabled = false
