import type { Failure } from '@account-import/client'
import { ImportStopped } from '../../import/import-stopped.js'
import type { FileFailure } from '../../account-files/file-failure.js'
import type { CommandError } from '../command-error.js'
import { exitCode, type ExitCode } from '../exit-code.js'

/** Beside faults of the service: what a later run may well be answered differently. */
const passing = new Set([0, 408, 409, 429])

/** The exit code for a request that the service did not do. */
const codeOf = ({ status, code }: Failure): Exclude<ExitCode, 0> => {
  if (code === 'answer_cut') return exitCode.dataHasFailures
  return passing.has(status) || status >= 500 ? exitCode.environment : exitCode.refused
}

/** What a request that was refused, or not answered, means for a command. */
export const serviceError = (failure: Failure): CommandError => ({
  exitCode: codeOf(failure),
  code: failure.code === 'unknown_code' ? failure.problem.code : failure.code,
  detail: failure.problem.detail,
  errors: failure.problem.errors,
})

/** Why a run over a file ended before its end. */
export const stoppedError = (failure: FileFailure, stopCode: () => 130 | 143): CommandError => {
  if (failure instanceof ImportStopped) return serviceError(failure.failure)
  const { kind, message: detail } = failure
  if (kind === 'interrupted') return { exitCode: stopCode(), code: kind, detail }
  const code = kind === 'not_one_account_a_line' ? exitCode.refused : exitCode.environment
  return { exitCode: code, code: kind, detail }
}
