import type { FieldCode } from '@account-import/core'
import { pick } from '../random.js'
import { at, copyOf, pathsOf, push, set, type Json } from './json.js'

/** One finding, in the form of the service. */
export type Finding = Readonly<{ attr: string; code: FieldCode }>

/** Everything that validation finds in an account, with the built-in settings. */
export type Findings = Readonly<{ errors: readonly Finding[]; warnings: readonly Finding[] }>

/**
 * One way in which an account goes wrong.
 *
 * - `zone`: what it needs untouched; two faults of one account never share a zone, nor is one zone inside another (`ledgers` holds
 *   `ledgers.sums`)
 * - `code`: the code that it is there for; its severity is that of the fault
 * - `put`: changes the account; answers what is found then, nothing if the account lacks what the fault needs
 */
export type Fault = Readonly<{ zone: string; code: FieldCode; put(account: Json): readonly Finding[] }>

/** The place where the code of the fault is found, all that is found, or undefined if the account cannot have the fault. */
type Found = string | readonly (readonly [attr: string, code: FieldCode])[] | undefined

/** Changes an account at one of the places of a pattern. */
export const changed = (
  zone: string,
  code: FieldCode,
  pattern: string,
  change: (account: Json, path: string) => Found,
): Fault => ({
  zone,
  code,
  put: (account) => {
    const paths = pathsOf(account, pattern)
    const found = paths.length === 0 ? undefined : change(account, pick(paths))
    const all = typeof found === 'string' ? [[found, code] as const] : (found ?? [])
    return all.map(([attr, each]) => ({ attr, code: each }))
  },
})

/** Replaces a value; undefined removes the field. */
export const replaced = (zone: string, code: FieldCode, pattern: string, value?: Json): Fault =>
  changed(zone, code, pattern, (account, path) => set(account, path, value))

/** Writes fields of an object, of which undefined ones are removed; the code is found at the first of them. */
export const written = (
  zone: string,
  code: FieldCode,
  pattern: string,
  fields: Readonly<Record<string, Json | undefined>>,
): Fault =>
  changed(zone, code, pattern, (account, path) => {
    for (const [name, value] of Object.entries(fields)) set(account, `${path}.${name}`, value)
    return `${path}.${Object.keys(fields)[0]}`
  })

/** Adds a copy of the first item of a list; the code is found at a field of the copy. */
export const repeated = (zone: string, code: FieldCode, pattern: string, field: string): Fault =>
  changed(zone, code, pattern, (account, path) => {
    const first = at(account, `${path}.0`)
    return first === undefined ? undefined : `${push(account, path, copyOf(first))}.${field}`
  })
