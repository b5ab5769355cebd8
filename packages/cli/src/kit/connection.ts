import { withRequestId } from '@account-import/account-files'
import {
  type Client,
  createClient,
  type Failure,
  isPlainHttpBeyondLoopback,
  isTlsCode,
  noConnectionCode,
} from '@account-import/client'
import { E, type Either } from '@account-import/core/fp'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { fileText, unreadable } from '../account-files/input/source.js'
import { wholeNumber } from './arguments.js'
import {
  type CliContext,
  type CliIo,
  type CommandError,
  type CommandResult,
  exitCode,
  type ExitCode,
  refused,
} from './command.js'
import { InputFile } from './files.js'
import { type Environment, variableText } from '../environment.js'
import { variables } from './option-variables.js'
import { limitHeapGrowth } from './process.js'

type ConnectionOptions = Readonly<{
  url?: string
  apiKey?: string
  apiKeyFile?: string
  plainHttp?: true
}>

/** The options of commands that repeat failed requests. */
export type WorkOptions = ConnectionOptions & Readonly<{ retryFor: number }>

const variable = variables.apiKey

const httpUrl = (given: string): string => {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('Use an address such as https://import.example.')
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '')
    throw new InvalidArgumentError('Use an address with a base path alone: no user name, query or fragment.')
  return url.href.replace(/\/+$/, '')
}

/** Adds the options for the address and the key of the service. */
const withConnection = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--url <url>',
        `address of the service, with its base path (default: the variable ${variables.url})`,
      ).argParser(httpUrl),
    )
    .option('--plain-http', 'allow an http:// address beyond this machine: the network can read the key then')
    .addOption(
      new InputFile(
        '--api-key-file <file>',
        `file that contains the API key, - for the standard input (default: the variable ${variable}, or ${variables.apiKeyFile})`,
      ),
    )
    .addOption(
      new Option('--api-key <key>', `better ${variable} or a file: others can see it here`).hideHelp(),
    )

/** Longer than the claims of a server that died, which expire after a minute by default. */
const defaultRetrySeconds = 90

/** Adds the options of a command that repeats failed requests. */
export const withWork = (command: Command): Command =>
  withConnection(command).option(
    '--retry-for <seconds>',
    'how long to try again while the service does not respond or is overloaded',
    wholeNumber(0, 86_400),
    defaultRetrySeconds,
  )

const keyName = (file: string | undefined, key: string | undefined): string => {
  if (file !== undefined) return file === '-' ? 'the standard input' : file
  return key === undefined ? `the variable ${variable}` : '--api-key'
}

const noUrl = `Name the service: --url URL, or the variable ${variables.url}.`

const noKey = `No API key: set the variable ${variable}, or give --api-key-file.`

const wouldBeRead =
  'The address is plain http:// to another machine, so the network could read the API key and the accounts. Use https://,' +
  ' or allow it with --plain-http.'

/** The text of a file, or of the standard input for `-`. `code`: the code of the error where it cannot be read. */
export const readText = async (
  io: CliIo,
  path: string,
  code: string,
): Promise<Either<CommandError, string>> => {
  try {
    return E.right(await fileText(path, io.input ?? process.stdin))
  } catch (cause) {
    return E.left({ exitCode: exitCode.environment, code, detail: unreadable(path, cause).message })
  }
}

/** A client, and the names for messages about its failures. */
export type Connected = Readonly<{ client: Client; names: Named }>

/** For commands over files of millions of accounts: most of their time is the service's. */
const growthPercent = 30

/** A client of the named service, with the key of the options or of the environment. */
export const connect = async (
  io: CliIo,
  { url, apiKey, apiKeyFile, plainHttp }: ConnectionOptions,
): Promise<Either<CommandError, Connected>> => {
  limitHeapGrowth(growthPercent)
  if (url === undefined) return E.left(refused('usage', noUrl))
  const allowPlainHttp = plainHttp === true
  if (!allowPlainHttp && isPlainHttpBeyondLoopback(url)) return E.left(refused('usage', wouldBeRead))
  const given = E.right(apiKey ?? variableText(io.environment, variable) ?? '')
  const read = apiKeyFile === undefined ? given : await readText(io, apiKeyFile, 'api_key_unreadable')
  if (E.isLeft(read)) return read
  const key = read.right.trim()
  return key === ''
    ? E.left(refused('usage', noKey))
    : E.right({
        client: createClient({ baseUrl: url, apiKey: key, allowPlainHttp }),
        names: { url, key: keyName(apiKeyFile, apiKey), proxy: unusedProxy(url, io.environment) },
      })
}

