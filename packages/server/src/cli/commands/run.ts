import { E, mapped } from '@account-import/core/adapter-kit'
import type { AnswerOf } from '@account-import/http-contract'
import type { Command } from 'commander'
import { csvOf } from '../../account-files/output/csv.js'
import { numberText } from '../../account-files/report/numbers.js'
import { type CliContext, leafCommand } from '../command.js'
import {
  connect,
  type Connected,
  type ConnectionOptions,
  serviceError,
  withConnection,
} from '../connection.js'
import { columns, listPrinter, printPages, properties, table } from '../output.js'
import { takeBack, type UndoOptions, withUndo } from './undo.js'

type ImportRunFailureBody = AnswerOf<'importRunFailures'>[number]

/** Items of one request; the service gives so many at most. */
const limit = 1000

type Page<Body> = Readonly<{ ok: true; body: readonly Body[] }> | Parameters<typeof serviceError>[0]

/** Pages as the printer takes them; a failure in the words of the command line. */
const told = <Body>({ names }: Connected, pages: AsyncIterable<Page<Body>>) =>
  mapped(pages, (page) => (page.ok ? E.right(page.body) : E.left(serviceError(page, names))))

const shownRuns = columns<AnswerOf<'openImportRun'>>([
  ['ID', 22, ({ id }) => id],
  ['STATE', 11, ({ state }) => state],
  ['STARTED', 20, ({ started_at: startedAt }) => startedAt],
  ['SUPPLIER', 16, ({ import_supplier: supplier }) => supplier],
  ['SOURCE', 24, ({ source }) => source?.name ?? ''],
  ['LABEL', 0, ({ label }) => label ?? ''],
])

const list = (context: CliContext): Command =>
  withConnection(
    leafCommand('list', 'Show import runs, the latest first.').option(
      '--supplier <code>',
      'only those of this import supplier',
    ),
  ).action(async (options: ConnectionOptions & Readonly<{ supplier?: string }>) => {
    const connected = await connect(context.io, options)
    if (E.isLeft(connected)) return context.finish(connected)
    const { supplier } = options
    const request = { limit, ...(supplier !== undefined && { importSupplier: supplier }) }
    await printPages(context, told(connected.right, connected.right.client.importRunPages(request)), {
      ...shownRuns,
      json: (run) => run,
      none: 'There is no import run.',
    })
  })

/** The counts of a run, and its most frequent errors, for people. */
export const runText = ({ counts, ...run }: AnswerOf<'importRun'>): string => {
  const facts = properties({
    'import run': run.id,
    supplier: run.import_supplier,
    state: run.state,
    source: run.source?.name ?? 'none',
    label: run.label ?? 'none',
    'started by': run.started_by,
    started: run.started_at,
    'latest request': run.latest_request_at,
    'latest progress': run.latest_progress_at,
    finished: run.finished_at ?? 'not yet',
    staged: numberText(counts.staged),
    created: numberText(counts.created),
    'refused when staged': numberText(counts.failed.stage),
    'refused when created': numberText(counts.failed.process),
    ...(run.failures_removed_at !== null && { 'refusals removed': run.failures_removed_at }),
  })
  if (counts.errors.length === 0) return facts
  const rows = counts.errors.map(({ step, code, field, count }) => [step, code, field, numberText(count)])
  return `${facts}\n\n${table(['STEP', 'CODE', 'FIELD', 'ACCOUNTS'], rows)}`
}

const show = (context: CliContext): Command =>
  withConnection(
    leafCommand(
      'show',
      'Show how far an import run is, what it did, and which errors are most frequent.',
    ).argument('<run>', 'id of the import run'),
  ).action(async (id: string, options: ConnectionOptions) => {
    const connected = await connect(context.io, options)
    if (E.isLeft(connected)) return context.finish(connected)
    const { client, names } = connected.right
    const run = await client.importRun(id)
    context.finish(
      run.ok ? E.right({ json: run.body, result: runText(run.body) }) : E.left(serviceError(run, names)),
    )
  })

/** The errors of a failure; its own code where it has none. */
const errorsOf = ({ code, errors }: ImportRunFailureBody): ImportRunFailureBody['errors'] =>
  errors.length > 0 ? errors : [{ code, attr: '', times: 1 }]

const shownFailures = columns<ImportRunFailureBody>([
  ['STEP', 7, ({ step }) => step],
  ['LINE', 9, ({ line }) => (line === null ? '' : String(line))],
  ['ACCOUNT', 24, ({ external_account_number: number }) => number ?? ''],
  [
    'ERRORS',
    0,
    (failure) =>
      errorsOf(failure)
        .map(({ code, attr }) => (attr === '' ? code : `${code} (${attr})`))
        .join(', '),
  ],
])

const tableHead = ['step', 'line', 'external_account_number', 'code', 'field', 'times'] as const

const csvRows = (failure: ImportRunFailureBody): string =>
  csvOf(
    errorsOf(failure).map(({ code, attr, times }) => [
      failure.step,
      failure.line ?? '',
      failure.external_account_number ?? '',
      code,
      attr,
      times,
    ]),
  )

const failures = (context: CliContext): Command =>
  withConnection(
    leafCommand('failures', 'Show the accounts that an import run was refused, with codes and fields.')
      .argument('<run>', 'id of the import run')
      .option('--csv', 'print a table with a row for each error: CSV'),
  ).action(async (id: string, options: ConnectionOptions & Readonly<{ csv?: true }>) => {
    const { io, finish } = context
    const connected = await connect(io, options)
    if (E.isLeft(connected)) return finish(connected)
    const pages = told(
      connected.right,
      connected.right.client.importRunFailurePages({ importRun: id, limit }),
    )
    const none = 'The import run was refused no account.'
    if (options.csv !== true)
      return printPages(context, pages, { ...shownFailures, json: (failure) => failure, none })
    const printer = listPrinter<ImportRunFailureBody>(io, {
      head: csvOf([tableHead]),
      between: '',
      item: csvRows,
    })
    for await (const page of pages) {
      if (E.isLeft(page)) return finish(page)
      if (!(await printer.add(page.right))) return
    }
    printer.end('')
  })

const undo = (context: CliContext): Command =>
  withUndo(
    leafCommand(
      'undo',
      'Take back the accounts that an import run created, as the command undo does for accounts that are named.',
    ).argument('<run>', 'id of the import run'),
  ).action(async (id: string, options: UndoOptions) => {
    const { io, finish } = context
    const connected = await connect(io, options)
    if (E.isLeft(connected)) return finish(connected)
    const { client, names } = connected.right
    const run = await client.importRun(id)
    if (!run.ok) return finish(E.left(serviceError(run, names)))
    const numbers: string[] = []
    for await (const page of client.importRunAccountPages({ importRun: id, limit })) {
      if (!page.ok) return finish(E.left(serviceError(page, names)))
      for (const { external_account_number: number } of page.body) numbers.push(number)
    }
    finish(await takeBack(connected.right, run.body.import_supplier, numbers, options))
  })

/** `run list | show | failures | undo` */
export const make = (context: CliContext): readonly Command[] => [
  list(context),
  show(context),
  failures(context),
  undo(context),
]
