import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { readCommand, usage, type Command } from './command-line.js'
import { generateAccounts, type GeneratedAccount } from './generate-accounts.js'

const hasFaults = ({ expected: { errors, warnings } }: GeneratedAccount): boolean =>
  errors.length + warnings.length > 0

/** Writes one line for each account of which `lineOf` makes one, as fast as the reader accepts them; makes the folder of the file. */
const write = async (
  { options }: Command,
  path: string | undefined,
  lineOf: (account: GeneratedAccount, line: number) => unknown,
): Promise<void> => {
  function* lines(): Generator<string, void, undefined> {
    let line = 0
    for (const account of generateAccounts(options)) {
      const value = lineOf(account, (line += 1))
      if (value !== undefined) yield `${JSON.stringify(value)}\n`
    }
  }
  if (path === undefined) return pipeline(Readable.from(lines()), process.stdout, { end: false })
  await mkdir(dirname(path), { recursive: true })
  const file = createWriteStream(path)
  await (path.endsWith('.gz') ? pipeline(lines(), createGzip(), file) : pipeline(lines(), file))
}

const generate = async (command: Command): Promise<void> => {
  const { out, expected } = command
  let [count, faulty] = [0, 0]
  await write(command, out, (account, line) => {
    count = line
    if (hasFaults(account)) faulty += 1
    return account.payload
  })
  if (expected !== undefined)
    await write(command, expected, (account, line) => {
      const { number, expected: findings } = account
      return hasFaults(account) ? { line, external_account_number: number, ...findings } : undefined
    })
  const [accounts, faults] = [count, faulty].map((each) => each.toLocaleString('en-GB'))
  if (out !== undefined)
    console.error(`Wrote ${accounts} account${count === 1 ? '' : 's'} (${faults} with faults) to ${out}`)
}

try {
  const args = process.argv.slice(2)
  if (args.includes('--help')) console.log(usage)
  else await generate(readCommand(args))
} catch (cause) {
  const { code, message } = cause as NodeJS.ErrnoException
  // The reader of stdout may close it early, as `head` does.
  if (code !== 'EPIPE' && code !== 'ERR_STREAM_PREMATURE_CLOSE') {
    const isUsage = cause instanceof TypeError
    console.error(isUsage ? `${message}\n\n${usage}` : message)
    process.exitCode = isUsage ? 2 : 1
  }
}
