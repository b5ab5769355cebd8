import { accessSync, constants, readFileSync } from 'node:fs'
import { basename, delimiter, dirname, join, relative } from 'node:path'

/** The script, the working folder and the environment of this process. */
type Started = Readonly<{
  script: string | undefined
  folder: string
  environment: Readonly<Record<string, string | undefined>>
}>

const name = 'account-import'

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // Missing or not executable: a shell tries the next folder too.
    return false
  }
}

/** npm adds folders of its own to PATH, which a shell of the user does not have. */
const isOfNpm = (folder: string): boolean => folder.endsWith(join('node_modules', '.bin'))

const isOnPath = ({ PATH = '' }: Started['environment']): boolean =>
  PATH.split(delimiter).some((folder) => folder !== '' && !isOfNpm(folder) && isProgram(join(folder, name)))

const own = /[/\\](?:account-import|account-import\.js)$/

/** The words that run this program in a shell of the user. */
const programOf = ({ script = '', folder, environment }: Started): string => {
  if (!own.test(script) || isOnPath(environment)) return name
  const byNpm = isOfNpm(dirname(script)) || environment['npm_lifecycle_event'] !== undefined
  return byNpm ? `npx ${name}` : `node ${shellWord(relative(folder, script) || basename(script))}`
}

let cached: string | undefined

const program = (): string =>
  (cached ??= programOf({ script: process.argv[1], folder: process.cwd(), environment: process.env }))

/** The command line of a command, for all texts that mention one. */
export const typed = (command: string): string => `${program()} ${command}`

/** A text as one word for cmd and PowerShell, which have double quotes in common. Backslashes before a quote count double. */
const windowsWord = (text: string): string =>
  /^[\w+=:./\\-]+$/.test(text)
    ? text
    : `"${text.replaceAll(/(\\*)("|$)/g, (_, slashes: string, quote: string) => slashes + slashes + (quote && '\\"'))}"`

/** A text as one word of a command for the shells of a platform, quoted if needed. */
export const shellWord = (text: string, platform = process.platform): string => {
  if (platform === 'win32') return windowsWord(text)
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** A command with words in single quotes, as examples are written, for the shells of a platform. */
export const shellLine = (line: string, platform = process.platform): string =>
  platform === 'win32' ? line.replaceAll(/'([^']*)'/g, (_, word: string) => windowsWord(word)) : line

/** The command that converts CSV, and its page. */
export const conversion = () => ({
  command: typed('convert --init FOLDER'),
  page: `${documentation}/tutorials/from-a-csv-export.md`,
})

/** The version of this package, from its own package.json. */
export const packageVersion = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version)
  throw new Error('package.json names no version')
}

/** The address of the pages of `docs/` without a running service. */
export const documentation = 'https://github.com/account-import/account-import/blob/main/docs'
