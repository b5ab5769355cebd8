import { builtInSettings, systemClock } from '@account-import/core'
import { today } from '@account-import/core/adapter-kit'
import { E, type Either } from '@account-import/core/fp'
import type { CheckContext } from '@account-import/core/payloads'
import { FileFailure } from '../account-files/file-failure.js'
import { Outputs } from '../account-files/output/outputs.js'
import { numberText } from '../account-files/report/numbers.js'
import { readOfflineConfig } from '../offline/config.js'
import { packageVersion } from '../program-name.js'
import {
  type Compared,
  Comparison,
  differingPaths,
  type FileAccount,
  type Numbers,
  readAccounts,
  type ReadFile,
  type Visitor,
} from '../reconcile/compare.js'
import {
  accountCounts,
  type Controls,
  equalText,
  type Proof,
  proofOf,
  proofPage,
  readControls,
  verdictText,
} from '../reconcile/proof.js'
import {
  type CliContext,
  type CliIo,
  type CommandError,
  type CommandResult,
  exampleService,
  exitCode,
  leafCommand,
  notConfigured,
  refused,
} from '../kit/command.js'
import {
  type Connected,
  type ConnectionOptions,
  serviceError,
  throughApi,
  withConnection,
} from '../kit/connection.js'
import { InputFile, InputFileArgument, OutputFile } from '../kit/files.js'
import { printer, stoppable } from '../kit/file-run.js'
import { table } from '../kit/output.js'

const about = `Prove that the accounts of files and those of the service are the same: each account is missing, extra, only staged,
equal or different, and the sums of balances and transactions agree or not. The service sends digests, and no accounts. Exit
code 0 only if there is no difference. Run it before data is added to the accounts: additions change the sums.`

type Options = ConnectionOptions &
  Readonly<{ supplier: string; controls?: string; report?: string; by?: string }>

type Job = Readonly<{
  files: readonly string[]
  supplier: string
  context: CheckContext
  controls: Controls
  report: string | undefined
  by: string
}>

/** No setting of a supplier accepts more lines than these: without rules of markets and closed lists. */
const readingContext = (timeZone: string, defaultCountry: string): CheckContext => ({
  settings: { ...builtInSettings, markets: [] },
  defaultCountry,
  today: today(systemClock.now(), timeZone),
})

const pageSize = 200

/** The most differing accounts that are examined: one request for each. */
const mostExplained = 200

const readFiles = async (
  { files, context }: Job,
  visitorOf: (file: number) => Visitor,
  stop: AbortSignal,
): Promise<readonly ReadFile[]> => {
  const read: ReadFile[] = []
  for (const [at, file] of files.entries())
    read.push(await readAccounts(file, context, visitorOf(at), { input: process.stdin, stop }))
  return read
}

const ignore = (): void => undefined

/** Requests the differing fields of accounts that differ, and leaves out those that differ by additions alone. */
const explained = async (
  { client, names }: Connected,
  job: Job,
  { differing, grown }: Compared,
  files: readonly ReadFile[],
  stop: AbortSignal,
): Promise<Either<CommandError, Proof['different']>> => {
  const numbers = new Set(differing.named.slice(0, mostExplained))
  const accounts = new Map<string, FileAccount>()
  if (numbers.size > 0) {
    const again = await readFiles(
      job,
      () => ({
        account: (account) => {
          if (account.supplier === job.supplier && numbers.has(account.number))
            accounts.set(account.number, account)
        },
        invalid: ignore,
      }),
      stop,
    )
    if (again.some(({ sha256 }, place) => sha256 !== files[place]?.sha256))
      return E.left(
        refused(
          'input_changed',
          'A file changed while it was compared. Reconcile again when the file no longer changes.',
        ),
      )
  }
  const named: Proof['different']['named'][number][] = []
  let onlyGrown = 0
  for (const account of [...numbers].flatMap((number) => accounts.get(number) ?? [])) {
    const fields = await client.fieldDigests(job.supplier, account.number, { signal: stop })
    // An account that was undone meanwhile has no values.
    if (!fields.ok && fields.code !== 'import_process_does_not_exist')
      return E.left(serviceError(fields, { ...names, supplier: job.supplier }))
    const paths = fields.ok ? differingPaths(account, fields.body, grown.has(account.number)) : ['']
    if (paths.length === 0 && grown.has(account.number)) onlyGrown += 1
    else named.push({ number: account.number, paths })
  }
  const rest = differing.named.slice(mostExplained).map((number) => ({ number }))
  return E.right({ count: differing.count - onlyGrown, named: [...named, ...rest] })
}

