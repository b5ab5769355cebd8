import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { type Client, createClient, isPlainHttpBeyondLoopback } from '@account-import/client'
import { E, type Either } from '@account-import/core/adapter-kit'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { unreadable } from '../../account-files/input/source.js'
import { defaultRetrySeconds } from '../../import/import-job.js'
import { wholeNumber } from '../arguments/arguments.js'
import type { CliIo } from '../cli-io.js'
import { type CommandError, exitCode } from '../command-result.js'
import type { Named } from './stopped.js'

export type ConnectionOptions = Readonly<{
  url: string
  apiKey?: string
  apiKeyFile?: string
  plainHttp?: true
}>

/** The option of commands that work until they are done. */
export type WorkOptions = ConnectionOptions & Readonly<{ retryFor: number }>

const variable = 'ACCOUNT_IMPORT_API_KEY'

const httpUrl = (given: string): string => {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('Use an address such as https://import.example.')
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '')
    throw new InvalidArgumentError('Use an address with a base path alone: no user name, query or fragment.')
  return given
}

/** The options of every command that works through the service's API. */
export const withConnection = (command: Command): Command =>
  command
    .requiredOption('--url <url>', 'address of the service, with its base path', httpUrl)
    .option('--plain-http', 'allow an http:// address beyond this machine: the network can read the key then')
    .option(
      '--api-key-file <file>',
      `file that holds the API key; - for the standard input; else it is in ${variable}`,
    )
    .addOption(
      new Option('--api-key <key>', `better ${variable} or a file: others can see it here`).hideHelp(),
    )

/** The options of a command that works until it is done. */
export const withWork = (command: Command): Command =>
  withConnection(command).option(
    '--retry-for <seconds>',
    'how long to try again while the service does not answer, or has too much to do',
    wholeNumber(0, 86_400),
    defaultRetrySeconds,
  )

const refused = (detail: string): CommandError => ({ exitCode: exitCode.refused, code: 'usage', detail })

const keyName = (file: string | undefined, key: string | undefined): string => {
  if (file !== undefined) return file === '-' ? 'the standard input' : file
  return key === undefined ? `the variable ${variable}` : '--api-key'
}

const wouldBeRead =
  'The address is plain http:// to another machine, so the network could read the API key and the accounts. Use https://,' +
  ' or allow it with --plain-http.'

const keyIn = async (io: CliIo, path: string): Promise<Either<CommandError, string>> => {
  try {
    const content = path === '-' ? await text(io.input ?? process.stdin) : await readFile(path, 'utf8')
    return E.right(content.trim())
  } catch (cause) {
    const { message: detail } = unreadable(path, cause)
    return E.left({ exitCode: exitCode.environment, code: 'api_key_unreadable', detail })
  }
}

/** A client, and what to say of its failures. */
export type Connected = Readonly<{ client: Client; names: Named }>

/** A client of the named service, with the key of the options or of the environment. */
export const connect = async (
  io: CliIo,
  { url, apiKey, apiKeyFile, plainHttp }: ConnectionOptions,
): Promise<Either<CommandError, Connected>> => {
  const allowPlainHttp = plainHttp === true
  if (!allowPlainHttp && isPlainHttpBeyondLoopback(url)) return E.left(refused(wouldBeRead))
  const given = E.right(apiKey ?? io.environment[variable] ?? '')
  const key = apiKeyFile === undefined ? given : await keyIn(io, apiKeyFile)
  if (E.isLeft(key)) return key
  return key.right === ''
    ? E.left(refused(`Say by which API key: in the variable ${variable}, or with --api-key-file.`))
    : E.right({
        client: createClient({ baseUrl: url, apiKey: key.right, allowPlainHttp }),
        names: { url, key: keyName(apiKeyFile, apiKey) },
      })
}
