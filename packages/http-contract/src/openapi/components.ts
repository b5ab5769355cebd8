import { type CatalogueEntry, catalogueOf, type MarketPack } from '@account-import/core'
import { problemBody } from '../problems/problem.js'
import { type JsonSchema, typeSchema } from './codec-schema.js'

const codesWhere = (
  markets: readonly MarketPack[],
  holds: (entry: CatalogueEntry) => boolean,
): readonly string[] =>
  Object.entries(catalogueOf(markets)).flatMap(([code, entry]) => (holds(entry) ? [code] : []))

const codeOf = (codes: readonly string[], description: string): JsonSchema => ({
  type: 'string',
  enum: codes,
  description,
})

const problem = (): JsonSchema => {
  const { properties, ...rest } = typeSchema(problemBody.type) as { properties: JsonSchema }
  return {
    ...rest,
    properties: {
      ...properties,
      code: { $ref: '#/components/schemas/TopLevelCode' },
      errors: { type: 'array', items: { $ref: '#/components/schemas/FieldError' } },
    },
  }
}

/** What all answers share. Each code has a page at docs/errors/{code}/. */
export const problemSchemas = (markets: readonly MarketPack[]): Readonly<Record<string, JsonSchema>> => ({
  Problem: problem(),
  FieldError: {
    type: 'object',
    properties: {
      detail: { type: 'string', description: 'For people; may change, never holds a value of the payload.' },
      code: { $ref: '#/components/schemas/FieldCode' },
      attr: {
        type: 'string',
        description: 'Names and zero-based indexes joined by dots; empty for the payload.',
      },
    },
    required: ['detail', 'code', 'attr'],
  },
  TopLevelCode: codeOf(
    codesWhere(markets, ({ where }) => where.includes('T')),
    'Code of a whole answer.',
  ),
  // Always, or after the operator has raised a warning.
  FieldCode: codeOf(
    codesWhere(markets, ({ where, changeable }) => where.includes('F') || changeable),
    'Code of an entry of errors.',
  ),
})
