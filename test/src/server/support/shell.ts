import type { ExecutionContext } from 'ava'
import { cliInProcess } from '../../support/cli-in-process.js'
import type { CliEnvironment, CliOutcome } from '../../support/cli-process.js'
import { tempFolder } from '../../support/temp-folder.js'

export type Json = Readonly<Record<string, unknown>>

/** Commands in the test's own process, on one database; arguments are separated by blanks. */
export type Shell = Readonly<{
  environment: CliEnvironment
  run(line: string): Promise<CliOutcome>
  /** With `--json`; fails the test unless stdout is exactly one document and the exit code is the one named. */
  json<Document = Json>(line: string, code?: number): Promise<Document>
}>

/** On a database of the test's own, unless the environment names one. */
export const shell = async (t: ExecutionContext, given: CliEnvironment = {}): Promise<Shell> => {
  const environment = { DATA_DIR: await tempFolder(t), ...given }
  const run = (line: string): Promise<CliOutcome> => cliInProcess(line.split(' '), environment)
  return {
    environment,
    run,
    json: async <Document = Json>(line: string, code = 0) => {
      const { stdout, stderr, ...outcome } = await run(`${line} --json`)
      t.is(outcome.code, code, `${line}: ${stderr}`)
      t.regex(stdout, /^(?:\[[^]+\]|[^\n]+)\n$/)
      t.notRegex(stderr, /^\s+at /m)
      return JSON.parse(stdout) as Document
    },
  }
}

/** The code of the error that a command printed as JSON. */
export const codeOf = (document: Json): unknown => (document['error'] as Json)['code']
