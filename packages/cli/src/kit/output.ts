import {
  accountsASecond,
  type CodeCount,
  comparedText,
  counted,
  decimalText,
  type Example,
  type FileTotals,
  type FindingSeverity,
  numberText,
  oneCell,
  type Place,
  repeatText,
  sharedText,
  warningText,
} from '@account-import/account-files'
import type { Instant } from '@account-import/core'
import { toWireDatetime } from '@account-import/core/adapter-kit'
import { E, type Either } from '@account-import/core/fp'
import type { OutputPaths, Written } from '../account-files/output/outputs.js'
import type { FileOutcome } from '../account-files/pass.js'
import { privacyText } from '../private-file.js'
import { typed } from '../program-name.js'
import {
  type CliContext,
  type CliIo,
  type CommandError,
  type CommandOutput,
  errorJson,
  exitCode,
  type ExitCode,
} from './command.js'
import { type Columns, type ItemLines, tableOf, tableWithTexts } from './tables.js'

/** `name: value` lines, values under each other. */
export const properties = (entries: Readonly<Record<string, string>>): string => {
  const width = Math.max(...Object.keys(entries).map((name) => name.length)) + 1
  return Object.entries(entries)
    .map(([name, value]) => `${`${name}:`.padEnd(width)} ${oneCell(value)}`.trimEnd())
    .join('\n')
}

/** The output of a command that lists all items, as JSON and as a table; `none` is the message without items. */
export const listed =
  <Item, Json>(jsonOf: (item: Item) => Json, all: Columns<Json>, none: string) =>
  (items: readonly Item[]): CommandOutput => {
    const json = items.map(jsonOf)
    const text = tableOf(all, json, none)
    return { json, ...(items.length === 0 ? { message: none } : { result: text }) }
  }

/** The JSON form of a time for `--json`. */
export const timeJson = (instant: Instant | undefined): string | null =>
  instant === undefined ? null : toWireDatetime(instant)

/** The JSON form of a latest failure for `--json`. */
export const latestErrorJson = (failure: Readonly<{ code: string; occurredAt: Instant }> | undefined) =>
  failure === undefined ? null : { code: failure.code, occurred_at: toWireDatetime(failure.occurredAt) }

/** The form of items that are printed one by one: JSON, or lines. */
export type Shown<Item> = ItemLines<Item> &
  Readonly<{
    json(item: Item): unknown
    /** The message without items. */
    none: string
  }>

/** The texts around items that are printed one by one, in constant memory. */
type ListFormat<Item> = Readonly<{ head: string; between: string; item(item: Item): string }>

/** Prints items as soon as they arrive, at the speed of the reader. */
export const listPrinter = <Item>({ out, drained }: CliIo, { head, between, item }: ListFormat<Item>) => {
  let count = 0
  return {
    count: () => count,
    /** False when the reader closed the output. */
    add: async (items: readonly Item[]): Promise<boolean> => {
      for (const each of items) out(`${count++ === 0 ? head : between}${item(each)}`)
      return (await drained?.()) !== false
    },
    end: (tail: string): void => out(`${count === 0 ? head : ''}${tail}`),
  }
}

/**
 * Prints a long list in constant memory: with `--json` one array. If a page fails, the array is not closed, and the exit code is
 * that of the failure.
 */
export const printPages = async <Item>(
  { io, finish, json: isJsonAsked }: Pick<CliContext, 'io' | 'finish' | 'json'>,
  pages: AsyncIterable<Either<CommandError, readonly Item[]>>,
  { json, headings, text, none }: Shown<Item>,
): Promise<void> => {
  const isJson = isJsonAsked()
  const format: ListFormat<Item> = isJson
    ? { head: '[', between: ',\n', item: (item) => JSON.stringify(json(item)) }
    : { head: headings === '' ? '' : `${headings}\n`, between: '', item: (item) => `${text(item)}\n` }
  const printer = listPrinter(io, format)
  for await (const page of pages) {
    // The failure is text if a part of a JSON document is printed already.
    if (E.isLeft(page)) return finish(page, printer.count() === 0 ? undefined : 'asText')
    if (!(await printer.add(page.right))) return
  }
  if (isJson) printer.end(']\n')
  else if (printer.count() === 0) io.err(`${none}\n`)
}

