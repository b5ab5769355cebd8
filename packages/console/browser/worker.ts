import { FileFailure, ImportStopped, numberText } from '@account-import/account-files'
import { E } from '@account-import/core/fp'
import { type Checked, checkFile } from './files/check-file.js'
import { type CheckThreadSetup, serveChecks, threads } from './files/check-threads.js'
import { importFile } from './files/import-file.js'
import { proveFiles } from './files/prove-files.js'
import type { Order, Report } from './page/protocol.js'

const say = (report: Report): void => postMessage(report)

let checked: Checked | undefined
let lastSaid = 0

/** Often enough for a person; each message is work for the page. */
const progress = (part: number, text: string, trouble?: string): void => {
  const now = performance.now()
  if (now - lastSaid < 200) return
  lastSaid = now
  say({ kind: 'progress', part, text, trouble })
}

const sessionEnded = 'Your session has ended. Log in again in another tab, then repeat this here.'

const failed = (message: string, status = 0): Report => ({
  kind: 'failed',
  message: status === 401 ? sessionEnded : message,
})

const failureOf = (cause: unknown): Report => {
  if (cause instanceof ImportStopped) return failed(cause.message, cause.failure.status)
  if (cause instanceof FileFailure) return failed(cause.message)
  throw cause
}

const done = async (order: Order): Promise<Report> => {
  if (order.kind === 'check') {
    const checkThreads = threads(order.suppliers, new URL('./worker.js', import.meta.url))
    checked = await checkFile(order.file, checkThreads, (source, accounts) =>
      progress(source.bytes / Math.max(1, source.size), `${numberText(accounts)} accounts checked`),
    )
    return { kind: 'checked', result: checked.result }
  }
  if (order.kind === 'prove') {
    const proof = await proveFiles(order, (part) => progress(Math.min(part, 1), 'Comparing'))
    if (E.isRight(proof)) return { kind: 'proved', proof: proof.right }
    return proof.left.kind === 'changed'
      ? failed(proof.left.detail)
      : failed(proof.left.failure.problem.detail, proof.left.failure.status)
  }
  if (checked === undefined) throw new Error('No file was checked.')
  return { kind: 'imported', result: await importFile(checked, order, progress) }
}

globalThis.onmessage = ({ data }: MessageEvent<Order | CheckThreadSetup>) => {
  if (data.kind === 'check_batches') return serveChecks(data)
  // An unexpected failure is rethrown, so that the page gets it as an error of its worker.
  done(data)
    .catch(failureOf)
    .then(say, (cause: unknown) => reportError(cause))
}
