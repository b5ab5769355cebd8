import type { MarketPack } from '@account-import/core'
import { openApiDocument } from '../openapi/open-api-document.js'
import type { JsonSchema } from '../openapi/codec-schema.js'

type Content = Readonly<Record<string, Readonly<{ schema: JsonSchema; example?: unknown }>>>

/** A parameter, an answer and an operation, as far as the OpenAPI document of this package has them. */
export type Parameter = Readonly<{
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}>

export type Response = Readonly<{ description: string; content?: Content }>

export type Operation = Readonly<{
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
