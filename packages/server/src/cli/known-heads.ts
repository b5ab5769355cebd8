import { readFile } from 'node:fs/promises'
import type { KnownHead } from '@account-import/core'
import { E, type Either } from '@account-import/core/adapter-kit'
import type { CommandError } from './command-error.js'
import { exitCode } from './exit-code.js'
import { noneText } from './output/heads.js'
import { typed } from '../program-name.js'

const anyHash = '[0-9a-f]{64}|[\\w-]{16}:[\\w-]{43}'
const hashForm = new RegExp(`^(?:${anyHash})$`)
const lineForm = new RegExp(`^(.+) (\\d+) (${anyHash})$`)

const headOfLine = (line: string): KnownHead | undefined => {
  const [, organisation, sequence, hash] = lineForm.exec(line.trim()) ?? []
  if (hash === undefined) return undefined
  return { organisation: organisation === noneText ? '' : organisation, sequence: Number(sequence), hash }
}

const headOfJson = (value: unknown): KnownHead | undefined => {
  const { organisation, sequence, hash } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof organisation === 'string' && typeof sequence === 'number' && typeof hash === 'string'
    ? { organisation, sequence, hash }
    : undefined
}

const headsIn = (text: string): readonly (KnownHead | undefined)[] => {
  if (!text.trimStart().startsWith('['))
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(headOfLine)
  try {
    return (JSON.parse(text) as readonly unknown[]).map(headOfJson)
  } catch {
    return [undefined]
  }
}

const refused = (detail: string): Either<CommandError, never> =>
  E.left({ exitCode: exitCode.refused, code: 'usage', detail })

/** Ends of chains as `audit head` printed them, as lines or JSON, from a file; or one by its hash alone. */
export const knownHeads = async (given: string): Promise<Either<CommandError, readonly KnownHead[]>> => {
  if (hashForm.test(given)) return E.right([{ hash: given }])
  let text: string
  try {
    text = await readFile(given, 'utf8')
  } catch {
    return refused(`--head is neither a hash that audit head prints, nor a file that can be read: ${given}`)
  }
  const heads = headsIn(text).filter((head) => head !== undefined)
  return heads.length === headsIn(text).length && heads.length > 0
    ? E.right(heads)
    : refused(`${given} does not hold what ${typed('audit head')} prints.`)
}
