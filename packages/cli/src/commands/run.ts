import { csvOf, durationText, numberText } from '@account-import/account-files'
import { mapped } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/fp'
import type { AnswerOf } from '@account-import/http-contract'
import { type CliContext, exampleService, leafCommand } from '../kit/command.js'
import { apiCommand, bodyOf, type Connected, serviceError } from '../kit/connection.js'
import { listPrinter, printPages, properties, type Shown } from '../kit/output.js'
import { columns, table } from '../kit/tables.js'
import { undoAccounts, type UndoOptions, withUndo } from './undo.js'

type ImportRunFailureBody = AnswerOf<'importRunFailures'>[number]

/** Items of one request: the maximum of the API. */
const limit = 1000

/** Prints pages of a list of the service; answers nothing for `apiCommand` to print. */
const printed = async <Body>(
  context: CliContext,
  pages: AsyncIterable<Parameters<typeof bodyOf<readonly Body[]>>[0]>,
  { names }: Connected,
  shown: Shown<Body>,
): Promise<undefined> => {
  await printPages(
    context,
    mapped(pages, (page) => bodyOf(page, names)),
    shown,
  )
}

const stateText = (state: AnswerOf<'openImportRun'>['state']): string => state.replace('_', ' ')

const shownRuns: Shown<AnswerOf<'openImportRun'>> = {
  json: (run) => run,
  none: 'There is no import run.',
  ...columns<AnswerOf<'openImportRun'>>([
    ['ID', 22, ({ id }) => id],
    ['STATE', 13, ({ state }) => stateText(state)],
    ['STARTED', 20, ({ started_at: startedAt }) => startedAt],
    ['DURATION', 9, ({ duration_seconds: seconds }) => durationText(seconds)],
    ['CREATED', 9, ({ counts }) => numberText(counts.created)],
    ['REFUSED', 9, ({ counts }) => numberText(counts.refused)],
    ['UNDONE', 9, ({ undone: { count } }) => numberText(count)],
    ['SUPPLIER', 16, ({ import_supplier: supplier }) => supplier],
    ['STARTED BY', 24, ({ started_by: by }) => by],
    ['IN FILE', 9, ({ source }) => (source?.accounts ? numberText(source.accounts) : '')],
    ['SOURCE', 24, ({ source }) => source?.name ?? ''],
    ['LABEL', 0, ({ label }) => label ?? ''],
  ]),
}

const list = (context: CliContext) =>
  apiCommand(
    context,
    leafCommand('list', 'Show import runs, the latest first.')
      .example(`run list ${exampleService}`, `run list --supplier LEVANTE ${exampleService} --json`)
      .option('--supplier <code>', 'only those of this import supplier'),
    (connected, { supplier }: Readonly<{ supplier?: string }>) => {
      const request = { limit, ...(supplier !== undefined && { importSupplier: supplier }) }
      return printed(context, connected.client.importRunPages(request), connected, shownRuns)
    },
  )

/** The counts of a run, and its most frequent errors, for people. */
export const runText = ({ counts, ...run }: AnswerOf<'importRun'>): string => {
  const received = Math.max(counts.staged, counts.created + counts.failed.process) + counts.failed.stage
  const facts = properties({
    'import run': run.id,
    supplier: run.import_supplier,
    state: stateText(run.state),
    source: run.source?.name ?? 'none',
    // Removed refusals are not counted.
    ...(run.source?.accounts &&
      run.failures_removed_at === null && {
        'accounts of the file': `${numberText(received)} of ${numberText(run.source.accounts)} staged, created or refused by the run`,
      }),
    label: run.label ?? 'none',
    'started by': run.started_by,
    started: run.started_at,
    'latest request': run.latest_request_at,
    'latest progress': run.latest_progress_at,
    finished: run.finished_at ?? 'not yet',
    duration: durationText(run.duration_seconds),
    staged: numberText(counts.staged),
    created: numberText(counts.created),
    ...(run.undone.count > 0 && {
      undone: `${numberText(run.undone.count)}, latest ${run.undone.latest_at ?? ''} by ${run.undone.latest_by ?? ''}`,
    }),
    'refused when staged': numberText(counts.failed.stage),
    'refused when created': numberText(counts.failed.process),
    ...(run.failures_removed_at !== null && { 'refusals removed': run.failures_removed_at }),
  })
  if (counts.errors.length === 0) return facts
  const rows = counts.errors.map(({ step, code, field, count }) => [step, code, field, numberText(count)])
  return `${facts}\n\n${table(['STEP', 'CODE', 'FIELD', 'ACCOUNTS'], rows)}`
}

const show = (context: CliContext) =>
  apiCommand(
    context,
    leafCommand('show', 'Show how far an import run is, what it did, and which errors are most frequent.')
      .example(`run show 4f2k9Q7x1M3pT8vB2nL6sA ${exampleService}`)
      .argument('<run>', 'id of the import run'),
    async ({ client, names }, id: string) =>
      E.map((run: AnswerOf<'importRun'>) => ({ json: run, result: runText(run) }))(
        bodyOf(await client.importRun(id), names),
      ),
  )

/** The errors of a failure, or its own code where the failure has no errors. */
const errorsOf = ({ code, errors }: ImportRunFailureBody): ImportRunFailureBody['errors'] =>
  errors.length > 0 ? errors : [{ code, attr: '', times: 1 }]

const errorsText = (failure: ImportRunFailureBody): string =>
  errorsOf(failure)
    .map(({ code, attr }) => (attr === '' ? code : `${code} (${attr})`))
    .join(', ')