/** The output of a long search: lines, one JSON object a line, or one JSON document. */
type Findings<Item> = Readonly<{
  form: 'lines' | 'ndjson' | 'document'
  /** The name of the list in the JSON document. */
  name: string
  text(item: Item): string
  json(item: Item): unknown
  /** The counts of checked items so far, for the JSON document. */
  totals: object
  /** The outcome so far, for people. */
  summary(found: number): string
  /** The error of a search that ended early; throws any other cause again. */
  failureOf(thrown: unknown): CommandError
}>

/**
 * Prints findings as soon as they arrive, then the summary to stderr; answers the exit code. After a failure the output ends with
 * the findings so far. Stops when the reader closed the output. Prints nothing and answers undefined if `isNothing`, as the
 * search had nothing to check.
 */
export const printFindings = async <Item>(
  io: CliIo,
  { form, name, text, json, totals, summary, failureOf }: Findings<Item>,
  pages: AsyncIterable<readonly Item[]>,
  isNothing: () => boolean = () => false,
): Promise<ExitCode | undefined> => {
  const isDocument = form === 'document'
  const itemText = (item: Item): string => (form === 'lines' ? text(item) : JSON.stringify(json(item)))
  const printer = listPrinter<Item>(io, {
    head: isDocument ? `{"${name}":[` : '',
    between: isDocument ? ',' : '',
    item: (item) => (isDocument ? `\n${itemText(item)}` : `${itemText(item)}\n`),
  })
  const end = (failure?: CommandError): void => {
    const rest = { ...totals, ...(failure && { error: errorJson(failure) }) }
    printer.end(isDocument ? `\n],${JSON.stringify(rest).slice(1)}\n` : '')
    const words = summary(printer.count())
    io.err(failure === undefined ? `${words}\n` : `${failure.detail} Until then: ${words}\n`)
  }
  try {
    for await (const page of pages) if (!(await printer.add(page))) return exitCode.environment
  } catch (thrown) {
    const failure = failureOf(thrown)
    end(failure)
    return failure.exitCode
  }
  if (printer.count() === 0 && isNothing()) return undefined
  end()
  return printer.count() > 0 ? exitCode.dataHasFailures : exitCode.done
}

/** The list of the written files; empty without any. */
export const writtenText = (written: readonly Written[]): readonly string[] =>
  written.length === 0
    ? []
    : [
        written
          .map(({ path, ownerOnly }) =>
            ownerOnly ? `Written: ${path} (data of customers: ${privacyText()})` : `Written: ${path}`,
          )
          .join('\n'),
      ]

const placeOf = ({ attr, column }: Example): string =>
  column === undefined ? attr || 'the account itself' : `column ${column}`

/** Severity and code are one cell, so that they stay on one line of a narrow terminal. */
const severityAndCode = (severity: string, code: string): string => `${severity.padEnd(8)}  ${code}`

const headingsOf = (first: string): readonly string[] => [
  severityAndCode('SEVERITY', 'CODE'),
  'ACCOUNTS',
  'TIMES',
  first,
  'FIELD',
]

/** The most fields that the terminal shows for each code; the report and `--errors` have all. */
const shownFields = 5

/** A row for each of the most frequent fields of a code, and below each its remedy there. */
const rowsOf = ({ severity, code, fields }: CodeCount, textOf: Place) =>
  fields.slice(0, shownFields).map(({ accounts, findings, detail, examples: [example] }, at) => {
    const place = example === undefined ? ['', ''] : [textOf(example.line), placeOf(example)]
    const hidden = at === shownFields - 1 ? fields.length - shownFields : 0
    const more =
      hidden > 0
        ? [`${code}: ${counted(hidden, 'more field')}. --errors FILE writes the findings of all.`]
        : []
    return {
      cells: [severityAndCode(severity, code), numberText(accounts), numberText(findings), ...place],
      texts: [detail, ...more],
    }
  })