/** Statuses below 500 after which the same request may succeed later; 0 is a failed connection. */
const passing = new Set([0, 408, 409, 429])

/** The exit code for a failed request. */
const codeOf = ({ status, code }: Failure): Exclude<ExitCode, 0> => {
  if (code === 'answer_cut') return exitCode.dataHasFailures
  return passing.has(status) || status >= 500 ? exitCode.environment : exitCode.refused
}

/** The inputs of the command, for its messages; the service gets only their values. */
type Named = Readonly<{
  url: string
  /** Where the API key comes from. */
  key: string
  supplier?: string
  /** The variable of a proxy that would be used by other programs. */
  proxy?: string | undefined
}>

/** The variable that names a proxy for the address, where Node.js does not use it. */
const unusedProxy = (url: string, environment: Environment): string | undefined => {
  const { protocol, hostname } = new URL(url)
  const one = (name: string): string | undefined =>
    [name, name.toUpperCase()].find((each) => variableText(environment, each) !== undefined)
  const direct = (environment[one('no_proxy') ?? ''] ?? '').split(/[\s,]+/)
  const isDirect = direct.some(
    (host) => host === '*' || (host !== '' && `.${hostname}`.endsWith(`.${host.replace(/^\*?\./, '')}`)),
  )
  const isUsed = hasProxies && variableText(environment, 'NODE_USE_ENV_PROXY') === '1'
  return isUsed || isDirect ? undefined : one(protocol === 'https:' ? 'https_proxy' : 'http_proxy')
}

/** Whether this version of Node.js can use the variables of proxies. */
const hasProxies = process.allowedNodeEnvironmentFlags.has('--use-env-proxy')

const proxyText = (proxy: string): string =>
  ` The proxy of ${proxy} was not used: ${hasProxies ? '' : 'Node.js uses it from 24.5 on, '}set NODE_USE_ENV_PROXY=1 too.`

const notReached = (url: string, reason: string): string =>
  isTlsCode(reason)
    ? `There is no TLS connection to ${url} (${reason}). Is the address right, and the certificate trusted?` +
      ' NODE_EXTRA_CA_CERTS names the file of an authority to trust.'
    : `No response from ${url} (${reason}). Is the service running, and is this its address?`

/** The text of a failure: that of the API, unless it mentions details that the command line hides, such as tokens. */
const detailOf = (failure: Failure, { url, key, supplier, proxy }: Named): string => {
  const { code, problem, cause, requestId } = failure
  if (code === 'authentication_failed') return `The service does not accept the API key of ${key}.`
  if (code === 'not_found' && supplier !== undefined) return `No supplier ${supplier} for this key.`
  const noConnection = noConnectionCode(cause)
  if (noConnection !== undefined)
    return `${notReached(url, noConnection)}${proxy === undefined ? '' : proxyText(proxy)}`
  return withRequestId(problem.detail, requestId)
}

/** The error of a command whose request failed. */
export const serviceError = (failure: Failure, named: Named): CommandError => ({
  exitCode: codeOf(failure),
  code: failure.code === 'unknown_code' ? failure.problem.code : failure.code,
  detail: detailOf(failure, named),
  errors: failure.problem.errors,
})

/** The body of a response of the service, or the error of the request. */
export const bodyOf = <Body>(
  answer: Readonly<{ ok: true; body: Body }> | Failure,
  named: Named,
): Either<CommandError, Body> => (answer.ok ? E.right(answer.body) : E.left(serviceError(answer, named)))

/**
 * A command that calls the API: its own arguments and options, and the call. Prints the result of `work`, unless that is undefined:
 * printed already.
 */
export const apiCommand = <Args extends unknown[]>(
  { io, finish }: CliContext,
  leaf: Command,
  work: (connected: Connected, ...args: Args) => Promise<CommandResult | undefined>,
): Command =>
  withConnection(leaf).action(async (...args: Args) => {
    const connected = await connect(io, leaf.opts<ConnectionOptions>())
    const result = E.isLeft(connected) ? connected : await work(connected.right, ...args)
    if (result !== undefined) finish(result)
  })