const shownFailures: Shown<ImportRunFailureBody> = {
  json: (failure) => failure,
  none: 'The import run has no refused accounts.',
  ...columns<ImportRunFailureBody>([
    ['STEP', 7, ({ step }) => step],
    ['LINE', 9, ({ line }) => (line === null ? '' : String(line))],
    ['ACCOUNT', 24, ({ external_account_number: number }) => number ?? ''],
    ['ERRORS', 0, errorsText],
  ]),
}

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

const failures = (context: CliContext) =>
  apiCommand(
    context,
    leafCommand('failures', 'Show the refused accounts of an import run, with codes and fields.')
      .example(`run failures 4f2k9Q7x1M3pT8vB2nL6sA ${exampleService} --csv > refused.csv`)
      .argument('<run>', 'id of the import run')
      .option('--csv', 'print a table with a row for each error: CSV'),
    async (connected, id: string, { csv }: Readonly<{ csv?: true }>) => {
      const pages = connected.client.importRunFailurePages({ importRun: id, limit })
      if (csv !== true) return printed(context, pages, connected, shownFailures)
      const printer = listPrinter<ImportRunFailureBody>(context.io, {
        head: csvOf([tableHead]),
        between: '',
        item: csvRows,
      })
      for await (const page of pages) {
        if (!page.ok) return E.left(serviceError(page, connected.names))
        if (!(await printer.add(page.body))) return undefined
      }
      printer.end('')
      return undefined
    },
  )

const shownOpen: Shown<AnswerOf<'openFailures'>[number]> = {
  json: (failure) => failure,
  none: 'No failure is open.',
  ...columns<AnswerOf<'openFailures'>[number]>([
    ['ACCOUNT', 24, ({ external_account_number: number }) => number ?? ''],
    ['RUN', 22, ({ import_run: run }) => run],
    ['LINE', 9, ({ line }) => (line === null ? '' : String(line))],
    ['ERRORS', 0, errorsText],
  ]),
}

const open = (context: CliContext) =>
  apiCommand(
    context,
    leafCommand(
      'open',
      'Show the refused accounts of all runs of a supplier that were neither accepted since nor dismissed.',
    )
      .example(`run open LEVANTE ${exampleService}`)
      .argument('<supplier>', 'import supplier code'),
    (connected, importSupplier: string) =>
      printed(context, connected.client.openFailurePages({ importSupplier, limit }), connected, shownOpen),
  )

/** `RUN:LINE` */
const lineOf = (text: string) => {
  const [, run = text, line = ''] = /^(.+):(\d+)$/.exec(text) ?? []
  return { import_run: run, line: Number(line) }
}

type DismissOptions = Readonly<{ reason: string; line?: readonly string[] }>

const dismiss = (context: CliContext) =>
  apiCommand(
    context,
    leafCommand('dismiss', 'Dismiss open failures that nobody will repair; the audit log keeps the reason.')
      .example(`run dismiss LEVANTE LEV-E-000456 --reason "Closed before the migration" ${exampleService}`)
      .argument('<supplier>', 'import supplier code')
      .argument('[account...]', 'external account numbers, at most 10,000')
      .option('--line <run:line...>', 'lines whose number could not be read: id of the run, and line')
      .requiredOption('--reason <text>', 'why nothing is to be repaired, at most 200 characters'),
    async (
      { client, names },
      supplier: string,
      accounts: readonly string[],
      { reason, line = [] }: DismissOptions,
    ) => {
      const numbers = accounts.map((number) => ({ external_account_number: number }))
      const failures = [...numbers, ...line.map(lineOf)]
      const answer = await client.dismissFailures({ import_supplier: supplier, failures, reason })
      return E.map(({ dismissed }: AnswerOf<'dismissFailures'>) => ({
        json: { dismissed },
        message: `${numberText(dismissed)} of ${numberText(failures.length)} failures dismissed; the others were not open.`,
      }))(bodyOf(answer, { ...names, supplier }))
    },
  )

const undo = (context: CliContext) =>
  apiCommand(
    context,
    withUndo(
      leafCommand(
        'undo',
        'Undo the accounts that an import run created, as the command undo does for named accounts.',
      )
        .example(`run undo 4f2k9Q7x1M3pT8vB2nL6sA ${exampleService}`)
        .argument('<run>', 'id of the import run'),
    ),
    async (connected, id: string, options: UndoOptions) => {
      const { client, names } = connected
      const run = bodyOf(await client.importRun(id), names)
      if (E.isLeft(run)) return run
      const numbers = () =>
        mapped(client.importRunAccountPages({ importRun: id, limit }), (page) =>
          E.map((accounts: AnswerOf<'importRunAccounts'>) =>
            accounts.map((account) => account.external_account_number),
          )(bodyOf(page, names)),
        )
      await undoAccounts(context, { connected, supplier: run.right.import_supplier, numbers, options })
      return undefined
    },
  )

const finish = (context: CliContext) =>
  apiCommand(
    context,
    leafCommand(
      'finish',
      'Finish an open import run. Later requests that name it are refused; its accounts stay as they are.',
    )
      .example(`run finish 4f2k9Q7x1M3pT8vB2nL6sA ${exampleService}`)
      .argument('<run>', 'id of the import run'),
    async ({ client, names }, id: string) =>
      E.map((run: AnswerOf<'finishImportRun'>) => ({
        json: run,
        message: `Import run ${run.id} is finished.`,
      }))(bodyOf(await client.finishImportRun(id), names)),
  )

/** `run list | show | failures | open | dismiss | undo | finish` */
export const make = (context: CliContext) => [
  list(context),
  show(context),
  failures(context),
  open(context),
  dismiss(context),
  undo(context),
  finish(context),
]
