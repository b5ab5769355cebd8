import type { MarketPack } from '@account-import/core'
import { linesType } from '@account-import/http-contract'
import { type JsonSchema, openApiDocument, requestBodies } from '@account-import/http-contract/openapi'

type Content = Readonly<Record<string, Readonly<{ schema: JsonSchema; example?: unknown }>>>

/** A parameter, an answer and an operation, as far as the OpenAPI document of this package has them. */
type Parameter = Readonly<{
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}>

export type Response = Readonly<{ description: string; content?: Content }>

type Operation = Readonly<{
  operationId: string
  summary: string
  description: string
  parameters?: readonly Parameter[]
  requestBody?: Readonly<{ content: Content }>
  responses: Readonly<Record<string, Response>>
}>

/** An operation with its address; `name` is what its page is called. */
export type AddressedOperation = Operation & Readonly<{ name: string; method: string; path: string }>

type Document = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: Readonly<{ schemas: Readonly<Record<string, JsonSchema>> }>
}>

const documentOf = (markets: readonly MarketPack[]): Document =>
  openApiDocument('', markets) as unknown as Document

/** Every operation of the OpenAPI document, in its order. */
export const operationsOf = (markets: readonly MarketPack[]): readonly AddressedOperation[] =>
  Object.entries(documentOf(markets).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      name: operation.operationId,
      method: method.toUpperCase(),
      path,
    })),
  )

/** The schemas that others refer to, by their names. */
export const componentsOf = (markets: readonly MarketPack[]): Document['components']['schemas'] =>
  documentOf(markets).components.schemas

/** Takes a token for a key that is in a file, so that it is in no list of processes. */
export const tokenCommand = `URL=http://127.0.0.1:8080 # the address of this page, as far as /docs/
API_KEY_FILE=data/demo-api-key # where "account-import api-key create" was sent to
TOKEN=$(printf '{"query": "mutation { obtainToken(input: {apiKey: \\\\"%s\\\\"}) { token } }"}' "$(cat "$API_KEY_FILE")" \\
  | curl -sS "$URL/v1/graphql/" -H 'Content-Type: application/json' -d @- \\
  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`

const inPath: Readonly<Record<string, string>> = {
  import_supplier_code: 'LEVANTE',
  external_account_number: 'LEV-E-000456',
}

const bodyOf = ({ requestBody }: AddressedOperation): readonly [type: string, text: string] | undefined => {
  if (requestBody === undefined) return undefined
  const json = requestBody.content['application/json']
  if (json === undefined) return [linesType, JSON.stringify(requestBodies.account.example)]
  return ['application/json', JSON.stringify(json.example, undefined, 2)]
}

/** The request of an operation as one command for a shell, once `tokenCommand` has run in it. */
export const curlCommand = (operation: AddressedOperation): string => {
  const address = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => inPath[name] ?? name)
  const lines = [`curl -sS "$URL${address}"`, `  -H "Authorization: Token $TOKEN"`]
  const body = bodyOf(operation)
  if (body === undefined) return lines.join(' \\\n')
  const [type, text] = body
  return `${[...lines, `  -H 'Content-Type: ${type}' --data-binary @- <<'BODY'`].join(' \\\n')}\n${text}\nBODY`
}
