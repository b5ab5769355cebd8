import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Schema = Readonly<Record<string, unknown>>

/** What is wrong with a value, in short and without anything of it; undefined where nothing is. */
export type Check = (value: unknown) => string | undefined

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const changed = (value: unknown, change: (schema: Schema) => Schema): unknown => {
  if (Array.isArray(value)) return value.map((each) => changed(each, change))
  if (!isObject(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, changed(each, change)])))
}

/** An answer with a field that the document does not name is a fault, though a client has to bear it. */
const closed = (schema: Schema): Schema =>
  isObject(schema['properties']) && schema['additionalProperties'] === undefined
    ? { ...schema, unevaluatedProperties: false }
    : schema

const absolute = (schema: Schema): Schema => {
  const { $ref } = schema
  return typeof $ref === 'string' ? { ...schema, $ref: `api:/${$ref}` } : schema
}

const objections = ({ errors }: ValidateFunction): string =>
  (errors ?? [])
    .slice(0, 3)
    .map(({ instancePath, keyword, params }) => `${instancePath || '/'} ${keyword} ${JSON.stringify(params)}`)
    .join('; ')

/** Schemas that refer to the components of one document; each is compiled when it is first needed. */
class Compiler {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false })
  private readonly checks = new Map<string, Check>()
  private readonly change: (schema: Schema) => Schema

  constructor(components: unknown, change: (schema: Schema) => Schema) {
    this.change = change
    this.ajv.addSchema({ $id: 'api:/', components: changed(components, change) })
  }

  checkOf(schema: unknown): Check {
    const text = JSON.stringify(schema)
    const known = this.checks.get(text)
    if (known !== undefined) return known
    let compiled: ValidateFunction | undefined
    const check: Check = (value) => {
      compiled ??= this.ajv.compile(changed(schema, this.change) as Schema)
      return compiled(value) ? undefined : objections(compiled)
    }
    this.checks.set(text, check)
    return check
  }
}

/** What requests and answers are held to; answers may have no other fields than the document names. */
export const compilersOf = (
  components: unknown,
): Readonly<Record<'requests' | 'answers', Pick<Compiler, 'checkOf'>>> => ({
  requests: new Compiler(components, absolute),
  answers: new Compiler(components, (schema) => closed(absolute(schema))),
})