/**
 * Reads the files while the service computes digests, so that both work at the same time. The first failure ends both. The first
 * request follows the first account: an unreadable file fails without a request.
 */
const visitBoth = async (
  { client, names }: Connected,
  job: Job,
  comparison: Comparison,
  stop: AbortSignal,
): Promise<Either<CommandError, readonly ReadFile[]>> => {
  const [unlisted, unread] = [new AbortController(), new AbortController()]
  const list = async (): Promise<CommandError | undefined> => {
    const signal = AbortSignal.any([stop, unread.signal])
    for await (const page of client.accountDigestPages(
      { importSupplier: job.supplier, limit: pageSize },
      { signal },
    )) {
      if (!page.ok) return serviceError(page, { ...names, supplier: job.supplier })
      for (const digest of page.body) comparison.addFromService(digest)
    }
    return undefined
  }
  let listed: Promise<CommandError | undefined> | undefined
  const begin = (): Promise<CommandError | undefined> => {
    const listing = list()
    listing.then(
      (failure) => failure && unlisted.abort(),
      () => unlisted.abort(),
    )
    return listing
  }
  const visitorOf = (file: number): Visitor => ({
    account: (account) => {
      listed ??= begin()
      comparison.addFromFile(account, file)
    },
    invalid: (line) => comparison.addInvalid(line, file),
  })
  try {
    const files = await readFiles(job, visitorOf, AbortSignal.any([stop, unlisted.signal]))
    const failure = await (listed ?? begin())
    return failure === undefined ? E.right(files) : E.left(failure)
  } catch (cause) {
    const isEndedByService = unlisted.signal.aborted && !stop.aborted
    unread.abort()
    const failure = await listed
    if (isEndedByService && failure !== undefined) return E.left(failure)
    throw cause
  }
}

const compared = async (
  connected: Connected,
  job: Job,
  stop: AbortSignal,
): Promise<Either<CommandError, Proof>> => {
  const { supplier, by } = job
  const comparison = new Comparison(supplier)
  const files = await visitBoth(connected, job, comparison, stop)
  if (E.isLeft(files)) return files
  const found = comparison.compared(job.files)
  const different = await explained(connected, job, found, files.right, stop)
  if (E.isLeft(different)) return different
  const { url } = connected.names
  const at = new Date().toISOString()
  const run = { supplier, files: files.right, by, at, version: packageVersion(), url }
  return E.right(proofOf(comparison, found, run, different.right, job.controls))
}

const mostShown = 10

const numbersText = (title: string, { count, named }: Numbers): readonly string[] => {
  const more = count > mostShown ? ` and ${numberText(count - mostShown)} more` : ''
  return count === 0 ? [] : [`${title}: ${named.slice(0, mostShown).join(', ')}${more}`]
}

/** A table of the rows that differ; empty without any. */
const differingText = <Row extends Readonly<{ equal: boolean }>>(
  headings: readonly string[],
  rows: readonly Row[],
  cells: (row: Row) => readonly string[],
): readonly string[] => {
  const differing = rows.filter(({ equal }) => !equal)
  return differing.length === 0 ? [] : [table(headings, differing.map(cells))]
}

