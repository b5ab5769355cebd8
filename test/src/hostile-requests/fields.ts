import { components } from './contract/contract.js'

type Schema = Readonly<{
  $ref?: string
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
}>

type Path = readonly (string | number)[]

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : ((components[schema.$ref.split('/').at(-1) ?? ''] ?? {}) as Schema)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The path of every field that a schema names, in the objects that a value has and in the first item of its lists. */
export const fieldsOf = (reference: object, value: unknown, path: Path = []): readonly Path[] => {
  const { properties = {}, items } = resolved(reference)
  if (items !== undefined && Array.isArray(value)) return fieldsOf(items, value[0], [...path, 0])
  if (!isObject(value)) return []
  return Object.entries(properties).flatMap(([name, schema]) => [
    [...path, name],
    ...fieldsOf(schema, value[name], [...path, name]),
  ])
}

/** The value with another one at the path. */
export const withAt = (value: unknown, [key, ...rest]: Path, other: unknown): unknown => {
  if (key === undefined) return other
  if (Array.isArray(value))
    return value.map((each: unknown, i) => (i === key ? withAt(each, rest, other) : each))
  const object = isObject(value) ? value : {}
  return { ...object, [key]: withAt(object[key], rest, other) }
}
