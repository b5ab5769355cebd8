import { readCommand, usage, type Command } from './command-line.js'
import { accountLines, expectedLines, type Counted } from './lines.js'
import { writeLines } from './write-lines.js'

/** The reader of stdout may close it early, as `head` does. */
const isReaderGone = (cause: unknown): boolean =>
  cause instanceof Error &&
  'code' in cause &&
  (cause.code === 'EPIPE' || cause.code === 'ERR_STREAM_PREMATURE_CLOSE')

const numberText = (number: number): string => number.toLocaleString('en-GB')

const writtenText = ({ accounts, withFaults }: Counted, out: string): string =>
  `Wrote ${numberText(accounts)} account${accounts === 1 ? '' : 's'} (${numberText(withFaults)} with faults) to ${out}`

const write = async ({ options, out, expected }: Command): Promise<number> => {
  try {
    const counted = { accounts: 0, withFaults: 0 }
    await writeLines(accountLines(options, counted), out)
    if (expected !== undefined) await writeLines(expectedLines(options), expected)
    if (out !== undefined) console.error(writtenText(counted, out))
    return 0
  } catch (cause) {
    if (out === undefined && isReaderGone(cause)) return 0
    console.error(cause instanceof Error ? cause.message : cause)
    return 1
  }
}

const main = async (args: readonly string[]): Promise<number> => {
  if (args.includes('--help')) {
    console.log(usage)
    return 0
  }
  const command = readCommand(args)
  if (typeof command !== 'string') return write(command)
  console.error(`${command}\n\n${usage}`)
  return 2
}

process.exitCode = await main(process.argv.slice(2))
