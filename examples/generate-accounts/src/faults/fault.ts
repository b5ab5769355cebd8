import type { FieldCode } from '@account-import/core'
import type { Random } from '../random/random.js'
import { drop, pathsOf, set, type Json } from './json.js'

/** One finding, in the form of the service. */
export type Finding = Readonly<{ attr: string; code: FieldCode }>

/** Everything that validation finds in an account, with the built-in settings. */
export type Findings = Readonly<{ errors: readonly Finding[]; warnings: readonly Finding[] }>

/**
 * One way in which an account goes wrong.
 *
 * - `zone`: what it needs untouched; two faults of one account never share a zone, nor is one zone inside another
 *   (`ledgers` holds `ledgers.sums`)
 * - `code`: the code that it is there for; its severity is that of the fault
 * - `put`: changes the account; answers what is found then, nothing if the account lacks what the fault needs
 */
export type Fault = Readonly<{
  zone: string
  code: FieldCode
  put(account: Json, random: Random): readonly Finding[]
}>

const somePath = (random: Random, paths: readonly string[]): string | undefined =>
  paths[random.below(paths.length)]

/** A fault at one of the places of a pattern. */
const atSomePlace = (
  zone: string,
  pattern: string,
  code: FieldCode,
  change: (account: Json, path: string) => void,
): Fault => ({
  zone,
  code,
  put: (account, random) => {
    const path = somePath(random, pathsOf(account, pattern))
    if (path === undefined) return []
    change(account, path)
    return [{ attr: path, code }]
  },
})

/** Replaces a value. */
export const replaced = (zone: string, pattern: string, value: Json, code: FieldCode): Fault =>
  atSomePlace(zone, pattern, code, (account, path) => set(account, path, value))

/** Removes a field. */
export const dropped = (zone: string, pattern: string, code: FieldCode = 'required'): Fault =>
  atSomePlace(zone, pattern, code, drop)

/** A fault of a special kind, found under its code at the paths that `put` returns. */
export const found = (
  zone: string,
  code: FieldCode,
  put: (account: Json, random: Random) => string | undefined,
): Fault => ({
  zone,
  code,
  put: (account, random) => {
    const attr = put(account, random)
    return attr === undefined ? [] : [{ attr, code }]
  },
})

/** Replaces a pattern by one of its paths, for faults that read before they change anything. */
export const choose = (account: Json, random: Random, pattern: string): string | undefined =>
  somePath(random, pathsOf(account, pattern))