/** A table of codes and fields with counts, first occurrence and text; empty without codes. */
const codesText = (counts: readonly CodeCount[], place: Place | undefined): readonly string[] => {
  if (counts.length === 0) return []
  return [
    tableWithTexts(
      headingsOf(place === undefined ? 'FIRST LINE' : 'FIRST ROW'),
      counts.flatMap((each) => rowsOf(each, place ?? numberText)),
    ),
    `Meaning and remedy of a code: ${typed('explain CODE')}`,
  ]
}

/** Examples that the terminal shows. */
const shownExamples = 3

const noticeOf = (words: string, examples: readonly string[], effect: string): readonly string[] =>
  examples.length === 0 ? [] : [`Notice: ${words}: ${examples.slice(0, shownExamples).join(', ')}. ${effect}`]

/** The findings of the comparison of all accounts of a file; empty without findings. */
const wholeFileText = (totals: FileTotals, place: Place | undefined): readonly string[] => {
  const { repeats, sharedPoints, warnings } = totals
  const compared = comparedText(totals)
  return [
    ...warnings.map((warning) => `Notice: ${warning.field}: ${warningText(warning, place)}`),
    ...noticeOf(
      `${counted(repeats.count, 'line')} with an account that an earlier line has already`,
      repeats.examples.map((each) => repeatText(each, place)),
      'The later one would replace the earlier.',
    ),
    ...noticeOf(
      `${counted(sharedPoints.count, 'supply point')} of an account that an earlier line has in another account`,
      sharedPoints.examples.map((each) => sharedText(each, place)),
      'Both accounts would be billed for it.',
    ),
    ...(compared === undefined ? [] : [`Notice: ${compared}`]),
  ]
}

/** The findings of a run over a file. */
export const findingsText = ({ totals, place }: Pick<FileOutcome, 'totals' | 'place'>): readonly string[] => [
  ...codesText(totals.codes, place),
  ...wholeFileText(totals, place),
]

/** Seconds for `--json`, rounded to milliseconds. */
export const secondsJson = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** The JSON form of the codes of one severity, with the counts of accounts and entries. */
export const codesJson = (codes: readonly CodeCount[], wanted: FindingSeverity) =>
  codes
    .filter(({ severity }) => severity === wanted)
    .map(({ code, accounts, findings: entries }) => ({ code, accounts, entries }))

/**
 * The JSON form of a run over a file for `--json`: the file, `own`, repeated accounts and supply points, the written files, and
 * `run`, the only part that differs between two runs over the same file.
 */
export const fileJson = (
  { file, outputs: { out, ...outputs } }: Readonly<{ file: string; outputs: OutputPaths }>,
  { totals, facts }: FileOutcome,
  kinds: readonly Exclude<keyof OutputPaths, 'out'>[],
  own: object,
  run: object,
) => ({
  file: { name: file, bytes: totals.bytes, sha256: totals.sha256 },
  lines: totals.lines,
  accounts: totals.accounts,
  ...own,
  repeated_accounts: {
    lines: totals.repeats.count,
    complete: totals.repeats.complete,
    examples: totals.repeats.examples.map(({ line, firstLine }) => ({ line, first_line: firstLine })),
  },
  shared_supply_points: {
    count: totals.sharedPoints.count,
    complete: totals.sharedPoints.complete,
    examples: totals.sharedPoints.examples.map(({ line, firstLine, number, firstNumber }) => ({
      line,
      external_account_number: number,
      first_line: firstLine,
      first_external_account_number: firstNumber,
    })),
  },
  written: {
    ...(out !== undefined && { out }),
    ...Object.fromEntries(kinds.map((kind) => [kind, outputs[kind] ?? null])),
  },
  run: {
    started_at: `${facts.startedAt.toISOString().slice(0, 19)}Z`,
    seconds: secondsJson(facts.seconds),
    accounts_per_second: accountsASecond(totals.accounts, facts),
    ...run,
  },
})

/** Duration and speed of a run over a file. */
export const paceText = ({ totals: { accounts }, facts }: FileOutcome): string =>
  `${decimalText(facts.seconds)} s (${numberText(accountsASecond(accounts, facts))} a second)`
