import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { root, textOf } from '../support/repository.js'
import { tempFolder } from '../support/temp-folder.js'

/** The pages by which an operator sets up, backs up and restores a database. Their commands are run by tests. */
const operatorPages = [
  'docs/how-to/operate.md',
  'docs/how-to/run-on-mysql.md',
  'docs/how-to/run-on-a-cluster.md',
  'docs/reference/mysql.md',
]

/** The commands that cannot be run beside other tests: the label of a block, or the command in a sentence. */
export const notRunHere: Readonly<Record<string, string>> = {
  'backup-mysql': 'mysqldump of MySQL is another program than the one of MariaDB',
  'grant-group': 'MariaDB has no Group Replication',
  bootstrap: 'needs a Galera cluster that has lost its majority; npm run faults -- cluster makes one',
  'STOP GROUP_REPLICATION': 'MariaDB has no Group Replication',
  'serve --migrate': 'the sentence is about a cluster without a writer; npm run faults -- cluster makes one',
  'npm run faults -- cluster': 'takes half an hour, and is started by hand',
}

type Block = Readonly<{ page: string; language: string; label: string; text: string }>

const unindented = (text: string, by: string): string =>
  text
    .split('\n')
    .map((line) => (line.startsWith(by) ? line.slice(by.length) : line))
    .join('\n')

/** Every block of code of the pages; those without a name have an empty label. */
export const blocks: readonly Block[] = operatorPages.flatMap((page) =>
  [...textOf(page).matchAll(/^( *)```(\w+) ?([\w-]*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', language = '', label = '', text = '']) => ({
      page,
      language,
      label,
      text: unindented(text, indent),
    }),
  ),
)

const ran = new Set<string>()

/** The block with this label, which counts as run from now on. */
export const blockToRun = (label: string): string => {
  const block = blocks.find((each) => each.label === label)
  if (block === undefined) throw new Error(`no page has a block ${label}`)
  ran.add(label)
  return block.text
}

/** Commands in sentences: two words at least, of which the first is a program, a command of ours, or one of SQL. */
const commandInSentence =
  /^(?:npx|npm run|node_modules\/\S+|account-import|mariadb\S*|mysql\S*|serve|api-key|migrate|verify|[A-Z]{3,}) \S/

/** The commands of the pages that no test has run so far, and that are not listed as such. */
export const notRun = (): readonly string[] => {
  const unknown = blocks
    .filter(({ label }) => !ran.has(label) && notRunHere[label] === undefined)
    .map(({ page, text }) => `${page}: ${text}`)
  const runTexts = blocks.filter(({ label }) => ran.has(label)).map(({ text }) => text)
  const mentioned = operatorPages
    .flatMap((page) => [...textOf(page).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code))
    .filter((code) => commandInSentence.test(code) && !/[…|]/.test(code))
    .filter((code) => notRunHere[code] === undefined && runTexts.every((text) => !text.includes(code)))
  return [...unknown, ...mentioned]
}

/** Whether a page has a block with this label, or this command in a sentence. */
export const isNamed = (command: string): boolean =>
  blocks.some(({ label }) => label === command) ||
  operatorPages.some((page) => textOf(page).includes(`\`${command}\``))

/** A folder from which the program is found, as after `npm install`. */
export const folderOf = async (t: ExecutionContext): Promise<string> => {
  const folder = await tempFolder(t)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
