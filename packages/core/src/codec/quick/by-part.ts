import type { Choice } from '../choice.js'
import type { DecimalSize, DecimalTextCodec } from '../decimal-text.js'
import { payloadLocation } from '../location.js'
import type { Refined } from '../refine.js'
import type { Part } from './part.js'
import type { Reading } from './reading.js'

const anywhere = payloadLocation()

/** Whether the codec of a part reads a value as it is and has nothing to say. */
export const readSilently = (part: Part, value: unknown, { findings }: Reading): boolean =>
  part.codec.read(value, anywhere, findings) === value && findings.isEmpty

/** A field of a struct by its place in the table, the item of a list, or the base of a refinement. */
export const childOf = (part: Part, index: number): Part => part.parts[index] as Part

/** Whether the rule of a refinement holds for a value that its base accepts. */
export const holds = (part: Part, value: unknown): boolean => (part.codec as Refined<unknown>).holds(value)

/** Whether a value is a member of a choice. */
export const isMember = (part: Part, value: unknown): boolean => (part.codec as Choice<string>).has(value)

/** The size of a decimal. */
export const sizeOf = (part: Part): DecimalSize => (part.codec as DecimalTextCodec<string>).size