const proofText = (proof: Proof): string =>
  [
    equalText(proof),
    ...differingText(['DIFFERS', 'FILES', 'CREATED'], proof.figures, (row) => [
      row.name,
      row.file,
      row.created,
    ]),
    ...differingText(['CONTROL', 'EXPECTED', 'CREATED'], proof.controls, (row) => [
      row.name,
      row.expected,
      row.found,
    ]),
    table(
      ['ACCOUNTS', ''],
      accountCounts(proof).map(({ name, count }) => [name, numberText(count)]),
    ),
    ...numbersText('Missing', proof.missing),
    ...numbersText('Only staged', proof.only_staged),
    ...numbersText('Extra', proof.extra),
    ...numbersText('On several lines', proof.repeated),
    ...numbersText('Invalid', proof.invalid),
    ...numbersText('Corrected in another file', proof.corrected),
    ...proof.different.named
      .slice(0, mostShown)
      .map(
        ({ number, paths }) =>
          `Different: ${number}: ${paths?.slice(0, mostShown).join(', ') ?? 'not examined'}`,
      ),
    verdictText(proof),
  ].join('\n\n')

const run = (io: CliIo, connected: Connected, job: Job): Promise<CommandResult> =>
  stoppable(async (stop, stopCode) => {
    let outputs: Outputs | undefined
    try {
      outputs = await Outputs.open(job.report === undefined ? {} : { report: job.report }, printer(io))
      const found = await compared(connected, job, stop)
      if (E.isLeft(found)) {
        await outputs.discard()
        return stop.aborted ? E.left({ ...found.left, exitCode: stopCode() }) : found
      }
      await outputs.writeReport(() => proofPage(found.right))
      await outputs.publish()
      return E.right({
        json: found.right,
        result: proofText(found.right),
        exitCode: found.right.proved ? exitCode.done : exitCode.dataHasFailures,
      })
    } catch (cause) {
      await outputs?.discard()
      if (cause instanceof FileFailure || !stop.aborted) throw cause
      return E.left({
        exitCode: stopCode(),
        code: 'interrupted',
        detail: 'Stopped before the end; nothing was written.',
      })
    }
  })

const jobOf = async (
  { io, operator }: CliContext,
  files: readonly string[],
  { supplier, controls, report, by }: Options,
): Promise<Either<CommandError, Job>> => {
  if (files.includes('-'))
    return E.left(
      refused('usage', 'The files are read twice: name them, the standard input cannot be read again.'),
    )
  const config = readOfflineConfig(io.environment)
  if (E.isLeft(config)) return E.left(notConfigured(config.left))
  const totals: Either<string, Controls> = controls === undefined ? E.right({}) : await readControls(controls)
  if (E.isLeft(totals)) return E.left(refused('controls_not_valid', totals.left))
  const context = readingContext(config.right.timeZone, config.right.defaultCountry)
  return E.right({ files, supplier, context, controls: totals.right, report, by: by ?? operator() })
}

/** `reconcile FILE... --supplier CODE --url U [--controls FILE] [--report FILE]` */
export const make = (context: CliContext) =>
  withConnection(
    leafCommand('reconcile', about)
      .example(
        `reconcile accounts.ndjson --supplier LEVANTE ${exampleService} --report proof.html`,
        `reconcile one.ndjson two.ndjson.gz --supplier LEVANTE ${exampleService} --controls controls.json --json`,
      )
      .addArgument(
        new InputFileArgument(
          '<file...>',
          'the files that were imported: accounts, one JSON object a line or one array',
        ),
      )
      .requiredOption('--supplier <code>', 'import supplier code')
      .addOption(new InputFile('--controls <file>', 'check control totals of the old system too (JSON)'))
      .addOption(new OutputFile('--report <file>', 'write the proof for an auditor: one HTML page'))
      .option('--by <name>', 'name in the report (default: the operator)'),
  ).action(async (files: readonly string[], options: Options) => {
    const job = await jobOf(context, files, options)
    if (E.isLeft(job)) return context.finish(job)
    await throughApi(context, options, (connected) => run(context.io, connected, job.right))
  })
