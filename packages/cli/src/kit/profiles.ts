import { type Command, InvalidArgumentError } from 'commander'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { isFileError, writePrivateFile } from '../private-file.js'
import { typed } from '../program-name.js'
import type { Environment } from '../variable.js'

/** The service and the team that commands use where nothing else is given. It has the path of the key's file, and no key. */
export type Profile = Readonly<{ url: string; apiKeyFile: string; team?: string; plainHttp?: true }>

/** The variables for options of commands that call the API. */
export const variables = {
  url: 'ACCOUNT_IMPORT_URL',
  apiKey: 'ACCOUNT_IMPORT_API_KEY',
  apiKeyFile: 'ACCOUNT_IMPORT_API_KEY_FILE',
  team: 'ACCOUNT_IMPORT_TEAM',
  profile: 'ACCOUNT_IMPORT_PROFILE',
} as const

export const defaultProfile = 'default'

/** The value of a variable, as that of a file: without white space around it. A blank one counts as not set. */
export const given = (environment: Environment, name: string): string | undefined =>
  environment[name]?.trim() || undefined

/** One name for each service: the address with its scheme and host in lower case, and without slashes at its end. */
export const serviceName = (address: string): string =>
  URL.canParse(address) ? new URL(address).href.replace(/\/+$/, '') : address

export const profileName = (text: string): string => {
  if (!/^[\w-]{1,64}$/.test(text))
    throw new InvalidArgumentError('Use 1 to 64 letters, digits, hyphens and underscores.')
  return text
}

/** The folder for settings of users; undefined where the environment names none. */
const configFolder = (environment: Environment, platform: NodeJS.Platform): string | undefined => {
  const xdg = environment['XDG_CONFIG_HOME'] ?? ''
  if (isAbsolute(xdg)) return xdg
  if (platform === 'win32') {
    const home = environment['USERPROFILE']
    return environment['APPDATA'] ?? (home && join(home, 'AppData', 'Roaming'))
  }
  const home = environment['HOME'] ?? ''
  if (home === '') return undefined
  return platform === 'darwin' ? join(home, 'Library', 'Application Support') : join(home, '.config')
}

/** The file of a profile; undefined where the environment names no folder for settings. */
export const profilePath = (
  environment: Environment,
  name: string,
  platform = process.platform,
): string | undefined => {
  const folder = configFolder(environment, platform)
  return folder === undefined ? undefined : join(folder, 'account-import', 'profiles', `${name}.json`)
}

/** Writes a profile that only its owner may read. */
export const writeProfile = async (path: string, profile: Profile): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writePrivateFile(path, `${JSON.stringify(profile, undefined, 2)}\n`)
}

const profileIn = (text: string): Profile | undefined => {
  try {
    const { url, apiKeyFile, team, plainHttp } = JSON.parse(text) as Partial<Record<keyof Profile, unknown>>
    if (typeof url !== 'string' || typeof apiKeyFile !== 'string') return undefined
    return {
      url: serviceName(url),
      apiKeyFile,
      ...(typeof team === 'string' && { team }),
      ...(plainHttp === true && { plainHttp }),
    }
  } catch {
    return undefined
  }
}

/** The profile of that name; undefined where there is none. Ends the command with an error for a file that is no profile. */
const readProfile = async (
  environment: Environment,
  name: string,
  command: Command,
): Promise<Profile | undefined> => {
  const path = profilePath(environment, name)
  if (path === undefined) return undefined
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (isFileError(cause, 'ENOENT')) return undefined
    return command.error(`error: the profile ${path} cannot be read`)
  })
  if (text === undefined) return undefined
  return (
    profileIn(text) ??
    command.error(
      `error: ${path} is no profile. Write it again with: ${typed('login --url URL --api-key-file FILE')}`,
    )
  )
}

/** The commands that call the API, and whether they need an address. */
const connecting = new WeakMap<Command, boolean>()

