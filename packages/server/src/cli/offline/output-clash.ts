import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { OutputPaths } from '../../account-files/output/outputs.js'
import type { JsonOption } from '../cli-io.js'
import { type CommandError, exitCode } from '../command-result.js'

/** Which file a path stands for, however it is written; undefined for none yet. */
const identity = async (path: string): Promise<string | undefined> => {
  try {
    const { dev, ino } = await stat(path)
    return `${dev} ${ino}`
  } catch {
    // A file that does not exist clashes with nothing; whether it can be made is seen when it is opened.
    return undefined
  }
}

const usage = (detail: string): CommandError => ({ exitCode: exitCode.refused, code: 'usage', detail })

/** Two names for one file would destroy the input, or one output by another. */
export const outputClash = async (
  inputs: readonly string[],
  outputs: OutputPaths,
  { json }: JsonOption,
): Promise<CommandError | undefined> => {
  if (json === true && Object.values(outputs).includes('-'))
    return usage(
      'With --json the standard output is for one JSON document: give the output a file of its own.',
    )
  const paths = [...inputs, ...Object.values(outputs)]
  const files = await Promise.all(paths.map(async (path) => (await identity(path)) ?? resolve(path)))
  return new Set(files).size === files.length
    ? undefined
    : usage('Input and outputs have to be different files; nothing was checked.')
}
