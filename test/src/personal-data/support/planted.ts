import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../support/samples.js'

/** A value that occurs nowhere else, and where in the payload it was planted. */
export type Canary = Readonly<{ path: string; value: string }>

export type Planted = Readonly<{ payload: JsonObject; canaries: readonly Canary[] }>

type Path = readonly string[]

/** Where texts stand in a payload. */
const texts = function* (value: unknown, path: Path = []): Generator<Path> {
  if (typeof value === 'string') yield path
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) yield* texts(each, [...path, name])
}

const at = (value: unknown, path: Path): unknown =>
  path.reduce((found, name) => (found as Record<string, unknown>)[name], value)

const replaced = (payload: JsonObject, path: Path, text: string): JsonObject => {
  const copy = structuredClone(payload) as Record<string, unknown>
  const parent = at(copy, path.slice(0, -1)) as Record<string, unknown>
  parent[path.at(-1) ?? ''] = text
  return copy
}

/** Letters alone, so that it is a name as well as a code; nothing else has them. */
export const canaryWord = (): string =>
  `Qzx${[...randomBytes(9)].map((byte) => String.fromCodePoint(97 + (byte % 26))).join('')}`

const forms: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => `${word.toLowerCase()}@example.com`,
  (word) => `sandbox-card-${word}`,
]

/** By the path of a text, the form in which a request with a canary there is accepted; undefined where none is. */
export type Accepted = Map<string, (typeof forms)[number] | undefined>

/**
 * Replaces every free text by a canary, as far as the request is still accepted. Roles determine the recipients of e-mails, and
 * stay. `accepted`: facts about such payloads, which this one extends.
 */
export const planted = async (
  payload: JsonObject,
  accepts: (payload: JsonObject) => Promise<boolean>,
  isLeft: (field: string) => boolean = () => false,
  accepted: Accepted = new Map(),
): Promise<Planted> => {
  let result = payload
  const canaries: Canary[] = []
  for (const path of texts(payload)) {
    if (
      isLeft(path.at(-1) ?? '') ||
      path.includes('account_roles') ||
      /^(import_supplier|external_account_number)$/.test(path.join('.'))
    )
      continue
    const name = path.join('.')
    const isKnown = accepted.has(name)
    const tried = isKnown ? [accepted.get(name) ?? []].flat() : forms
    accepted.set(name, accepted.get(name))
    for (const form of tried) {
      const value = form(canaryWord())
      const candidate = replaced(result, path, value)
      if (!isKnown && !(await accepts(candidate))) continue
      result = candidate
      canaries.push({ path: name, value })
      accepted.set(name, form)
      break
    }
  }
  if (!(await accepts(result))) throw new Error('what was planted is not accepted')
  return { payload: result, canaries }
}
