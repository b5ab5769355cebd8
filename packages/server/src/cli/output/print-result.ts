import type { CliIo } from '../cli-io.js'
import type { CommandError } from '../command-error.js'
import type { CommandResult } from '../command-result.js'
import { exitCode, type ExitCode } from '../exit-code.js'

const printFailure = (io: CliIo, failure: CommandError, json: boolean): void => {
  const { code, detail, errors = [] } = failure
  const lines = errors.map(
    (error) => `  ${[error.attr, error.detail].filter((part) => part !== '').join(': ')}`,
  )
  io.err(`${[detail, ...lines].join('\n')}\n`)
  if (json) io.out(`${JSON.stringify({ error: { code, detail, errors } })}\n`)
}

/** Prints what a command has to say, with `--json` as exactly one JSON document, and gives the exit code. */
export const printResult = (io: CliIo, result: CommandResult, json: boolean): ExitCode => {
  if (result._tag === 'Left') {
    printFailure(io, result.left, json)
    return result.left.exitCode
  }
  const { json: value, document, result: asked, message, notices = [], exitCode: code } = result.right
  if (document !== undefined) io.out(`${document}\n`)
  else if (json) io.out(`${JSON.stringify(value)}\n`)
  else {
    if (asked !== undefined) io.out(`${asked}\n`)
    if (message !== undefined) io.err(`${message}\n`)
  }
  for (const notice of notices) io.err(`${notice}\n`)
  return code ?? exitCode.done
}
