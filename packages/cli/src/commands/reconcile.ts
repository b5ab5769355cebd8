import {
  FileFailure,
  numberText,
  accountCounts,
  type Controls,
  digestBytes,
  type DigestOf,
  equalText,
  type NotReconciled,
  piecesOf,
  type Proof,
  proofLists,
  type ReadableFile,
  readingSettings,
  reconciled,
  verdictText,
} from '@account-import/account-files'
import { systemClock } from '@account-import/core'
import { today } from '@account-import/core/adapter-kit'
import { E, type Either } from '@account-import/core/fp'
import type { CheckContext } from '@account-import/core/payloads'
import { createHash } from 'node:crypto'
import { openSource } from '../account-files/input/source.js'
import { Outputs } from '../account-files/output/outputs.js'
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
import { apiCommand, type Connected, serviceError } from '../kit/connection.js'
import { printer, stoppable } from '../kit/file-run.js'
import { InputFile, InputFileArgument, OutputFile } from '../kit/files.js'
import { table } from '../kit/tables.js'
import { readOfflineConfig } from '../offline/config.js'
import { packageVersion, conversion } from '../program-name.js'
import { partsOnDisk } from '../reconcile/parts-on-disk.js'
import { proofPage, readControls, readExcluded } from '../reconcile/proof-page.js'

const about = `Prove that the accounts of files and those of the service are the same: each account is missing, extra, only staged,
equal or different, and the sums of balances and transactions agree or not. The service sends digests, and no accounts. Exit
code 0 only if there is no difference. Run it before data is added to the accounts: additions change the sums.`

type Options = Readonly<{
  supplier: string
  controls?: string
  excluded?: string
  report?: string
  by?: string
}>

type Job = Readonly<{
  files: readonly string[]
  supplier: string
  context: CheckContext
  controls: Controls
  excluded: Readonly<Record<string, string>>
  report: string | undefined
  by: string
}>

/** Small, so that responses of the service are processed between two pieces. */
const pieceBytes = 64 * 1024

const readable = (name: string): ReadableFile => ({
  name,
  read: async () => {
    const source = await openSource(name, process.stdin)
    return {
      pieces: piecesOf(source.content(), pieceBytes, conversion()),
      facts: () => ({ bytes: source.bytes, sha256: source.sha256() }),
    }
  },
})

const digestOf: DigestOf = (text) => createHash('sha256').update(text).digest().subarray(0, digestBytes)

const errorOf = (failure: NotReconciled, names: Parameters<typeof serviceError>[1]): CommandError =>
  failure.kind === 'service' ? serviceError(failure.failure, names) : refused('input_changed', failure.detail)

const compared = async (
  { client, names }: Connected,
  { supplier, ...job }: Job,
  stop: AbortSignal,
): Promise<Either<CommandError, Proof>> => {
  const parts = partsOnDisk()
  const proof = await reconciled(
    {
      ...job,
      client,
      supplier,
      files: job.files.map(readable),
      version: packageVersion(),
      url: names.url,
      digestOf,
      parts,
    },
    stop,
  ).finally(parts.remove)
  return E.isLeft(proof) ? E.left(errorOf(proof.left, { ...names, supplier })) : proof
}

const mostShown = 10

const listsText = (proof: Proof): readonly string[] =>
  proofLists(proof).map(({ title, list: { count, named } }) => {
    const more = count > mostShown ? ` and ${numberText(count - mostShown)} more` : ''
    return `${title}: ${named.slice(0, mostShown).join(', ')}${more}`
  })

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
    ...listsText(proof),
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
  { supplier, controls, excluded, report, by }: Options,
): Promise<Either<CommandError, Job>> => {
  if (files.includes('-'))
    return E.left(
      refused('usage', 'The files are read twice: name them, the standard input cannot be read again.'),
    )
  const config = readOfflineConfig(io.environment)
  if (E.isLeft(config)) return E.left(notConfigured(config.left))
  const totals: Either<string, Controls> = controls === undefined ? E.right({}) : await readControls(controls)
  if (E.isLeft(totals)) return E.left(refused('controls_not_valid', totals.left))
  const exclusion = excluded === undefined ? E.right({}) : await readExcluded(excluded)
  if (E.isLeft(exclusion)) return E.left(refused('exclusion_not_valid', exclusion.left))
  const { timeZone, defaultCountry } = config.right
  const context = { settings: readingSettings, defaultCountry, today: today(systemClock.now(), timeZone) }
  const given = { controls: totals.right, excluded: exclusion.right }
  return E.right({ files, supplier, context, ...given, report, by: by ?? operator() })
}

/** `reconcile FILE... --supplier CODE --url U [--controls FILE] [--report FILE]` */
export const make = (context: CliContext) =>
  apiCommand(
    context,
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
      .addOption(
        new InputFile(
          '--excluded <file>',
          'accept that these accounts are not imported: numbers with reasons (JSON)',
        ),
      )
      .addOption(new OutputFile('--report <file>', 'write the proof for an auditor: one HTML page'))
      .option('--by <name>', 'name in the report (default: the operator)'),
    async (connected, files: readonly string[], options: Options) => {
      const job = await jobOf(context, files, options)
      return E.isLeft(job) ? job : run(context.io, connected, job.right)
    },
  )
