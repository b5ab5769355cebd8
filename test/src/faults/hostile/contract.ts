import { bundledMarkets } from '@account-import/core'
import { openApiDocument } from '@account-import/http-contract/openapi'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Schema = Readonly<Record<string, unknown>>

/** The fault of a value, in short and without quotes from it; undefined if it has none. */
export type Check = (value: unknown) => string | undefined

type Parameter = Readonly<{ name: string; in: string }>
type HeaderObject = Readonly<{ required?: boolean; schema: object }>
type MediaTypes = Readonly<
  Record<string, Readonly<{ schema: object & Readonly<{ contentSchema?: object }>; example?: unknown }>>
>
type ResponseObject = Readonly<{
  headers?: Readonly<Record<string, HeaderObject | Readonly<{ $ref: string }>>>
  content?: MediaTypes
}>
type OperationObject = Readonly<{
  operationId: string
  security?: readonly unknown[]
  parameters?: readonly Parameter[]
  requestBody?: Readonly<{ content: MediaTypes }>
  responses: Readonly<Record<string, ResponseObject>>
}>
type Document = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  components: Readonly<{
    headers: Readonly<Record<string, HeaderObject>>
    schemas: Readonly<Record<string, object>>
  }>
}>

/** A header that an answer has, or may have. */
export type DeclaredHeader = Readonly<{ name: string; isRequired: boolean; objectionTo: Check }>

/** The declaration of an answer of one status; bodies by media type, of streams of lines each line. */
export type DeclaredAnswer = Readonly<{
  headers: readonly DeclaredHeader[]
  bodies: ReadonlyMap<string, Check>
}>

/** The body of a request: its media type, its schema (for a stream of lines that of each line), and an example. */
export type DeclaredBody = Readonly<{ type: string; schema: object; objectionTo: Check; example: unknown }>

/** An endpoint as the document describes it; the method in capitals. */
export type Operation = Readonly<{
  id: string
  method: string
  path: string
  needsToken: boolean
  parameters: readonly Parameter[]
  body: DeclaredBody | undefined
  answers: ReadonlyMap<number, DeclaredAnswer>
}>

const document = openApiDocument('', bundledMarkets) as unknown as Document

export const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const changed = (value: unknown, change: (schema: Schema) => Schema): unknown => {
  if (Array.isArray(value)) return value.map((each) => changed(each, change))
  if (!isObject(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, changed(each, change)])))
}

const absolute = (schema: Schema): Schema =>
  typeof schema['$ref'] === 'string' ? { ...schema, $ref: `api:/${schema['$ref']}` } : schema

/** A response with an undeclared field is a fault, although clients must accept it. */
const closed = (schema: Schema): Schema =>
  isObject(schema['properties']) && schema['additionalProperties'] === undefined
    ? { ...schema, unevaluatedProperties: false }
    : schema

const objections = ({ errors }: ValidateFunction): string =>
  (errors ?? [])
    .slice(0, 3)
    .map(({ instancePath, keyword, params }) => `${instancePath || '/'} ${keyword} ${JSON.stringify(params)}`)
    .join('; ')

/** Checks by schemas that refer to the components of the document; each is compiled when it is first needed. */
const compiler = (change: (schema: Schema) => Schema): ((schema: object) => Check) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'api:/', components: changed(document.components, change) })
  const checks = new Map<string, Check>()
  return (schema) => {
    const text = JSON.stringify(schema)
    let compiled: ValidateFunction | undefined
    const check: Check = (value) => {
      compiled ??= ajv.compile(changed(schema, change) as Schema)
      return compiled(value) ? undefined : objections(compiled)
    }
    const known = checks.get(text) ?? check
    checks.set(text, known)
    return known
  }
}

const checkOfRequest = compiler(absolute)
const checkOfAnswer = compiler((schema) => closed(absolute(schema)))

const headerOf = (name: string, found: HeaderObject | Readonly<{ $ref: string }>): DeclaredHeader => {
  const header = '$ref' in found ? document.components.headers[found.$ref.split('/').at(-1) ?? ''] : found
  if (header === undefined) throw new Error(`The document has no header ${name}`)
  const { required = false, schema } = header
  return { name: name.toLowerCase(), isRequired: required, objectionTo: checkOfAnswer(schema) }
}

const answerOf = ({ headers = {}, content = {} }: ResponseObject): DeclaredAnswer => ({
  headers: Object.entries(headers).map(([name, header]) => headerOf(name, header)),
  bodies: new Map(
    Object.entries(content).map(([type, { schema }]) => [
      type,
      checkOfAnswer(schema.contentSchema ?? schema),
    ]),
  ),
})

const bodyOf = ({ requestBody }: OperationObject): DeclaredBody | undefined => {
  const [first] = Object.entries(requestBody?.content ?? {})
  if (first === undefined) return undefined
  const [type, { schema: whole, example }] = first
  // Of lines that of each line.
  const { contentSchema: schema = whole } = whole
  return {
    type,
    schema,
    objectionTo: checkOfRequest(schema),
    example: schema === whole ? example : undefined,
  }
}

const operationOf = (method: string, path: string, operation: OperationObject): Operation => ({
  id: operation.operationId,
  method: method.toUpperCase(),
  path,
  needsToken: operation.security?.length !== 0,
  parameters: operation.parameters ?? [],
  body: bodyOf(operation),
  answers: new Map(
    Object.entries(operation.responses).map(([status, response]) => [Number(status), answerOf(response)]),
  ),
})

/** Every endpoint of the OpenAPI document that the service publishes. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => operationOf(method, path, operation)),
)

/** The component that a schema of a request body refers to. */
export const referred = (reference: string): object =>
  document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {}

/** A refusal with one of these codes, from any source. */
export const problemWith = (codes: readonly string[], ...required: readonly string[]): DeclaredAnswer => {
  const header = { required: true, schema: { type: 'string' } }
  const schema = {
    $ref: '#/components/schemas/Problem',
    type: 'object',
    properties: { code: { enum: codes } },
  }
  return answerOf({
    headers: Object.fromEntries(['X-Request-Id', ...required].map((name) => [name, header])),
    content: { 'application/json': { schema } },
  })
}
