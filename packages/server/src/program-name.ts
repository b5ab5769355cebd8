import { accessSync, constants, readFileSync } from 'node:fs'
import { basename, delimiter, dirname, join, relative } from 'node:path'

/** How this process was started: its script, where it is looked for, in which folder, and whether by npm. */
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
    // Not there, or not to be run: a shell goes on to the next folder too.
    return false
  }
}

/** npm puts folders of its own before those that a shell knows. */
const isOfNpm = (folder: string): boolean => folder.endsWith(join('node_modules', '.bin'))

const isOnPath = ({ PATH = '' }: Started['environment']): boolean =>
  PATH.split(delimiter).some((folder) => folder !== '' && !isOfNpm(folder) && isProgram(join(folder, name)))

const own = /[/\\](?:account-import|account-import\.js)$/

/** The words to type in place of `account-import`, so that this program runs. */
const programOf = ({ script = '', folder, environment }: Started): string => {
  if (!own.test(script) || isOnPath(environment)) return name
  const byNpm = isOfNpm(dirname(script)) || environment['npm_lifecycle_event'] !== undefined
  return byNpm ? `npx ${name}` : `node ${relative(folder, script) || basename(script)}`
}

let known: string | undefined

const program = (): string =>
  (known ??= programOf({ script: process.argv[1], folder: process.cwd(), environment: process.env }))

/** A command of this program as it is to be typed here: each text that tells one takes it from here. */
export const typed = (command: string): string => `${program()} ${command}`

/** A text as one word of a command line that a person copies into a shell. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** The version of this package, from its own package.json. */
export const packageVersion = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version)
  throw new Error('package.json names no version')
}

/** Where the pages of `docs/` can be read without a service. */
export const documentation = 'https://github.com/account-import/account-import/blob/main/docs'
