import { FileFailure, reasonOf, structOf } from '@account-import/account-files'
import { accountPayload, type Fields, meaningOf, type Struct } from '@account-import/core/payloads'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isList } from './account-field.js'
import { isTemplate, templateFiles } from './templates.js'

/** A comment for each field, below that of its object. */
const fieldComments = (struct: Struct<Fields>, margin: string): string =>
  Object.entries(struct.fields)
    .map(([name, { codec, isRequired }]) => {
      const { text, example } = meaningOf(struct, name)
      const shown = example === undefined ? '' : ` Example: ${JSON.stringify(example)}`
      const inner = structOf(codec)
      return (
        `--${margin}${name}${isList(codec) ? '[]' : ''}${isRequired ? '*' : ''}: ${text}${shown}\n` +
        (inner === undefined ? '' : fieldComments(inner, `${margin}    `))
      )
    })
    .join('')

const order: readonly string[] = ['customers.csv', 'contracts.csv', 'payments.csv', 'mapping.sql']

/** The files of the example: exports in Latin-1, as of a Windows program, and the mapping with a comment for each field. */
const exampleFiles = async (): Promise<ReadonlyMap<string, Buffer>> => {
  const files = await templateFiles('shared/example')
  const comments = fieldComments(accountPayload as unknown as Struct<Fields>, '   ')
  const sorted = [...files].toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other))
  return new Map(
    sorted.map(([name, content]) => [
      name,
      name === 'mapping.sql' ? Buffer.from(`${String(content)}${comments}`) : content,
    ]),
  )
}

/** Writes a mapping with its files into a folder without replacing files. Rejects with `output_not_writable`. */
export const writeExample = async (folder: string): Promise<readonly string[]> => {
  const files = await (isTemplate(basename(folder)) ? templateFiles(basename(folder)) : exampleFiles())
  try {
    await mkdir(folder, { recursive: true })
    for (const [name, content] of files) await writeFile(join(folder, name), content, { flag: 'wx' })
    return [...files.keys()]
  } catch (cause) {
    throw new FileFailure(
      'output_not_writable',
      `${folder} cannot be filled (${reasonOf(cause)}). Name a new folder.`,
    )
  }
}