export const completed = (command: Command, isNeeded: boolean): Command => {
  connecting.set(command, isNeeded)
  return command
}

/** The profile that the variable names, checked as the option is: it becomes a part of a path. */
const profileVariable = (environment: Environment, command: Command): string | undefined => {
  const name = given(environment, variables.profile)
  try {
    return name && profileName(name)
  } catch (cause) {
    if (!(cause instanceof InvalidArgumentError)) throw cause
    return command.error(`error: the variable ${variables.profile} names no profile. ${cause.message}`)
  }
}

/** The profile that an option or a variable names, or the default one; `isNamed`: not the default. */
const profileOf = async (environment: Environment, command: Command) => {
  const named = command.opts<{ profile?: string }>().profile ?? profileVariable(environment, command)
  const profile = await readProfile(environment, named ?? defaultProfile, command)
  if (named !== undefined && profile === undefined)
    command.error(
      `error: there is no profile ${named}. Write it with: ${typed(`login --profile ${named} --url URL --api-key-file FILE`)}`,
    )
  return { profile, isNamed: named !== undefined }
}

type Given = Readonly<{ url?: string; apiKey?: string; apiKeyFile?: string; team?: string }>

/** The values of options that were not given: of a named profile, else of variables, else of the default profile. */
const missingOptions = (
  environment: Environment,
  options: Given,
  { profile, isNamed }: Awaited<ReturnType<typeof profileOf>>,
): Partial<Profile> => {
  const variable = (name: string): string | undefined => given(environment, name)
  const url = options.url ?? (isNamed ? profile?.url : undefined) ?? variable(variables.url) ?? profile?.url
  // The key and the team of a profile are for its own service.
  const own = url !== undefined && profile?.url === serviceName(url) ? profile : undefined
  const hasKey = (options.apiKey ?? options.apiKeyFile) !== undefined
  const isKeySet = variable(variables.apiKey) !== undefined
  const fromVariable = isKeySet ? undefined : variable(variables.apiKeyFile)
  const keyFile = isNamed ? own?.apiKeyFile : (fromVariable ?? (isKeySet ? undefined : own?.apiKeyFile))
  const team = isNamed ? (own?.team ?? variable(variables.team)) : (variable(variables.team) ?? own?.team)
  return {
    ...(options.url === undefined && url !== undefined && { url }),
    ...(!hasKey && keyFile !== undefined && { apiKeyFile: keyFile }),
    ...(options.team === undefined && team !== undefined && { team }),
    ...(own?.plainHttp === true && { plainHttp: true }),
  }
}

/**
 * Gives a command that calls the API the options that were not given. Ends it with an error where it has no address, or where a
 * named profile has another address than the command line.
 */
export const completeOptions = async (environment: Environment, command: Command): Promise<void> => {
  const isNeeded = connecting.get(command)
  if (isNeeded === undefined) return
  const options = command.opts<Given>()
  const found = await profileOf(environment, command)
  if (found.isNamed && options.url !== undefined && options.url !== found.profile?.url)
    command.error('error: the profile has another address than --url. Give one of them.')
  const missing = missingOptions(environment, options, found)
  for (const option of command.options) {
    const name = option.attributeName() as keyof Profile
    const value = missing[name]
    if (value === undefined) continue
    try {
      const parsed: unknown =
        typeof value === 'string' && option.parseArg !== undefined ? option.parseArg(value, undefined) : value
      command.setOptionValueWithSource(name, parsed, 'env')
    } catch (cause) {
      if (!(cause instanceof InvalidArgumentError)) throw cause
      command.error(`error: the ${name} of the environment or of the profile is not valid. ${cause.message}`)
    }
  }
  if (isNeeded && command.opts<Given>().url === undefined)
    command.error(
      `error: name the service by --url URL, by the variable ${variables.url}, or once by: ${typed('login --url URL --api-key-file FILE')}`,
    )
}
