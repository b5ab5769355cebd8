import fc from 'fast-check'
import { referred } from '../contract.js'
import { canary } from '../request.js'

type Schema = Readonly<{
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  allOf?: readonly Readonly<{ pattern: string }>[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  pattern?: string
  maxLength?: number
  minimum?: number
  maximum?: number
}>

/** So many texts are made for each pattern; which ones does not depend on the seed of a run. */
const pool = 40

const texts = new Map<string, fc.Arbitrary<string>>()

const free = (maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.string({ minLength: 1, maxLength: Math.min(maxLength, 20), unit: 'binary' }) },
    { weight: 2, arbitrary: fc.constant(canary.slice(0, maxLength)) },
    { weight: 1, arbitrary: fc.constantFrom('ñ'.repeat(maxLength), 'ñ'.repeat(maxLength + 1)) },
  )

const matching = (pattern: string, also: readonly string[], maxLength: number): fc.Arbitrary<string> => {
  const forms = also.map((each) => new RegExp(each, 'u'))
  const made = fc
    .stringMatching(new RegExp(pattern, 'u'), { size: 'small' })
    .filter((text) => text.length <= maxLength && forms.every((form) => form.test(text)))
  return fc.constantFrom(...fc.sample(made, { seed: 1, numRuns: pool }))
}

const textOf = ({ pattern, allOf = [], maxLength = 1000 }: Schema): fc.Arbitrary<string> => {
  if (pattern === undefined || /^\^\[\^[^\]]*\]\*\$$/.test(pattern)) return free(maxLength)
  const also = allOf.map((each) => each.pattern)
  const key = `${pattern} ${also.join(' ')} ${maxLength}`
  const known = texts.get(key) ?? matching(pattern, also, maxLength)
  texts.set(key, known)
  return known
}

const sometimes = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

/** Fields that are undefined are not there in JSON. */
const objectOf = ({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> =>
  fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => {
        const value = fromSchema(schema)
        return [name, required.includes(name) ? value : sometimes(value)]
      }),
    ),
  )

const ofType = (schema: Schema, type?: string): fc.Arbitrary<unknown> => {
  const { minimum = 0, maximum = 1_000_000 } = schema
  switch (type) {
    case 'string':
      return textOf(schema)
    case 'integer':
      return fc.integer({ min: minimum, max: Math.max(minimum, maximum) })
    case 'number':
      return fc.integer({ min: Math.max(minimum, -1_000_000) * 100, max: 100_000_000 }).map((n) => n / 100)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(fromSchema(schema.items ?? {}), { maxLength: 2 })
    case 'object':
      return schema.properties === undefined ? fc.dictionary(fc.string(), fc.jsonValue()) : objectOf(schema)
    default:
      return fc.jsonValue()
  }
}

const references = new Map<string, fc.Arbitrary<unknown>>()

const ofReference = (reference: string): fc.Arbitrary<unknown> => {
  const made = references.get(reference) ?? fromSchema(referred(reference))
  references.set(reference, made)
  return made
}

/** Values that a schema of the document accepts, as far as its patterns and limits go; texts mostly are not. */
export const fromSchema = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.$ref !== undefined) return ofReference(schema.$ref)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(fromSchema))
  return fc.oneof(...[schema.type].flat().map((type) => ofType(schema, type)))
}
