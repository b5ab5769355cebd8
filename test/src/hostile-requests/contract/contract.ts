import { bundledMarkets } from '@account-import/core'
import { openApiDocument } from '@account-import/http-contract/openapi'
import { compilersOf, type Check } from './schemas.js'

export type Parameter = Readonly<{ name: string; in: string; required: boolean; schema: object }>

type HeaderObject = Readonly<{ required?: boolean; schema: object }>
type MediaTypes = Readonly<Record<string, Readonly<{ schema: object; example?: unknown }>>>
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
  components: Readonly<{ headers: Readonly<Record<string, HeaderObject>>; schemas: object }>
}>

/** A header that an answer has, or may have. */
export type DeclaredHeader = Readonly<{ name: string; isRequired: boolean; objectionTo: Check }>

/** What an answer of one status has to be like. */
export type DeclaredAnswer = Readonly<{
  headers: readonly DeclaredHeader[]
  /** By media type; of streams of lines each line. */
  bodies: ReadonlyMap<string, Check>
}>

/** The body of a request: its media type, what it holds (of streams of lines each line), and an example. */
export type DeclaredBody = Readonly<{
  type: string
  schema: object
  objectionTo: Check
  example: unknown
}>

/** An endpoint as the document describes it. */
export type Operation = Readonly<{
  id: string
  /** In capitals. */
  method: string
  path: string
  needsToken: boolean
  parameters: readonly Parameter[]
  body: DeclaredBody | undefined
  answers: ReadonlyMap<number, DeclaredAnswer>
}>

const document = openApiDocument('', bundledMarkets) as unknown as Document

const { requests, answers } = compilersOf(document.components)

const headerOf = (name: string, found: HeaderObject | Readonly<{ $ref: string }>): DeclaredHeader => {
  const header = '$ref' in found ? document.components.headers[found.$ref.split('/').at(-1) ?? ''] : found
  if (header === undefined) throw new Error(`The document has no header ${name}`)
  return {
    name: name.toLowerCase(),
    isRequired: header.required === true,
    objectionTo: answers.checkOf(header.schema),
  }
}

const answerOf = ({ headers = {}, content = {} }: ResponseObject): DeclaredAnswer => ({
  headers: Object.entries(headers).map(([name, header]) => headerOf(name, header)),
  bodies: new Map(Object.entries(content).map(([type, { schema }]) => [type, answers.checkOf(schema)])),
})

const bodyOf = ({ requestBody }: OperationObject): DeclaredBody | undefined =>
  Object.entries(requestBody?.content ?? {}).map(([type, { schema, example }]) => ({
    type,
    schema,
    objectionTo: requests.checkOf(schema),
    example,
  }))[0]

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

/** The components that the schemas of request bodies refer to. */
export const components: Readonly<Record<string, object>> = document.components.schemas as Readonly<
  Record<string, object>
>

/** A refusal with one of these codes, wherever it comes from. */
export const problemWith = (codes: readonly string[], required: readonly string[] = []): DeclaredAnswer =>
  answerOf({
    headers: Object.fromEntries(
      ['X-Request-Id', ...required].map((name) => [name, { required: true, schema: { type: 'string' } }]),
    ),
    content: {
      'application/json': {
        schema: {
          $ref: '#/components/schemas/Problem',
          type: 'object',
          properties: { code: { enum: codes } },
        },
      },
    },
  })
