import {
  bulkRequests,
  importChecker,
  ImportStopped,
  interrupted,
  lineStates,
  passOf,
  piecesOf,
  progressText,
  Runs,
  stateWords,
  Tally,
  tableHeads,
} from '@account-import/account-files'
import { createClient } from '@account-import/client'
import { batchBytes, type Checked, conversion, Table } from './check-file.js'
import { FileSource } from './file-source.js'
import type { ImportResult } from '../page/protocol.js'

/** A client whose requests the session of the page identifies. Its address is that of the page, so plain HTTP reaches no other. */
export const sessionClient = (api: string) => createClient({ baseUrl: api, allowPlainHttp: true })

/** Browsers allow six connections to a service; the others are for its pages. */
const concurrency = 4

/** Long enough for the restart of a service, without a person at the page. */
const retrySeconds = 600

const wants = { failures: 'table', errors: false, mapping: false } as const

/**
 * Imports the accounts of a checked file, each once, and lets the run record those that the service refuses: a second import of the same file continues an unfinished one. Rejects
 * with a `FileFailure`, such as `ImportStopped`.
 */
export const importFile = async (
  { file, sha256, result: { totals } }: Checked,
  { api, team }: Readonly<{ api: string; team: string }>,
  onProgress: (part: number, text: string, trouble: string | undefined) => void,
): Promise<ImportResult> => {
  const client = sessionClient(api)
  // Later failures are repeated for long: a person waits for the first answer.
  const access = await client.access()
  if (!access.ok) throw new ImportStopped(access)
  const [tally, ending] = [new Tally(), new AbortController()]
  const service = bulkRequests({ client, tally, stop: ending.signal, retrySeconds }, concurrency)
  const source = new FileSource(file)
  const runs = new Runs(
    client,
    {
      reread: () => piecesOf(new FileSource(file).content(), batchBytes, conversion),
      source: { name: file.name, sha256, ...(totals.accounts > 0 && { accounts: totals.accounts }) },
      label: undefined,
    },
    { signal: ending.signal, retrySeconds },
  )
  const job = { team, only: undefined, dryRun: false }
  const failures = new Table(tableHeads(false).failures)
  const pass = passOf({
    wants,
    checker: importChecker({ client, service, runs, job, tally }, wants, ending),
    // One batch is read ahead for each request, so that no request waits for the reader.
    ahead: 2 * concurrency,
    add: (outcome) => failures.add(outcome.failures),
    update: () => undefined,
  })
  const report = (): void => onProgress(tally.done / totals.accounts, progressText(tally), tally.trouble)
  const timer = setInterval(report, 250)
  try {
    for await (const piece of piecesOf(source.content(), batchBytes, conversion)) await pass.take(piece)
    await pass.end()
    const opened = await runs.finish()
    return {
      counts: lineStates
        .filter((state) => tally.states[state] > 0)
        .map((state) => [stateWords[state], tally.states[state]]),
      codes: tally.topCodes(20),
      failed: tally.states.failed + tally.states.differing,
      failures: failures.blob,
      runs: opened.map(({ import_supplier: supplier, id, finished }) => ({ supplier, id, finished })),
    }
  } catch (cause) {
    ending.abort(interrupted())
    throw cause
  } finally {
    clearInterval(timer)
  }
}
