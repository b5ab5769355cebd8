import type { JsonSchema } from './json-schema.js'

/** io-ts types of answers; the part of each class that is read here. */
type Node = Readonly<{
  name: string
  _tag?: string
  keys?: Readonly<Record<string, unknown>>
  types?: readonly Node[]
  type?: Node
  props?: Readonly<Record<string, Node>>
}>

const properties = (props: Readonly<Record<string, Node>> = {}): JsonSchema =>
  Object.fromEntries(Object.entries(props).map(([name, type]) => [name, typeSchema(type)]))

const object = (props: Readonly<Record<string, Node>> = {}): JsonSchema => ({
  type: 'object',
  properties: properties(props),
  ...(Object.keys(props).length > 0 && { required: Object.keys(props) }),
})

const together = (schemas: readonly JsonSchema[]): JsonSchema => ({
  type: 'object',
  properties: Object.assign({}, ...schemas.map(({ properties: each }) => each)) as JsonSchema,
  required: schemas.flatMap(({ required = [] }) => required as readonly string[]),
})

const schemas: Readonly<Record<string, (type: Node) => JsonSchema>> = {
  StringType: () => ({ type: 'string' }),
  NumberType: () => ({ type: 'number' }),
  NullType: () => ({ type: 'null' }),
  AnyDictionaryType: () => ({ type: 'object', additionalProperties: true }),
  KeyofType: ({ keys = {} }) => ({ type: 'string', enum: Object.keys(keys) }),
  ReadonlyArrayType: ({ type }) => ({ type: 'array', items: type === undefined ? {} : typeSchema(type) }),
  // What has a name of its own is among the components of the document.
  ReadonlyType: ({ name }) => ({ $ref: `#/components/schemas/${name}` }),
  UnionType: ({ types = [] }) => ({ anyOf: types.map(typeSchema) }),
  InterfaceType: ({ props }) => object(props),
  PartialType: ({ props }) => ({ type: 'object', properties: properties(props) }),
  IntersectionType: ({ types = [] }) => together(types.map(typeSchema)),
}

/** The JSON Schema of the body of an answer, read from its io-ts type. Throws for a type without a schema. */
export const typeSchema = (type: Node): JsonSchema => {
  const schema = schemas[type._tag ?? '']?.(type)
  if (schema === undefined) throw new Error(`No JSON Schema for the type ${type.name}`)
  return schema
}
