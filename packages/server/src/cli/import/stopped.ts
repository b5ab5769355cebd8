import { type Failure, isTlsCode, noConnectionCode } from '@account-import/client'
import type { FileFailure } from '../../account-files/file-failure.js'
import { ImportStopped, withRequestId } from '../../import/import-job.js'
import { type CommandError, exitCode, type ExitCode } from '../command-result.js'

/** Beside faults of the service: what a later run may well be answered differently. */
const passing = new Set([0, 408, 409, 429])

/** The exit code for a request that the service did not do. */
const codeOf = ({ status, code }: Failure): Exclude<ExitCode, 0> => {
  if (code === 'answer_cut') return exitCode.dataHasFailures
  return passing.has(status) || status >= 500 ? exitCode.environment : exitCode.refused
}

/** Names for the inputs of the command, for its messages: the service is told nothing but their values. */
export type Named = Readonly<{
  url: string
  /** Where the API key comes from. */
  key: string
  supplier?: string
}>

const notReached = (url: string, reason: string): string =>
  isTlsCode(reason)
    ? `There is no TLS connection to ${url} (${reason}). Is the address right, and the certificate trusted?` +
      ' NODE_EXTRA_CA_CERTS names the file of an authority to trust.'
    : `Nothing answers at ${url} (${reason}). Is the service running, and is this its address?`

/** In the words of the command line, where those of the API speak of what its user has not seen. */
const detailOf = (failure: Failure, { url, key, supplier }: Named): string => {
  const { code, problem, cause, requestId } = failure
  if (code === 'authentication_failed') return `The service does not accept the API key of ${key}.`
  if (code === 'not_found' && supplier !== undefined) return `No supplier ${supplier} for this key.`
  const nobody = noConnectionCode(cause)
  if (nobody !== undefined) return notReached(url, nobody)
  return withRequestId(problem.detail, requestId)
}

/** The meaning of a refused or unanswered request for a command. */
export const serviceError = (failure: Failure, named: Named): CommandError => ({
  exitCode: codeOf(failure),
  code: failure.code === 'unknown_code' ? failure.problem.code : failure.code,
  detail: detailOf(failure, named),
  errors: failure.problem.errors,
})

/** Why a run over a file ended before its end. */
export const stoppedError = (failure: FileFailure, named: Named, stopCode: () => 130 | 143): CommandError => {
  if (failure instanceof ImportStopped) return serviceError(failure.failure, named)
  const { kind, message: detail } = failure
  if (kind === 'interrupted') return { exitCode: stopCode(), code: kind, detail }
  const code = kind === 'not_one_account_a_line' ? exitCode.refused : exitCode.environment
  return { exitCode: code, code: kind, detail }
}
